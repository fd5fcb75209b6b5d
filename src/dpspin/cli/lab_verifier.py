"""``dpspin lab verifier``: what the verifier catches, and what it wrongly refuses."""

from enum import StrEnum
from typing import Annotated

import typer

from dpspin.cli.terminal import say


class Chosen(StrEnum):
    """Which cases are measured."""

    DEVELOPMENT = "development"
    HELD_BACK = "held-back"
    MUTATIONS = "mutations"
    ALL = "all"


def verifier(
    chosen: Annotated[
        Chosen, typer.Option("--set", help="Written cases, or texts with falsehoods planted by code.")
    ] = Chosen.ALL,
    misses: Annotated[
        bool, typer.Option("--misses", help="List what was judged wrongly; never of the held-back cases.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the mutations.")] = 0,
) -> None:
    """Measure the verifier on true and false texts, by kind of falsehood."""
    from dpspin.lab.verifier.benchmark import BenchmarkSet, outcomes_of
    from dpspin.lab.verifier.measure import measured
    from dpspin.lab.verifier.tables import miss_lines, table_lines

    names = list(BenchmarkSet) if chosen is Chosen.ALL else [BenchmarkSet(chosen.value)]
    outcomes = {name: outcomes_of(name, seed) for name in names}
    for line in table_lines([measured(name.value, outcomes[name]) for name in names]):
        say(line)
    readable = [name for name in names if misses and name.may_be_read]
    for line in (line for name in readable for line in ("", *miss_lines(outcomes[name]))):
        say(line)
