"""``dpspin lab verifier``: what the verifier catches, and what it wrongly refuses."""

from enum import StrEnum
from typing import Annotated

import typer

from dpspin.cli.terminal import say


class Chosen(StrEnum):
    """Which cases are measured."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"
    ALL = "all"


def verifier(
    chosen: Annotated[Chosen, typer.Option("--set", help="Which of the written texts.")] = Chosen.ALL,
    misses: Annotated[
        bool, typer.Option("--misses", help="List the false texts that were accepted; never of the held-back cases.")
    ] = False,
) -> None:
    """Measure the verifier on written texts, by kind of falsehood: false ones refused, true ones that stand."""
    from dpspin_lab.verifier.benchmark import may_be_read, outcomes_of
    from dpspin_lab.verifier.cases import CaseSet
    from dpspin_lab.verifier.measure import measured
    from dpspin_lab.verifier.tables import miss_lines, table_lines

    names = list(CaseSet) if chosen is Chosen.ALL else [CaseSet(chosen.value)]
    outcomes = {name: outcomes_of(name) for name in names}
    for line in table_lines([measured(name.value, outcomes[name]) for name in names]):
        say(line)
    readable = [name for name in names if misses and may_be_read(name)]
    for line in (line for name in readable for line in ("", *miss_lines(outcomes[name]))):
        say(line)
