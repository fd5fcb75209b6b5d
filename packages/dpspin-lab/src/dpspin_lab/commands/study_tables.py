"""``dpspin lab truth``, ``mechanisms``, ``certificates``, ``changes``, ``candidates``, ``utility`` and others."""

import json
from dataclasses import asdict
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin_lab.commands.options import DataOption, DrawsOption, SeedOption, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dpspin_lab.metrics.error_parts import Parts
    from dpspin_lab.studies.error_tables import ErrorRow
    from dpspin_lab.studies.forecast_errors import ForecastError
    from dpspin_lab.studies.intent_truth import IntentRow
    from dpspin_lab.studies.map_truth import Followed, Row

FORECAST = ("noise", "below", "above", "threshold", "listed", "right", "certified")


class Table(StrEnum):
    """The tables on how true the maps are."""

    TICKETS = "tickets"
    PHRASES = "phrases"
    PACKS = "packs"
    NAMES = "names"
    COMPLAINTS = "complaints"
    INTENTS = "intents"
    SHIFT = "shift"
    ERRORS = "errors"
    TICKET_ERRORS = "ticket-errors"


def truth(
    table: Annotated[
        Table,
        typer.Argument(metavar="TABLE", help="The table; errors: split into map, clipping and noise."),
    ],
    data: Annotated[
        Path,
        typer.Option(
            "--data", help="The folder with cfpb/, amazon/, yelp/, banking77/ and nlupp/; tickets are generated."
        ),
    ] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Compare maps with labels that none of them learned from."""
    tell(_rows(table, data), lambda rows: map(_line, rows), as_json=as_json)


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
    from dpspin_lab.studies.mechanism_scores import emerging_lines, emerging_table, mechanisms_table, score_lines

    table, lines = (emerging_table, emerging_lines) if emerging else (mechanisms_table, score_lines)
    tell(table(sketches, draws, seed), lines, as_json=as_json)


def certificates(draws: DrawsOption = 10_000, seed: SeedOption = 0, as_json: JsonOption = False) -> None:
    """Simulate how often certified statements hold, and how often an order read without a margin is false."""
    from dpspin_lab.studies.promise_coverage import coverage_lines, coverage_table

    tell(coverage_table(draws, seed), coverage_lines, as_json=as_json)


def changes(draws: DrawsOption = 200, seed: SeedOption = 0, as_json: JsonOption = False) -> None:
    """Simulate how often a comparison tells a change that is not there, and how often one that is."""
    from dpspin_lab.studies import change_coverage

    tell(change_coverage.false_alarms(draws, seed), change_coverage.alarm_lines, as_json=as_json)
    tell(change_coverage.power_table(draws, seed), change_coverage.power_lines, as_json=as_json)


def candidates(
    folder: Annotated[Path, typer.Argument(metavar="TRUTH", help="The folder with the packs' truth sets.")],
    taken: Annotated[int, typer.Option("--taken", min=1, help="Themes that are taken out of each pack.")] = 6,
    trials: Annotated[int, typer.Option("--trials", min=1, help="Draws of records and noise for each.")] = 20,
    data: Annotated[
        Path | None, typer.Option("--data", help="A folder with the public reviews and complaints, for real text too.")
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Take themes out of packs, and measure how often one is among the first three candidates at epsilon 1."""
    from dpspin_lab.studies.missing_themes import missing_lines, missing_table

    tell(missing_table(folder, data, taken, trials, seed), missing_lines, as_json=as_json)


def utility(
    draws: DrawsOption = 10_000,
    seed: SeedOption = 0,
    beta: Annotated[
        float, typer.Option("--beta", min=1e-9, max=0.5, help="The probability with which a bound may fail.")
    ] = 0.05,
    as_json: JsonOption = False,
) -> None:
    """Simulate how often losses and value errors stay inside the utility certificates of the paper's appendix."""
    from dpspin_lab.studies.promise_coverage import utility_lines, utility_table

    tell(utility_table(draws, seed, beta), utility_lines, as_json=as_json)


def grounding(
    data: DataOption = Path(), draws: DrawsOption = 2000, seed: SeedOption = 0, as_json: JsonOption = False
) -> None:
    """Simulate how often grounded intervals cover the labels, and how much of a doubled theme's rise is reported."""
    from dpspin_lab.studies import grounding_rows

    tried = grounding_rows.collections(data)
    tell(grounding_rows.grounding_table(tried, draws, seed), grounding_rows.grounding_lines, as_json=as_json)
    tell(grounding_rows.rise_table(tried, draws, seed), grounding_rows.rise_lines, as_json=as_json)


def forecast(
    releases: Annotated[int, typer.Option("--releases", min=100, help="Simulated releases of each shape.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the simulated noise.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Compare the preview with simulated releases: half-widths (relative) and chances (absolute), largest errors."""
    from dpspin_lab.studies.forecast_errors import cases, check_forecast

    if not as_json:
        say(f"{'shape':<12}{'mechanism':<10}" + "".join(f"{name:>10}" for name in FORECAST))
    for number, case in enumerate(cases()):
        error = check_forecast(case, releases, seed + number)
        say(json.dumps(_forecast_data(error)) if as_json else _forecast_line(error))


def _rows(table: Table, data: Path) -> "Iterator[Row | Followed | ErrorRow | IntentRow]":
    from dpspin_lab.studies import error_tables, intent_truth, map_truth

    made: dict[Table, Callable[[], Iterator[Row | Followed | ErrorRow | IntentRow]]] = {
        Table.TICKETS: map_truth.tickets_table,
        Table.PHRASES: partial(map_truth.phrases_table, data),
        Table.PACKS: partial(map_truth.packs_table, data),
        Table.NAMES: partial(map_truth.names_table, data),
        Table.COMPLAINTS: partial(map_truth.complaints_table, data),
        Table.INTENTS: partial(intent_truth.intents_table, data),
        Table.SHIFT: partial(map_truth.shift_table, data),
        Table.ERRORS: partial(error_tables.complaint_errors, data),
        Table.TICKET_ERRORS: error_tables.ticket_errors,
    }
    return made[table]()


def _line(row: "Row | Followed | ErrorRow | IntentRow") -> str:
    from dpspin_lab.studies.error_tables import ErrorRow
    from dpspin_lab.studies.intent_truth import IntentRow
    from dpspin_lab.studies.map_truth import Followed

    if isinstance(row, ErrorRow):
        head = f"{row.corpus:<32} {row.unit:<12} {row.method:<20} eps {row.epsilon:<4g}"
        return f"{head} TV {_sum(row.distance)}  lost of the true ten {_sum(row.overlap)}"
    if isinstance(row, Followed):
        followed = f"doubled {row.doubled:.2f}  halved {row.halved:.2f}"
        return f"{row.method:<26} followed: {followed}  TV to the shifted truth {row.total_variation:.3f}"
    if isinstance(row, IntentRow):
        found, head = row.scores, f"{row.corpus:<13} {row.dictionary:<30} {row.labels:>5} labels "
        shares = f"TV {found.total_variation:.3f} corrected {found.corrected:.3f} labels alone {found.labels_alone:.3f}"
        return f"{head} precision {found.precision:.2f}  {shares}  left out on none {found.left_out:.2f}"
    scores = row.scores
    return (
        f"{row.corpus:<44} {row.method:<26} precision {scores.precision:.3f}  recall {scores.recall:.3f}  "
        f"TV {scores.total_variation:.3f}  Overlap@10 {scores.overlap:.2f}  "
        f"covered {scores.covered:.2f} (truth {scores.covered_in_truth:.2f})"
    )


def _sum(parts: "Parts[float]") -> str:
    return f"{parts.mapping:.3f} map {parts.clipping:+.3f} clipping {parts.noise:+.3f} noise = {parts.total:.3f}"


def _forecast_line(error: "ForecastError") -> str:
    figures = "".join(f"{getattr(error, name):>10.2%}" for name in FORECAST[:4])
    chances = "".join(f"{getattr(error, name):>10.4f}" for name in FORECAST[4:])
    return f"{error.case.shape:<12}{error.case.mechanism.kind:<10}{figures}{chances}"


def _forecast_data(error: "ForecastError") -> dict[str, object]:
    case = error.case
    return {
        "shape": case.shape,
        "mechanism": case.mechanism.kind,
        "unit": case.unit.kind,
        "bound": case.unit.bound,
        "adjacency": case.adjacency.value,
        "loss": asdict(case.loss),
        "releases": error.releases,
    } | {name: getattr(error, name) for name in FORECAST}
