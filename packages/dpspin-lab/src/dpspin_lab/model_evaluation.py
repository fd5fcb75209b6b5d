"""What language models do in an evaluation, at its end: they write, and they judge; the cost is said before."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.software import SOFTWARE
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.comparison import Compared, compared
from dpspin_lab.datasets.registry import dataset
from dpspin_lab.evaluation import Evaluation, Opened, main_file, of_records, split_of
from dpspin_lab.judge.answers import Asked, KeptJudge
from dpspin_lab.judge.judging import Judging, expected, judge_texts, questions
from dpspin_lab.judge.model_texts import (
    WrittenText,
    judge_written,
    rival_texts,
    rivals_expected,
    text_questions,
    written_texts,
)
from dpspin_lab.judge.texts import Texts, texts_of, written_rivals
from dpspin_lab.not_private import evaluation_folder
from dpspin_lab.runs.kept_answers import keeping
from dpspin_lab.runs.model_runs import Decoding, estimated, make_with_a_model, planned_texts
from dpspin_lab.runs.parallel_runs import Planned, runs_folder
from dpspin_lab.runs.summary import summarise


def estimate_texts(evaluation: Evaluation, decoding: Decoding, opened: Sequence[Opened]) -> list[Planned]:
    """Say what the texts of a language model will take, those of rivals for the judge too; return the runs."""
    runs = [run for one in opened for run in planned_texts(one.setting, one.files, decoding, evaluation.out)]
    parts = [estimated(runs, decoding.endpoint, evaluation.out)]
    if judging := evaluation.judging:
        rivals = (_rivals(evaluation, one) for one in of_records(opened))
        parts.append(rivals_expected(rivals, judging.texts, decoding, evaluation.out))
    for line in (line for part in parts for line in part.lines(decoding.price)):
        evaluation.tell(f"{decoding.endpoint.model}: {line}")
    return runs


def _rivals(evaluation: Evaluation, opened: Opened) -> Compared:
    return compared(split_of(evaluation.data, evaluation.out, opened.setting), main_file(opened))


def write_parts(evaluation: Evaluation, decoding: Decoding, opened: Sequence[Opened]) -> None:
    """Have a language model write about private and exact plans; what was answered is not asked again."""
    runs = estimate_texts(evaluation, decoding, opened)
    keeper = keeping(Chat(decoding.endpoint), evaluation.out)
    with evaluation.counting(f"runs with {decoding.endpoint.model}", len(runs)) as tell:
        make_with_a_model(runs, keeper, decoding.endpoint, tell, decoding.at_once)
    for one in opened:
        summarise(evaluation.out, one.setting.dataset, one.setting.unit)


def judge_parts(evaluation: Evaluation, judging: Judging, opened: Sequence[Opened], pool: Executor) -> None:
    """Have the texts of all private methods judged, data set by data set, and those that models wrote; say the cost."""
    parts = of_records(opened)
    jobs = [pool.submit(texts_part, evaluation.data, evaluation.out, one, judging.texts) for one in parts]
    every = [
        ToJudge(one.setting.dataset, job.result(), model_texts(evaluation, judging, one), references=judging.references)
        for one, job in zip(parts, jobs, strict=True)
    ]
    ask = KeptJudge(judging.chat, evaluation.out / "judge")
    for line in expected([each for part in every for each in part.asked], ask).lines(judging.price):
        evaluation.tell(f"{ask.name}: {line}")
    for part in every:
        with evaluation.counting(f"{part.dataset}, questions to the judge", len(part.asked)) as tell:
            _judge(part, judging, replace(ask, tell=tell), evaluation.out / part.dataset / "summaries")


@dataclass(frozen=True, slots=True)
class ToJudge:
    """What a judge is asked about one data set: by templates, and by models."""

    dataset: str
    texts: Texts = field(repr=False)
    written: list[WrittenText] = field(repr=False)
    references: bool

    @property
    def asked(self) -> list[Asked]:
        """Every question."""
        return [*questions(self.texts, references=self.references), *text_questions(self.written)]


def _judge(part: ToJudge, judging: Judging, ask: KeptJudge, folder: Path) -> None:
    judge_texts(part.texts, ask, folder, references=part.references, records_are_public=judging.records_are_public)
    judge_written(part.written, ask, folder)


def model_texts(evaluation: Evaluation, judging: Judging, opened: Opened) -> list[WrittenText]:
    """Return what models wrote about plans of a data set, and have the writer at hand write about the rivals' too."""
    name, decoding = opened.setting.dataset, evaluation.decoding
    folders = [runs_folder(evaluation.out, name, unit) for unit in dataset(name).units]
    texts = [text for folder in folders for text in written_texts(folder, judging.texts)]
    if decoding is None:
        return texts
    chat = decoding.chat(evaluation.out)
    return [*texts, *rival_texts(written_rivals(_rivals(evaluation, opened), judging.texts, chat), chat)]


def texts_part(data: Path, out: Path, opened: Opened, count: int) -> Texts:
    """Write the texts of one data set that a judge is asked about, unless they are there from the same records."""
    setting, main = opened.setting, main_file(opened)
    path = out / setting.dataset / "texts" / "NOT-PRIVATE-judged.json"
    made_from = digest_of([main.stem, count, SOFTWARE])
    if path.exists() and (found := Texts.model_validate_json(path.read_bytes())).made_from == made_from:
        return found
    texts = texts_of(compared(split_of(data, out, setting), main), made_from, count)
    evaluation_folder(path.parent)
    write_whole(path, (texts.model_dump_json(indent=1) + "\n").encode())
    return texts
