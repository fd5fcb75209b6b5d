"""``dpspin lab paper``, ``results``, ``stats``, ``run``, ``grid``, ``probe``, ``figures``: the paper's evaluation."""

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError, SourceError
from dpspin_lab.commands import decoding, judging
from dpspin_lab.commands.options import (
    DataOption,
    DatasetName,
    LlmUrlOption,
    OutOption,
    PublicOption,
    TrustOption,
    UnitName,
    without_release,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin_lab.datasets.statistics import DatasetReport, Statistics
    from dpspin_lab.evaluation import Evaluation
    from dpspin_lab.paper import Grid


QuickOption = Annotated[bool, typer.Option("--quick", help="Fewer seeds and budgets: minutes instead of an hour.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="Processes at once.")]
NamesOption = Annotated[
    list[DatasetName] | None,
    typer.Option("--dataset", help="Only this data set; may be given again. Default: those that have a folder."),
]
ResultsOption = Annotated[
    Path,
    typer.Option(
        "--out", callback=without_release, help="The folder of an evaluation's results; never in or beside a release."
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="A field of the run and its value, such as epsilon=0.5; repeat it."),
]
CORES = os.cpu_count() or 1
MOST = 10  # categories on the screen


def template(
    dataset: Annotated[DatasetName, typer.Argument(metavar="DATASET", help="cfpb, amazon or yelp.")],
    unit: Annotated[UnitName, typer.Option("--unit", help="What a run protects.")] = UnitName.RECORD,
    settings: SetOption = None,
) -> None:
    """Print the paper's defaults of a data set as a run's YAML file, with whatever is set otherwise."""
    from dpspin_lab.datasets import registry
    from dpspin_lab.runs import templates

    defaults = templates.template(registry.dataset(dataset.value), unit.value)
    say(templates.with_settings(defaults, settings or ()).to_yaml().rstrip())


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A run's YAML file, in the paper's field names.")],
    data: DataOption,
    out: OutOption,
    settings: SetOption = None,
    llm_url: LlmUrlOption = None,
    llm_endpoint_is_trusted: TrustOption = False,
    records_are_public: PublicOption = False,
) -> None:
    """Make one run of the evaluation: release, text, verifier, metrics. Nothing of it is private.

    Where a language model writes, the run's file names it, and --llm-url says where it is served.
    """
    from dpspin_lab.paper import single_run
    from dpspin_lab.runs.config import read_config
    from dpspin_lab.runs.templates import with_settings

    made = with_settings(read_config(config), settings or ())
    with _to_be_continued():
        folder = single_run(
            made, data, out, llm_url, trusted=llm_endpoint_is_trusted, records_are_public=records_are_public
        )
    say(str(folder))


def grid(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
) -> None:
    """Make the runs behind utility and ablations, and their summaries. CLEAN_RUNS=1 removes earlier runs first."""
    from dpspin_lab.runs.grids import all_runs

    _make(data, out, quick, datasets, workers, all_runs)


def probe(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
) -> None:
    """Make the runs of the controlled probe, and their summaries. CLEAN_RUNS=1 removes earlier runs first."""
    from dpspin_lab.runs.grids import probe as probe_runs

    _make(data, out, quick, datasets, workers, probe_runs)


def summarise(out: ResultsOption) -> None:
    """Group all runs under a folder by the paper's full key; CSV and JSON."""
    from dpspin_lab.paper import summarise_all

    for path in summarise_all(out):
        say(str(path))


def figures(
    family: Annotated[str, typer.Argument(metavar="FAMILY", help="A figure family, or all.")],
    out: ResultsOption,
) -> None:
    """Draw one family from the summaries: utility, loss, n, beyond, epsilon, m, bound, heat, time, map, probe, rank."""
    from dpspin_lab.figures.families import draw_all, draw_family

    paths = draw_all(out) if family == "all" else draw_family(family, out)
    for path in paths:
        say(str(path))
    if not paths:
        say(f"{family}: the summaries have no runs that this family shows, so nothing is drawn", err=True)


def paper(
    data: DataOption,
    out: OutOption,
    quick: QuickOption = False,
    datasets: NamesOption = None,
    workers: WorkersOption = CORES,
    judge_url: judging.UrlOption = None,
    judge_model: judging.ModelOption = None,
    judge_texts: judging.TextsOption = judging.JUDGED,
    judge_references: judging.ReferencesOption = False,
    judge_price_in: judging.PriceInOption = None,
    judge_price_out: judging.PriceOutOption = None,
    decoder_url: decoding.UrlOption = None,
    decoder_model: decoding.ModelOption = None,
    decoder_backend: decoding.BackendOption = None,
    decoder_plans: decoding.PlansOption = decoding.PLANS,
    decoder_attempts: decoding.AttemptsOption = decoding.ATTEMPTS,
    decoder_at_once: decoding.AtOnceOption = decoding.AT_ONCE,
    decoder_price_in: decoding.PriceInOption = None,
    decoder_price_out: decoding.PriceOutOption = None,
    decoder_estimate: decoding.EstimateOption = False,
    embedder: decoding.EmbedderOption = decoding.Embedding.NONE,
    llm_endpoint_is_trusted: TrustOption = False,
    records_are_public: PublicOption = False,
) -> None:
    """Run the whole evaluation and draw its figures; an interrupted one goes on. CLEAN_RUNS=1 starts anew."""
    from dataclasses import replace

    from dpspin_lab.paper import evaluate

    if llm_endpoint_is_trusted and judge_url is None and decoder_url is None:
        raise RequestError("--llm-endpoint-is-trusted goes with --judge-url or --decoder-url")
    judged_by = judging.judging_of(
        judge_url,
        judge_model,
        (judge_price_in, judge_price_out),
        texts=judge_texts,
        references=judge_references,
        trusted=llm_endpoint_is_trusted,
        records_are_public=records_are_public,
    )
    written_by = decoding.decoding_of(
        decoder_url,
        decoder_model,
        decoder_backend,
        (decoder_price_in, decoder_price_out),
        plans=decoder_plans,
        attempts=decoder_attempts,
        at_once=decoder_at_once,
        embedder=embedder,
        estimate_only=decoder_estimate,
        trusted=llm_endpoint_is_trusted,
        records_are_public=records_are_public,
    )
    evaluation = _evaluation(data, out, quick, datasets, workers)
    with _to_be_continued():
        evaluate(replace(evaluation, judging=judged_by, decoding=written_by, tell=lambda line: say(line, err=True)))
    if not decoder_estimate:
        say(f"NOT PRIVATE: results are in {out}", err=True)


def results(
    runs: Annotated[Path, typer.Argument(metavar="RUNS", help="The folder that dpspin lab paper wrote.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", callback=without_release, help="The page; its figures go into a folder of its name beside it."
        ),
    ],
) -> None:
    """Write what was run and what it says about each claim of the paper, as a page with figures."""
    from dpspin_lab.results.writing import write_page

    for path in write_page(runs, out):
        say(str(path))


def stats(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="cfpb, amazon or yelp.")],
    data: DataOption,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", callback=without_release, help="Write DATASET/stats/ there too; never in or beside a release."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Describe a public data set and its auxiliary and target parts: records, users, lengths, categories."""
    from dpspin_lab.datasets import registry
    from dpspin_lab.datasets.statistics import report_of
    from dpspin_lab.not_private import write_not_private

    kind = registry.dataset(dataset)
    report = report_of(kind, kind.read(data))
    if out is not None:
        content = report.model_dump(mode="json")
        say(f"NOT PRIVATE: wrote {write_not_private(out / kind.name / 'stats', 'statistics', content)}", err=True)
    for line in [report.model_dump_json()] if as_json else _lines(report):
        say(line)


def _make(data: Path, out: Path, quick: bool, datasets: list[DatasetName] | None, workers: int, runs: "Grid") -> None:
    from dpspin_lab.paper import make_and_summarise

    with _to_be_continued():
        make_and_summarise(_evaluation(data, out, quick, datasets, workers), runs)


@contextmanager
def _to_be_continued() -> "Iterator[None]":
    """Say after Ctrl-C that nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        say("stopped: what is finished is kept, and the same command goes on from there", err=True)
        raise


def _evaluation(data: Path, out: Path, quick: bool, datasets: list[DatasetName] | None, workers: int) -> "Evaluation":
    from dpspin.cli.terminal import counting
    from dpspin_lab.evaluation import Evaluation
    from dpspin_lab.runs.grids import FULL, QUICK

    return Evaluation(
        data=data,
        out=out,
        scale=QUICK if quick else FULL,
        workers=workers,
        counting=counting,
        names=tuple(name.value for name in datasets or _there(data)),
        clean=os.environ.get("CLEAN_RUNS") == "1",
    )


def _there(data: Path) -> list[DatasetName]:
    """Return the data sets that have a folder, and say which ones have none; one without its files is an error."""
    there = [name for name in DatasetName if (data / name.value).is_dir()]
    if not there:
        raise SourceError(
            f"{data} has none of the folders cfpb, amazon and yelp: make one with the publisher's files in it "
            "(the page on the data sets of the lab names them), or name another folder with --data"
        )
    for name in DatasetName:
        if name not in there:
            say(f"{name.value}: there is no folder {data / name.value}, so it is left out", err=True)
    return there


def _lines(report: "DatasetReport") -> "Iterator[str]":
    yield f"{report.title} (exact figures of public data)"
    yield from _whole(report.whole, report.category_field)
    for unit, split in report.splits.items():
        for name, part in (("auxiliary", split.auxiliary), ("target", split.target)):
            users = "" if part.users is None else f" of {part.users.users:,} users"
            yield f"{f'split by {unit}':<18}{name:<11}{part.records:,} records{users}"


def _whole(whole: "Statistics", category_field: str) -> "Iterator[str]":
    yield f"{'records':<18}{whole.records:,}, {whole.days.first or 'no days'} to {whole.days.last or 'no days'}"
    yield f"{'characters':<18}mean {whole.characters.mean:,.0f}, median {whole.characters.median:,.0f}"
    if whole.users is not None:
        several, most = whole.users.users_with_several_records, whole.users.records_per_user.max
        yield f"{'users':<18}{whole.users.users:,}, {several:,} with several records, at most {most:,}"
        yield f"{'':<18}{whole.users.records_with_user:,} records with a user id"
    yield f"{category_field:<18}" + "; ".join(
        f"{label or 'unknown'} {count:,}" for label, count in whole.categories[:MOST]
    )
