"""A judge of texts: six scores for each, and in the evaluation the three tables that all its answers become."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Final

from dpspin.boundary.model_base import FrozenModel
from dpspin.errors import EndpointError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Price, Usage
from dpspin_lab.judge.answers import NAMES, Asked, Asking, KeptJudge, Listing, Scores, asked
from dpspin_lab.judge.case import Basis, Case, comparing_prompt, require_judge, scoring_prompt
from dpspin_lab.judge.pairwise import Duel, Pair, fought, preferred_by
from dpspin_lab.judge.texts import EXACT, OURS, Known, Texts
from dpspin_lab.judge.validity import LOWERED, Spoiling
from dpspin_lab.not_private import require_reader
from dpspin_lab.runs.costs import Cost, Estimate
from dpspin_lab.runs.summary import Row, read_summary, spread, write_table

_LETTERS: Final = ("A", "B")
TEXTS: Final = 3  # of each method, as in the paper
REMARK: Final = 20  # tokens of what is said to an answer that cannot be read, roughly
ANSWER_TOKENS: Final = 200  # for six numbers and a sentence; a model that goes on is cut off
SCORES, PAIRS, KNOWN = "judged", "judged_pairs", "judged_known"  # the tables


class Judgement(FrozenModel):
    """One line of a file of judgements; no scores where no answer could be read."""

    private: bool  # whether what was judged came out of a private release
    dataset: str
    method: str
    epsilon: float | None
    judge: str
    endpoint: str
    scores: Scores | None


def judged(cases: Iterable[Case], chat: Chat, *, records_are_public: bool = False) -> Iterator[Judgement]:
    """Judge one case after the other; what must not leave this machine is refused before anything is asked."""
    every = list(cases)
    for case in every:
        require_judge(case.basis, chat, records_are_public=records_are_public)
    for case in every:
        yield Judgement(
            private=case.basis is Basis.RELEASED,
            dataset=case.dataset,
            method=case.method,
            epsilon=case.epsilon,
            judge=chat.endpoint.model,
            endpoint=chat.place,
            scores=asked(chat, scoring_prompt(case), Scores),
        )


def summaries(judgements: Iterable[Judgement]) -> list[Row]:
    """Summarise by dataset and method, in the order of their first texts."""
    groups: dict[tuple[str, str], list[Scores | None]] = {}
    for each in judgements:
        groups.setdefault((each.dataset, each.method), []).append(each.scores)
    return [{"dataset": data, "method": method, **averaged(every)} for (data, method), every in groups.items()]


def averaged(every: Sequence[Scores | None]) -> Row:
    """Count what could be read, and average it: mean and sample standard deviation, which one text does not have."""
    read = [scores for scores in every if scores is not None]
    figures = [spread(name, [getattr(scores, name) for scores in read]) for name in NAMES]
    counts = {"texts": len(read), "invalid": len(every) - len(read)}
    return {**counts, **{key: value for figure in figures for key, value in figure.items()}}


def score_rows(cases: Sequence[Case], ask: Asking) -> Iterator[Row]:
    """Yield one row per method: mean and spread of the six scores over its texts."""
    for method in dict.fromkeys(case.method for case in cases):
        chosen = [case for case in cases if case.method == method]
        head = {"method": method, "epsilon": chosen[0].epsilon, "units": chosen[0].protected_units}
        yield {**head, **averaged([ask(scoring_prompt(case), Scores) for case in chosen])}


def rival_rows(cases: Sequence[Case], ask: Asking) -> Iterator[Row]:
    """Yield one row per rival: how often our text was preferred to its text, each against its own released object."""
    ours = [case for case in cases if case.method == OURS]
    for method in dict.fromkeys(case.method for case in cases if not case.method.startswith("plan, ")):
        rivals = [case for case in cases if case.method == method]
        duels = [
            fought(ask, comparing_prompt(own, rival), comparing_prompt(rival, own))
            for own, rival in zip(ours, rivals, strict=True)
        ]
        yield {"ours": OURS, "method": method, "epsilon": ours[0].epsilon, **preferred(duels)}


def exact_rows(pairs: Sequence[Pair], ask: Asking) -> Iterator[Row]:
    """Yield the paper's DPPreferred of each mechanism: against the exact plan's text, judged by the exact plan."""
    for method in dict.fromkeys(pair.name for pair in pairs):
        duels = [preferred_by(ask, pair.reference_plan, pair.dp, pair.np) for pair in pairs if pair.name == method]
        yield {"ours": method, "method": EXACT, "epsilon": None, **preferred(duels)}


def known_rows(known: Sequence[Known], ask: Asking) -> Iterator[Row]:
    """Yield one row per kind of spoiling: how often the true text came out strictly above the spoiled one."""
    for how in Spoiling:
        chosen = [each for each in known if each.how is how]
        scored = [(_score(ask, each.true, how), _score(ask, _worse(each), how)) for each in chosen]
        duels = [preferred_by(ask, each.true.released_object, each.true.summary, each.worse) for each in chosen]
        read = [(true, worse) for true, worse in scored if true is not None and worse is not None]
        if chosen:
            yield {
                "spoiled": how.value,
                "score": LOWERED[how],
                "cases": len(chosen),
                "by_score": sum(true > worse for true, worse in read),
                "by_pair": sum(duel.won for duel in duels),
                "true_score": fmean(true for true, _ in read) if read else None,
                "worse_score": fmean(worse for _, worse in read) if read else None,
                "invalid": len(scored) - len(read) + _invalid(duels),
                **_places(duels),
            }


def _worse(known: Known) -> Case:
    return known.true.model_copy(update={"summary": known.worse})


def _score(ask: Asking, case: Case, how: Spoiling) -> int | None:
    scores = ask(scoring_prompt(case), Scores)
    return None if scores is None else int(getattr(scores, LOWERED[how]))


def preferred(duels: Sequence[Duel]) -> Row:
    """Each pair counts once, with the mean of its two orders."""
    values = [duel.preferred for duel in duels if duel.preferred is not None]
    counts = {"pairs": len(values), "same": sum(duel.same for duel in duels), "invalid": _invalid(duels)}
    return {**counts, **spread("preferred", values), **_places(duels)}


def _places(duels: Iterable[Duel]) -> Row:
    """Count the answers that chose a text, and those that chose the text shown first: half of them, of a fair judge."""
    decided = [answer.choice for duel in duels for answer in duel.answers if answer.choice in _LETTERS]
    return {"decided": len(decided), "first": decided.count(_LETTERS[0])}


def _invalid(duels: Sequence[Duel]) -> int:
    return sum(2 - len(duel.answers) for duel in duels)


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges how many texts of each method, and whether the exact plan is shown as well.

    Simulated noise is drawn from seeds that stand in public code: who reads such a release can take the noise off. So
    another machine is shown one only of records that are public, and nobody but the caller knows that they are.
    """

    chat: Chat
    texts: int = TEXTS
    references: bool = False
    records_are_public: bool = False
    price: Price | None = None

    def __post_init__(self) -> None:
        require_reader(self.chat, records_are_public=self.records_are_public)


