"""What a judge says of texts that language models wrote: six scores, and the private text against the exact plan's.

The judge is the one of the evaluation, so its test on known answers decides here too whether it is believed.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dpspin.boundary.folders import PLAN_OF_A_RUN
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import EndpointError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Failure, Usage
from dpspin_lab.baselines.comparison import Compared
from dpspin_lab.baselines.private.rivals import METHODS
from dpspin_lab.judge.answers import Asked, Asking, KeptJudge, Listing, Scores
from dpspin_lab.judge.case import Case, case_of_plan, scoring_prompt
from dpspin_lab.judge.judging import averaged, preferred, write_judged
from dpspin_lab.judge.pairwise import Pair, preferred_by
from dpspin_lab.judge.texts import written_rivals
from dpspin_lab.runs.config import RunConfig, Unit
from dpspin_lab.runs.costs import Cost, Estimate
from dpspin_lab.runs.kept_answers import Unasked, keeping
from dpspin_lab.runs.model_runs import Decoding
from dpspin_lab.runs.run import METRICS, TEXTS, is_finished
from dpspin_lab.runs.summary import KEY, Row, key_of, read_summary, write_table

SCORES, PAIRS = "judged_texts", "judged_text_pairs"  # the tables
Setting = tuple[tuple[str, object], ...]


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A model's text of a release; the display text of a run has a pair, with that of the exact plan."""

    setting: Setting
    case: Case = field(repr=False)
    pair: Pair | None = field(default=None, repr=False)


def written_texts(runs: Path, most: int) -> list[WrittenText]:
    """Read what models wrote in the runs of a data set and unit: of each setting the first seeds, ``most`` of them."""
    found: dict[Setting, list[tuple[int, WrittenText]]] = {}
    for folder in sorted(path.parent for path in runs.glob(f"[!.]*/{TEXTS}") if is_finished(path.parent)):
        measured = json.loads((folder / METRICS).read_text(encoding="utf-8"))
        config = RunConfig.model_validate(measured["config"])
        if config.clean_reference_decoder_backend != "none":
            one = _text(folder, config, dict(zip(KEY, key_of(measured), strict=True)))
            found.setdefault(one.setting, []).append((config.seed, one))
    by_seed = (sorted(every, key=lambda each: each[0])[:most] for every in found.values())
    return [one for every in by_seed for _, one in every]


def _text(folder: Path, config: RunConfig, key: Row) -> WrittenText:
    """Read one; its setting is the key by which runs are grouped, so that nothing else is pooled here."""
    plan = SemanticPlan.from_json((folder / PLAN_OF_A_RUN).read_text(encoding="utf-8"))
    texts = json.loads((folder / TEXTS).read_text(encoding="utf-8"))
    method = f"plan, {config.mechanism.value}"
    prose = config.decoder_backend == "llm"  # of claims code writes the figures, too
    return WrittenText(
        tuple({**key, "method": method, "units": config.n}.items()),
        case_of_plan(plan, texts["display"], dataset=config.dataset, method=method, entries_alone=prose),
        Pair(name=folder.name, reference_plan=texts["reference_plan"], dp=texts["display"], np=texts["reference"]),
    )


def rival_texts(cases: Iterable[Case], chat: Chat) -> list[WrittenText]:
    """Put the rivals' texts by the same model beside them; they have no exact plan to be compared with."""
    return [WrittenText(tuple(_rival_setting(case, chat).items()), case) for case in cases]


def _rival_setting(case: Case, chat: Chat) -> Row:
    """Return the setting of a text that is asked for once, and read by no verifier: it has no contract."""
    return {
        "protected_unit": case.protected_unit,
        "decoder_backend": "llm",
        "decoder_model": chat.endpoint.model,
        "decoder_temperature": chat.temperature,
        "decoder_seed": chat.seed,
        "decoder_attempts": 1,
        "decoder_max_tokens": chat.max_tokens,
        "method": case.method,
        "epsilon": case.epsilon,
        "units": case.protected_units,
    }


def rivals_expected(every: Iterable[Compared], count: int, decoding: Decoding, out: Path) -> Estimate:
    """Ask the first new question, and reckon with what it took; a later one may hang on an earlier one's answer."""
    chat = decoding.chat(out)
    keeper = keeping(chat, out)
    unasked = Unasked(keeper)
    for chosen in every:
        written_rivals(chosen, count, chat.through(unasked))
    cost = Cost()
    for question in unasked.questions[:1]:
        reply = keeper.ask(question)
        if isinstance(reply, Failure):
            raise EndpointError(reply.sentence)
        cost = Cost(Usage(1, reply.prompt_tokens, reply.answer_tokens), reply.seconds).times(len(unasked.questions))
    return Estimate("texts of the rivals' releases", cost, cost)


def text_questions(texts: Sequence[WrittenText]) -> list[Asked]:
    """List what is asked about them."""
    listing = Listing()
    list(_tables(texts, listing))
    return listing.asked


def judge_written(texts: Sequence[WrittenText], ask: KeptJudge, folder: Path) -> None:
    """Ask everything about them, and write both tables; where all texts are gone, the judge's rows go too.

    Rows of other judges stay, and those on rivals' texts by a writer who was not asked this time, but has runs.
    """
    has_runs = {dict(one.setting)["decoder_model"] for one in texts if one.pair is not None}
    asked_again = {dict(one.setting)["decoder_model"] for one in texts if one.pair is None}
    absent = has_runs - asked_again
    for name, rows in _tables(texts, ask):
        if texts or (folder / f"{name}.json").is_file():
            write_judged(
                folder, name, rows, ask.name, lambda row: row["method"] in METHODS and row["decoder_model"] in absent
            )


def forget_judged(folder: Path, unit: Unit) -> None:
    """Take what judges said of the texts of removed runs out of both tables."""
    for name in (SCORES, PAIRS):
        if (path := folder / f"{name}.json").is_file():
            write_table(folder, name, [row for row in read_summary(path) if row["protected_unit"] != unit])


def _tables(texts: Sequence[WrittenText], ask: Asking) -> Iterator[tuple[str, list[Row]]]:
    yield SCORES, list(text_score_rows(texts, ask))
    yield PAIRS, list(text_pair_rows(texts, ask))


def text_score_rows(texts: Sequence[WrittenText], ask: Asking) -> Iterator[Row]:
    """Yield one row per setting: mean and spread of the six scores."""
    for setting, every in _settings(texts):
        yield {**setting, **averaged([ask(scoring_prompt(one.case), Scores) for one in every])}


def text_pair_rows(texts: Sequence[WrittenText], ask: Asking) -> Iterator[Row]:
    """Yield one row per setting: the paper's DPPreferred, each pair in both orders."""
    for setting, every in _settings(texts):
        if pairs := [one.pair for one in every if one.pair is not None]:
            yield {**setting, **preferred([preferred_by(ask, pair.reference_plan, pair.dp, pair.np) for pair in pairs])}


def _settings(texts: Iterable[WrittenText]) -> Iterator[tuple[Row, list[WrittenText]]]:
    groups: dict[Setting, list[WrittenText]] = {}
    for one in texts:
        groups.setdefault(one.setting, []).append(one)
    yield from ((dict(setting), every) for setting, every in groups.items())
