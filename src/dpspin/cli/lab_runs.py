"""``dpspin lab run``, ``grid``, ``probe``, ``summarise``, ``figures`` and ``paper``: the paper's evaluation."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.lab_place import OutOption

if TYPE_CHECKING:
    from dpspin.lab.paper import Evaluation, Grid


class DatasetName(StrEnum):
    """The paper's data sets."""

    CFPB = "cfpb"
    AMAZON = "amazon"
    YELP = "yelp"


DataOption = Annotated[Path, typer.Option("--data", help="The folder with cfpb/, amazon/ and yelp/.")]
QuickOption = Annotated[bool, typer.Option("--quick", help="Fewer seeds and budgets: minutes instead of hours.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Processes at once.")]
NamesOption = Annotated[
    list[DatasetName] | None, typer.Option("--dataset", help="Only this data set; may be given again.")
]
CORES = os.cpu_count() or 1


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A run's YAML file, in the paper's field names.")],
    data: DataOption,
    out: OutOption,
) -> None:
    """Make one run of the evaluation: release, text, verifier, metrics. Nothing of it is private."""
    from dpspin.lab.paper import single_run
    from dpspin.lab.runs.config import read_config

    typer.echo(str(single_run(read_config(config), data, out)))


def grid(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
) -> None:
    """Make the runs behind utility and ablations, and their summaries. CLEAN_RUNS=1 removes earlier runs first."""
    from dpspin.lab.runs.grids import all_runs

    _make(data, out, quick, datasets, workers, all_runs)


def probe(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
) -> None:
    """Make the runs of the controlled probe at record and user level, and their summaries."""
    from dpspin.lab.runs.grids import probe as probe_runs

    _make(data, out, quick, datasets, workers, probe_runs)


def summarise(out: OutOption) -> None:
    """Group all runs under a folder by the paper's full key; CSV and JSON."""
    from dpspin.lab.paper import summarise_all

    for path in summarise_all(out):
        typer.echo(str(path))


def figures(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="A figure family, or all.")],
    out: OutOption,
) -> None:
    """Draw one family from the summaries: utility, loss, n, beyond, epsilon, m, bound, heat, time, map, probe, rank."""
    from dpspin.lab.figures.families import draw_all, draw_family

    for path in draw_all(out) if family == "all" else draw_family(family, out):
        typer.echo(str(path))


def paper(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
) -> None:
    """Run the whole evaluation of the paper and draw its figures; an interrupted one goes on where it was."""
    from dpspin.lab.paper import evaluate

    evaluate(_evaluation(data, out, quick, datasets, workers))
    typer.echo(f"NOT PRIVATE: results are in {out}", err=True)


def _make(data: Path, out: Path, quick: bool, datasets: list[DatasetName] | None, workers: int, runs: "Grid") -> None:
    from dpspin.lab.paper import make_and_summarise

    make_and_summarise(_evaluation(data, out, quick, datasets, workers), runs)


def _evaluation(data: Path, out: Path, quick: bool, datasets: list[DatasetName] | None, workers: int) -> "Evaluation":
    from dpspin.cli.progress import counting
    from dpspin.lab.paper import Evaluation
    from dpspin.lab.runs.grids import FULL, QUICK

    return Evaluation(
        data=data,
        out=out,
        scale=QUICK if quick else FULL,
        workers=workers,
        counting=counting,
        names=tuple(name.value for name in datasets or DatasetName),
        clean=os.environ.get("CLEAN_RUNS") == "1",
    )
