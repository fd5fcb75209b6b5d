"""``dpspin lab``: experiments that see exact sketches and known truth. Nothing here is private."""

import json
from collections.abc import Callable
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands import (
    baselines,
    clio,
    decoders,
    forecast,
    judge,
    reference,
    references,
    results,
    runs,
    stats,
    utility,
    verifier,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin_lab.error_split import Parts
    from dpspin_lab.error_tables import ErrorRow
    from dpspin_lab.shift import Followed
    from dpspin_lab.truth_tables import Row

app = typer.Typer(help="Experiments on public or generated data; nothing in here is private.", no_args_is_help=True)


DrawsOption = Annotated[int, typer.Option("--draws", min=1, help="Simulated releases per cell.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The seed of the simulation.")]


class Table(StrEnum):
    """The tables on how true the maps are."""

    TICKETS = "tickets"
    PHRASES = "phrases"
    COMPLAINTS = "complaints"
    SHIFT = "shift"
    ERRORS = "errors"
    TICKET_ERRORS = "ticket-errors"


@app.callback()
def lab() -> None:
    """Experiments on public or generated data; nothing in here is private."""


def truth(
    table: Annotated[
        Table,
        typer.Argument(
            metavar="TABLE",
            help="The table; errors: split into map, clipping and noise.",
        ),
    ],
    data: Annotated[
        Path, typer.Option("--data", help="The folder with cfpb/, amazon/ and yelp/; tickets are generated.")
    ] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Compare maps with labels that none of them learned from."""
    for row in _rows(table, data):
        say(json.dumps(asdict(row)) if as_json else _line(row))


def certificates(draws: DrawsOption = 10_000, seed: SeedOption = 0, as_json: JsonOption = False) -> None:
    """Simulate how often certified statements hold, and how often an order read without a margin is false."""
    from dpspin_lab.certificates import coverage_table
    from dpspin_lab.markdown import coverage_lines

    rows = coverage_table(draws, seed)
    for line in (json.dumps(asdict(row)) for row in rows) if as_json else coverage_lines(rows):
        say(line)


def mechanisms(
    sketches: Annotated[int, typer.Option("--sketches", min=2, help="Generated sketches per shape.")] = 25,
    draws: DrawsOption = 40,
    seed: SeedOption = 0,
    emerging: Annotated[
        bool, typer.Option("--emerging", help="Instead: is a theme found that the auxiliary text does not know?")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the mechanisms at the same epsilon on sketches shaped like the paper's."""
    from dpspin_lab.markdown import score_lines
    from dpspin_lab.mechanisms import emerging_table, mechanisms_table

    rows = (emerging_table if emerging else mechanisms_table)(sketches, draws, seed)
    for line in (json.dumps(asdict(row)) for row in rows) if as_json else score_lines(rows, emerging=emerging):
        say(line)


_SHELVES: dict[str, dict[str, Callable[..., None]]] = {
    "The paper's evaluation": {
        "paper": runs.paper,
        "results": results.results,
        "stats": stats.stats,
        "run": runs.run,
        "grid": runs.grid,
        "probe": runs.probe,
        "summarise": runs.summarise,
        "figures": runs.figures,
    },
    "Rivals and references": {
        "baselines": baselines.baselines,
        "references": references.references,
        "reference": reference.reference,
        "clio": clio.clio,
        "clio-leaks": clio.clio_leaks,
    },
    "Texts and who judges them": {
        "verifier": verifier.verifier,
        "decoders": decoders.decoders,
        "judge": judge.judge,
        "prefer": judge.prefer,
    },
    "Truth, mechanisms and promises": {
        "truth": truth,
        "mechanisms": mechanisms,
        "certificates": certificates,
        "utility": utility.utility,
        "forecast": forecast.forecast,
    },
}
for shelf, commands in _SHELVES.items():
    for name, command in commands.items():
        app.command(name, rich_help_panel=shelf)(command)


def _rows(table: Table, data: Path) -> "Iterator[Row | Followed | ErrorRow]":
    from dpspin_lab import error_tables, truth_tables

    match table:
        case Table.TICKETS:
            yield from truth_tables.tickets_table()
        case Table.PHRASES:
            yield from truth_tables.phrases_table(data)
        case Table.COMPLAINTS:
            yield from truth_tables.complaints_table(data)
        case Table.SHIFT:
            yield from truth_tables.shift_table(data)
        case Table.ERRORS:
            yield from error_tables.complaint_errors(data)
        case Table.TICKET_ERRORS:
            yield from error_tables.ticket_errors()


def _line(row: "Row | Followed | ErrorRow") -> str:
    from dpspin_lab.error_tables import ErrorRow
    from dpspin_lab.shift import Followed

    if isinstance(row, ErrorRow):
        return _error_line(row)
    if isinstance(row, Followed):
        followed = f"doubled {row.doubled:.2f}  halved {row.halved:.2f}"
        return f"{row.method:<26} followed: {followed}  TV to the shifted truth {row.total_variation:.3f}"
    scores = row.scores
    return (
        f"{row.corpus:<44} {row.method:<26} precision {scores.precision:.3f}  recall {scores.recall:.3f}  "
        f"TV {scores.total_variation:.3f}  Overlap@10 {scores.overlap:.2f}  "
        f"covered {scores.covered:.2f} (truth {scores.covered_in_truth:.2f})"
    )


def _error_line(row: "ErrorRow") -> str:
    head = f"{row.corpus:<32} {row.unit:<12} {row.method:<20} eps {row.epsilon:<4g}"
    return f"{head} TV {_sum(row.distance)}  lost of the true ten {_sum(row.overlap)}"


def _sum(parts: "Parts") -> str:
    return f"{parts.mapping:.3f} map {parts.clipping:+.3f} clipping {parts.noise:+.3f} noise = {parts.total:.3f}"
