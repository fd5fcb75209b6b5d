"""``dpspin lab utility``: whether losses stay inside the paper's utility certificates."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say


def utility(
    draws: Annotated[int, typer.Option("--draws", min=1, help="Simulated releases per cell.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the simulation.")] = 0,
    beta: Annotated[
        float, typer.Option("--beta", min=1e-9, max=0.5, help="The probability with which a bound may fail.")
    ] = 0.05,
    as_json: JsonOption = False,
) -> None:
    """Simulate how often losses and value errors stay inside the utility certificates of the paper's appendix."""
    from dpspin_lab.markdown import utility_lines
    from dpspin_lab.utility_check import utility_table

    rows = utility_table(draws, seed, beta)
    for line in (json.dumps(asdict(row)) for row in rows) if as_json else utility_lines(rows):
        say(line)
