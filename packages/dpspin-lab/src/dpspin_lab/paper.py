"""The whole evaluation: every data set and unit, every grid, the probe, summaries and figures.

Each part is kept as it is finished, so that an interrupted evaluation goes on where it was.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import RequestError, SourceError
from dpspin_lab.baselines.comparison import compare_methods
from dpspin_lab.datasets.registry import DATASETS, DatasetKind, dataset
from dpspin_lab.datasets.statistics import report_of
from dpspin_lab.evaluation import Evaluation, Opened, main_file, split_of
from dpspin_lab.figures.families import FAMILIES, draw_family
from dpspin_lab.judge.model_texts import forget_judged
from dpspin_lab.model_evaluation import estimate_texts, judge_parts, write_parts
from dpspin_lab.not_private import evaluation_folder
from dpspin_lab.runs.config import RunConfig, Unit
from dpspin_lab.runs.evaluation_log import logged_evaluation
from dpspin_lab.runs.grids import MAIN_K, Scale, Setting, all_runs, probe
from dpspin_lab.runs.kept_answers import keeping
from dpspin_lab.runs.model_runs import make_with_a_model, writer_of
from dpspin_lab.runs.parallel_runs import Planned, clean_runs, make_all, planned, pool_of, runs_folder
from dpspin_lab.runs.summary import summarise
from dpspin_lab.runs.workspace import AUXILIARY_SHARE, SALT, Workspace, file_of, other_starts

Made = TypeVar("Made")
Grid = Callable[[Setting, Scale], Iterable[RunConfig]]


def evaluate(evaluation: Evaluation) -> None:
    """Prepare all records, make all runs, summarise them and draw every figure; models write and judge at the end."""
    scale, decoding = evaluation.scale, evaluation.decoding
    with pool_of(evaluation.workers) as pool:
        if decoding and decoding.estimate_only:
            estimate_texts(evaluation, decoding, prepared_parts(evaluation, pool))
            return
        with logged_evaluation(evaluation.out, scale.name, scale.seeds, evaluation.workers):
            opened = prepared_parts(evaluation, pool)
            for one in opened:
                make_and_summarise_part(evaluation, one, utility_and_probe, pool)
            compare_parts(evaluation, opened, pool)
            draw(evaluation, pool)
        if decoding:
            write_parts(evaluation, decoding, opened)
        if evaluation.judging:
            judge_parts(evaluation, evaluation.judging, opened, pool)


def make_and_summarise(evaluation: Evaluation, grid: Grid) -> None:
    """Make the runs of one grid in every part, and summarise all runs that are there."""
    with pool_of(evaluation.workers) as pool:
        for one in prepared_parts(evaluation, pool):
            make_and_summarise_part(evaluation, one, grid, pool)


def make_and_summarise_part(evaluation: Evaluation, opened: Opened, grid: Grid, pool: Executor) -> None:
    """Do so for one data set and unit."""
    make_runs(evaluation, opened, pool, grid)
    summarise(evaluation.out, opened.setting.dataset, opened.setting.unit)


def compare_parts(evaluation: Evaluation, opened: Sequence[Opened], pool: Executor) -> None:
    """Compare plans, rivals and references on every data set, side by side."""
    jobs = [pool.submit(compare_part, evaluation.data, evaluation.out, one, evaluation.scale) for one in opened]
    _wait(evaluation, "rivals and references", jobs)


def compare_part(data: Path, out: Path, opened: Opened, scale: Scale) -> None:
    """Compare all methods on one data set and unit, unless that was done with the same records and scale."""
    setting = opened.setting
    by_user = setting.unit == "user"
    main = main_file(opened)
    done = out / setting.dataset / "summaries" / f"methods{'_by_user' if by_user else ''}.digest"
    made_from = digest_of([main.stem, scale.epsilons, scale.seeds, SOFTWARE])
    if done.exists() and done.read_text(encoding="utf-8") == made_from:
        return
    compare_methods(split_of(data, out, setting), main, out, scale.epsilons, scale.seeds, by_user=by_user)
    write_whole(done, made_from.encode())


def single_run(
    config: RunConfig,
    data: Path,
    out: Path,
    llm_url: str | None = None,
    *,
    trusted: bool = False,
    records_are_public: bool = False,
) -> Path:
    """Make one run, and return its folder; ``llm_url`` is where the model is served that the run names."""
    writer = writer_of(config, llm_url, trusted=trusted, records_are_public=records_are_public)
    kind = dataset(config.dataset)
    if config.user_id_field not in {None, kind.user_id_field}:
        raise RequestError(f"users are not told by that user_id_field in {kind.name}: {_told_by(kind)}")
    workspace = Workspace(kind, config.protected_unit, kind.read(data), out, config.split, config.dictionary)
    runs = planned([config], workspace.prepared_for, out)
    if writer is not None:
        make_with_a_model(runs, keeping(writer, out), writer.endpoint, lambda _: None)
        return runs[0].folder
    with pool_of(1) as pool:
        make_all(runs, pool, lambda _: None)
    return runs[0].folder


def _told_by(kind: DatasetKind) -> str:
    return f"set it to {kind.user_id_field}" if kind.user_id_field else "it names none, so protect records"


def utility_and_probe(setting: Setting, scale: Scale) -> list[RunConfig]:
    """Return the runs of all grids and of the controlled probe."""
    return [*all_runs(setting, scale), *probe(setting, scale)]


def prepared_parts(evaluation: Evaluation, pool: Executor) -> list[Opened]:
    """Prepare the records of every part, side by side."""
    for name in evaluation.names:
        dataset(name).require_files(evaluation.data)
    evaluation_folder(evaluation.out)
    given = evaluation.data, evaluation.out
    jobs = [pool.submit(prepare_part, *given, name, unit, evaluation.scale.ks) for name, unit in evaluation.parts]
    return _wait(evaluation, "preparing records", jobs)


def prepare_part(data: Path, out: Path, name: str, unit: Unit, ks: Sequence[int]) -> Opened:
    """Read a data set, write its statistics, and prepare its records for every m and K and for the probe."""
    kind = dataset(name)
    workspace = Workspace(kind, unit, kind.read(data), out)
    report = report_of(kind, workspace.corpus, auxiliary_share=AUXILIARY_SHARE, salt=SALT)
    write_whole(workspace.folder("stats") / "dataset.json", (report.model_dump_json(indent=1) + "\n").encode())
    files = {source: path for m in workspace.dictionaries for source, path in workspace.prepared(m, ks).items()}
    files |= workspace.prepared(workspace.setting.main_m + 1, [MAIN_K], probe=True)
    if unit != "record":
        return Opened(workspace.setting, files)
    variants, others = other_starts(workspace, MAIN_K)
    return Opened(replace(workspace.setting, variants=tuple(variants)), {**files, **others})


def make_runs(evaluation: Evaluation, opened: Opened, pool: Executor, grid: Grid) -> list[Planned]:
    """Make the runs of a grid that are not there yet."""
    setting = opened.setting
    if evaluation.clean:
        clean_runs(evaluation.out, setting.dataset, setting.unit)
        forget_judged(evaluation.out / setting.dataset / "summaries", setting.unit)
    configs = grid(setting, evaluation.scale)
    runs = planned(configs, lambda config: file_of(config, opened.files), evaluation.out)
    with evaluation.counting(f"{setting.dataset}, {setting.unit} level", len(runs)) as tell:
        make_all(runs, pool, tell)
    return runs


def summarise_all(out: Path) -> list[Path]:
    """Summarise every data set and unit that has runs, and return the tables."""
    for kind in DATASETS.values():
        for unit in kind.units:
            if runs_folder(out, kind.name, unit).is_dir():
                summarise(out, kind.name, unit)
    if tables := sorted(out.glob("*/summaries/*.csv")):
        return tables
    raise SourceError(f"{out} holds no runs; make some first with dpspin lab grid or dpspin lab paper")


def draw(evaluation: Evaluation, pool: Executor) -> None:
    """Draw every figure family, side by side."""
    _wait(evaluation, "figures", [pool.submit(draw_family, name, evaluation.out) for name in FAMILIES])


def _wait(evaluation: Evaluation, title: str, jobs: Sequence[Future[Made]]) -> list[Made]:
    """Tell of each job that is finished, and return what all of them made, in their order."""
    with evaluation.counting(title, len(jobs)) as tell:
        for job in as_completed(jobs):
            job.result()
            tell(1)
    return [job.result() for job in jobs]