def questions(texts: Texts, *, references: bool) -> list[Asked]:
    """List what is asked about one data set."""
    listing = Listing()
    list(_tables(texts, listing, references=references))
    return listing.asked


def expected(asked: Iterable[Asked], ask: KeptJudge) -> Estimate:
    """Ask the first new question of each form, and reckon with what it took; an unreadable answer costs another.

    A judge that has answered nothing by then is refused: it would be asked everything in vain.
    """
    every = dict.fromkeys(asked)
    new = [each for each in every if not ask.knows(*each)]
    least = most = Cost()
    for kind in dict.fromkeys(kind for _, kind in new):
        chosen = [question for question, each in new if each is kind]
        one = _timed(ask, chosen[0], kind)
        least += one.times(len(chosen))
        again = Cost(Usage(0, one.usage.answer_tokens + REMARK))  # a second try repeats what was said at the first
        most += one.times(2 * len(chosen)) + again.times(len(chosen))
    if new and not any(ask.knows(*each) for each in every):
        raise EndpointError(
            f"the judge {ask.name} at {ask.chat.client.address} refuses the first question of every form, so it would "
            "judge nothing: serve it with a longer window, and look into the server's own log for what it refuses"
        )
    return Estimate(f"{len(new):,} new questions to the judge", least, most)


def _timed(ask: KeptJudge, question: str, kind: type[FrozenModel]) -> Cost:
    """Return what one answer takes; a form that the server does not know costs a call without tokens, and only once."""
    meter = ask.chat.meter
    before, unknown, start = meter.usage, len(meter.unknown), monotonic()
    ask(question, kind)
    usage, refused = meter.usage - before, len(meter.unknown) - unknown
    return Cost(usage, monotonic() - start).each(usage.calls - refused)


def judge_texts(
    texts: Texts, ask: KeptJudge, folder: Path, *, references: bool, records_are_public: bool = False
) -> None:
    """Ask everything about one data set, known answers first, and write the tables; rows of other judges stay."""
    for case in _cases(texts, references=references):
        require_judge(case.basis, ask.chat, records_are_public=records_are_public)
    for name, rows in _tables(texts, ask, references=references):
        write_judged(folder, name, rows, ask.name)


def _cases(texts: Texts, *, references: bool) -> tuple[Case, ...]:
    return (*texts.cases, *([texts.exact_case] if references else []))


def _tables(texts: Texts, ask: Asking, *, references: bool) -> Iterator[tuple[str, list[Row]]]:
    """Yield each table, for which its rows are asked."""
    yield KNOWN, list(known_rows(texts.known, ask))
    yield SCORES, list(score_rows(_cases(texts, references=references), ask))
    yield PAIRS, [*rival_rows(texts.cases, ask), *(exact_rows(texts.exact_pairs, ask) if references else ())]


def write_judged(
    folder: Path, name: str, rows: Iterable[Row], judge: str, stays: Callable[[Row], bool] = lambda _: False
) -> None:
    """Write a table of one judge's answers; rows of other judges stay, and those of its own that are said to."""
    found = [{"judge": judge, **row} for row in rows]
    path = folder / f"{name}.json"
    before = read_summary(path) if path.is_file() else []
    write_table(folder, name, [*(row for row in before if row["judge"] != judge or stays(row)), *found])
