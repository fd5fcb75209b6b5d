"""The whole evaluation: every data set and unit, every grid, the probe, summaries and figures.

Each part is kept as it is finished, so that an interrupted evaluation goes on where it was.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import RequestError, SourceError
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.comparison import compare_methods, compared
from dpspin_lab.datasets.registry import DATASETS, DatasetKind, dataset
from dpspin_lab.datasets.split import Split
from dpspin_lab.datasets.statistics import report_of
from dpspin_lab.figures.families import FAMILIES, draw_family
from dpspin_lab.judge.answers import KeptJudge
from dpspin_lab.judge.judging import Judging, judge_texts, questions
from dpspin_lab.judge.model_texts import WrittenText, judge_written, rival_texts, text_questions, written_texts
from dpspin_lab.judge.texts import Texts, texts_of, written_rivals
from dpspin_lab.not_private import evaluation_folder
from dpspin_lab.runs.config import RunConfig, Source, Unit
from dpspin_lab.runs.evaluation_log import logged_evaluation
from dpspin_lab.runs.grids import MAIN_K, Scale, Setting, all_runs, probe
from dpspin_lab.runs.kept_answers import keeping
from dpspin_lab.runs.model_runs import Decoding, estimated, make_with_a_model, planned_texts, writer_of
from dpspin_lab.runs.parallel_runs import Planned, clean_runs, make_all, planned, pool_of, runs_folder
from dpspin_lab.runs.summary import KEY, Row, read_runs, summarised, write_table
from dpspin_lab.runs.workspace import AUXILIARY_SHARE, SALT, Files, Workspace, file_of, other_starts

Counting = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
Made = TypeVar("Made")
Grid = Callable[[Setting, Scale], Iterable[RunConfig]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Where the data lie, where results go, how fine the grids are, and who is told of progress."""

    data: Path
    out: Path
    scale: Scale
    workers: int
    counting: Counting
    names: tuple[str, ...] = tuple(DATASETS)
    clean: bool = False
    judging: Judging | None = None
    decoding: Decoding | None = None
    tell: Callable[[str], None] = print

    @property
    def parts(self) -> list[tuple[str, Unit]]:
        """Every data set with every unit that it can protect."""
        return [(name, unit) for name in self.names for unit in dataset(name).units]


@dataclass(frozen=True, slots=True)
class Opened:
    """A data set and unit that is ready to run."""

    setting: Setting
    files: Files


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
    main = _main_file(opened)
    done = out / setting.dataset / "summaries" / f"methods{'_by_user' if by_user else ''}.digest"
    made_from = digest_of([main.stem, scale.epsilons, scale.seeds, SOFTWARE])
    if done.exists() and done.read_text(encoding="utf-8") == made_from:
        return
    compare_methods(_split(data, out, setting), main, out, scale.epsilons, scale.seeds, by_user=by_user)
    write_whole(done, made_from.encode())


def estimate_texts(evaluation: Evaluation, decoding: Decoding, opened: Sequence[Opened]) -> list[Planned]:
    """Say what the texts of a language model will take, and return their runs."""
    runs = [run for one in opened for run in planned_texts(one.setting, one.files, decoding, evaluation.out)]
    for line in estimated(runs, decoding.endpoint, evaluation.out).lines(decoding.price):
        evaluation.tell(f"{decoding.endpoint.model}: {line}")
    return runs


def write_parts(evaluation: Evaluation, decoding: Decoding, opened: Sequence[Opened]) -> None:
    """Have a language model write about private and exact plans; what was answered is not asked again."""
    runs = estimate_texts(evaluation, decoding, opened)
    keeper = keeping(Chat(decoding.endpoint), evaluation.out)
    with evaluation.counting(f"runs with {decoding.endpoint.model}", len(runs)) as tell:
        make_with_a_model(runs, keeper, decoding.endpoint, tell, decoding.at_once)
    for one in opened:
        summarise(evaluation.out, one.setting.dataset, one.setting.unit)


