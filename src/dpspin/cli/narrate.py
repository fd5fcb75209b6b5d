"""``dpspin narrate``: from a plan to a verified text."""

from enum import StrEnum
from typing import Annotated

import typer

from dpspin.cli.options import PlanArgument


class ModeName(StrEnum):
    """The two presentations of a plan."""

    DISPLAY = "display"
    AUDIT = "audit"


ModeOption = Annotated[ModeName, typer.Option("--mode", help="display: for readers; audit: with markers and masses.")]


def narrate(plan: PlanArgument, mode: ModeOption = ModeName.DISPLAY) -> None:
    """Write the summary of a plan. Every sentence has passed the verifier; nothing but the plan is read."""
    from dpspin.cli.files import atoms_beside, read_plan
    from dpspin.public.stage3_narrate import narrate as stage3
    from dpspin.public.stage3_narrate.policy import Mode, NarrationPolicy

    released = read_plan(plan)
    policy = NarrationPolicy(Mode(mode.value))
    narration = stage3.narrate(released, policy=policy, atoms=atoms_beside(plan, released))
    typer.echo(narration.text)
