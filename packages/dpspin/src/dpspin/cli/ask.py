"""``dpspin ask``: look a theme or an area of a release up."""

from typing import Annotated

import typer

from dpspin.cli.options import JsonOption, PlanArgument
from dpspin.cli.terminal import say


def ask(
    plan: PlanArgument,
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS", help="A theme, an area, or words of one, in quotes; one or several.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Look up any theme or area of the dictionary, listed or not. Exit code 1 if something is not in it."""
    from dpspin.cli.files import plan_in, read_plan
    from dpspin.public.atoms.packs import require_atoms_beside
    from dpspin.public.narrate.ask import asked

    plan = plan_in(plan)
    released = read_plan(plan)
    answered = asked(released, require_atoms_beside(plan, released), *words)
    say(answered.model_dump_json(indent=2) if as_json else "\n".join(answered.lines()))
    raise typer.Exit(0 if answered.all_found else 1)