def judge_parts(evaluation: Evaluation, judging: Judging, opened: Sequence[Opened], pool: Executor) -> None:
    """Have the texts of all private methods judged, data set by data set, then those that models wrote."""
    of_records = [one for one in opened if one.setting.unit == "record"]
    jobs = [pool.submit(texts_part, evaluation.data, evaluation.out, one, judging.texts) for one in of_records]
    for one, texts in zip(of_records, (job.result() for job in jobs), strict=True):
        name = one.setting.dataset
        asked = questions(texts, references=judging.references)
        with evaluation.counting(f"{name}, questions to the judge", asked) as tell:
            ask = KeptJudge(judging.chat, evaluation.out / "judge", tell)
            judge_texts(
                texts,
                ask,
                evaluation.out / name / "summaries",
                references=judging.references,
                records_are_public=judging.records_are_public,
            )
        judge_model_texts(evaluation, judging, one)


def judge_model_texts(evaluation: Evaluation, judging: Judging, opened: Opened) -> None:
    """Have the texts that models wrote about plans of a data set judged, and the rivals' by the writer at hand."""
    name = opened.setting.dataset
    folders = [runs_folder(evaluation.out, name, unit) for unit in dataset(name).units]
    texts = [text for folder in folders for text in written_texts(folder, judging.texts)]
    if evaluation.decoding:
        texts += _rivals_in_words(evaluation, evaluation.decoding, opened, judging.texts)
    if not texts:
        return
    with evaluation.counting(f"{name}, questions to the judge on models' texts", text_questions(texts)) as tell:
        ask = KeptJudge(judging.chat, evaluation.out / "judge", tell)
        judge_written(texts, ask, evaluation.out / name / "summaries")


def _rivals_in_words(evaluation: Evaluation, decoding: Decoding, opened: Opened, count: int) -> list[WrittenText]:
    """Have the writer put the rivals' releases into words; its answers are kept, as those about plans."""
    chosen = compared(_split(evaluation.data, evaluation.out, opened.setting), _main_file(opened))
    return rival_texts(written_rivals(chosen, count, decoding.chat(evaluation.out)), decoding.endpoint.model)


def texts_part(data: Path, out: Path, opened: Opened, count: int) -> Texts:
    """Write the texts of one data set that a judge is asked about, unless they are there from the same records."""
    setting, main = opened.setting, _main_file(opened)
    path = out / setting.dataset / "texts" / "NOT-PRIVATE-judged.json"
    made_from = digest_of([main.stem, count, SOFTWARE])
    if path.exists() and (found := Texts.model_validate_json(path.read_bytes())).made_from == made_from:
        return found
    texts = texts_of(compared(_split(data, out, setting), main), made_from, count)
    evaluation_folder(path.parent)
    write_whole(path, (texts.model_dump_json(indent=1) + "\n").encode())
    return texts


def _main_file(opened: Opened) -> Path:
    return opened.files[Source(opened.setting.main_m, MAIN_K)]


def _split(data: Path, out: Path, setting: Setting) -> Split:
    kind = dataset(setting.dataset)
    return Workspace(kind, setting.unit, kind.read(data), out).split


def single_run(
    config: RunConfig, data: Path, out: Path, llm_url: str | None = None, *, records_are_public: bool = False
) -> Path:
    """Make one run, and return its folder; ``llm_url`` is where the model is served that the run names."""
    writer = writer_of(config, llm_url, records_are_public=records_are_public)
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
    configs = grid(setting, evaluation.scale)
    runs = planned(configs, lambda config: file_of(config, opened.files), evaluation.out)
    with evaluation.counting(f"{setting.dataset}, {setting.unit} level", len(runs)) as tell:
        make_all(runs, pool, tell)
    return runs


def summarise(out: Path, name: str, unit: Unit) -> tuple[list[Row], list[Row]]:
    """Group the runs of a data set and unit, the probe's and those of language models apart; write the tables."""
    parts: dict[str, list[Row]] = {"": [], "probe_": [], "model_": []}
    for one in read_runs(runs_folder(out, name, unit)):
        probed, model = one["config"].get("probe_support"), one["config"].get("decoder_model")
        parts["model_" if model else "" if probed is None else "probe_"].append(one)
    tables = {prefix: summarised(runs) for prefix, runs in parts.items()}
    for prefix, rows in tables.items():
        if rows or prefix != "model_":
            write_table(out / name / "summaries", f"{prefix}{unit}", rows, columns=KEY)
    return tables[""], tables["probe_"]


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
