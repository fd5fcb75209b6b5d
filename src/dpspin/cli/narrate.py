"""``dpspin narrate``: from a plan to a verified text."""

from enum import StrEnum
from typing import Annotated

import typer

from dpspin.cli.options import LengthName, LengthOption, PlanArgument


class ModeName(StrEnum):
    """The two presentations of a plan."""

    DISPLAY = "display"
    AUDIT = "audit"


ModeOption = Annotated[ModeName, typer.Option("--mode", help="display: for readers; audit: with markers and masses.")]


def narrate(plan: PlanArgument, mode: ModeOption = ModeName.DISPLAY, length: LengthOption = LengthName.FULL) -> None:
    """Write the summary of a plan. Every sentence has passed the verifier; nothing but the plan is read."""
    from dpspin.cli.files import read_plan
    from dpspin.public.stage0_atoms.files import atoms_beside
    from dpspin.public.stage3_narrate import narrate as stage3
    from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
    from dpspin.public.stage3_narrate.policy import Length, Mode

    released = read_plan(plan)
    template = TemplateDecoder(Mode(mode.value), Length(length.value))
    typer.echo(stage3.narrate(released, template, mode=mode.value, atoms=atoms_beside(plan, released)).text)
