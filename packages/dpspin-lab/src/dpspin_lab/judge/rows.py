"""A judge's answers as rows: scores by method, preferences by rival, and what it made of known answers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpspin_lab.judge.answers import NAMES, Scores
from dpspin_lab.judge.asking import Asking
from dpspin_lab.judge.case import Case
from dpspin_lab.judge.duel import Duel, fought
from dpspin_lab.judge.pairwise import Pair
from dpspin_lab.judge.prompts import choosing_prompt, comparing_prompt, scoring_prompt
from dpspin_lab.judge.scoring import mean_of
from dpspin_lab.judge.spoiling import LOWERED, Spoiling
from dpspin_lab.judge.texts import EXACT, OURS, Known
from dpspin_lab.runs.summary import Row

_LETTERS: Final = ("A", "B")


def score_rows(cases: Sequence[Case], ask: Asking) -> Iterator[Row]:
    """Yield one row per method: mean and spread of the six scores over its texts."""
    for method in dict.fromkeys(case.method for case in cases):
        chosen = [case for case in cases if case.method == method]
        every = [ask(scoring_prompt(case), Scores) for case in chosen]
        read = [scores for scores in every if scores is not None]
        counts = {"texts": len(read), "invalid": len(every) - len(read)}
        figures = {key: value for name in NAMES for key, value in _spread(name, [getattr(s, name) for s in read])}
        units = chosen[0].protected_units
        yield {"method": method, "epsilon": chosen[0].epsilon, "units": units, **counts, **figures}


def rival_rows(cases: Sequence[Case], ask: Asking) -> Iterator[Row]:
    """Yield one row per rival: how often our text was preferred to its text, each against its own released object."""
    ours = [case for case in cases if case.method == OURS]
    for method in dict.fromkeys(case.method for case in cases if not case.method.startswith("plan, ")):
        rivals = [case for case in cases if case.method == method]
        duels = [
            fought(ask, comparing_prompt(own, rival), comparing_prompt(rival, own))
            for own, rival in zip(ours, rivals, strict=True)
        ]
        yield {"ours": OURS, "method": method, "epsilon": ours[0].epsilon, **_preferred(duels)}


def exact_rows(pairs: Sequence[Pair], ask: Asking) -> Iterator[Row]:
    """Yield the paper's DPPreferred of each mechanism: against the exact plan's text, judged by the exact plan."""
    for method in dict.fromkeys(pair.name for pair in pairs):
        duels = [_against(ask, pair.reference_plan, pair.dp, pair.np) for pair in pairs if pair.name == method]
        yield {"ours": method, "method": EXACT, "epsilon": None, **_preferred(duels)}


def known_rows(known: Sequence[Known], ask: Asking) -> Iterator[Row]:
    """Yield one row per kind of spoiling: how often the true text came out strictly above the spoiled one."""
    for how in Spoiling:
        chosen = [each for each in known if each.how is how]
        scored = [(_score(ask, each.true, how), _score(ask, _worse(each), how)) for each in chosen]
        duels = [_against(ask, each.true.released_object, each.true.summary, each.worse) for each in chosen]
        read = [(true, worse) for true, worse in scored if true is not None and worse is not None]
        if chosen:
            yield {
                "spoiled": how.value,
                "score": LOWERED[how],
                "cases": len(chosen),
                "by_score": sum(true > worse for true, worse in read),
                "by_pair": sum(duel.won for duel in duels),
                "true_score": mean_of([true for true, _ in read]).mean if read else None,
                "worse_score": mean_of([worse for _, worse in read]).mean if read else None,
                "invalid": len(scored) - len(read) + _invalid(duels),
                **_places(duels),
            }


def _worse(known: Known) -> Case:
    return known.true.model_copy(update={"summary": known.worse})


def _score(ask: Asking, case: Case, how: Spoiling) -> int | None:
    scores = ask(scoring_prompt(case), Scores)
    return None if scores is None else int(getattr(scores, LOWERED[how]))


def _against(ask: Asking, plan: str, ours: str, other: str) -> Duel:
    return fought(ask, choosing_prompt(plan, ours, other), choosing_prompt(plan, other, ours))


def _preferred(duels: Sequence[Duel]) -> Row:
    """Each pair counts once, with the mean of its two orders."""
    values = [duel.preferred for duel in duels if duel.preferred is not None]
    counts = {"pairs": len(values), "same": sum(duel.same for duel in duels), "invalid": _invalid(duels)}
    return {**counts, **dict(_spread("preferred", values)), **_places(duels)}


def _places(duels: Iterable[Duel]) -> Row:
    """Count the answers that chose a text, and those that chose the text shown first: half of them, of a fair judge."""
    decided = [answer.choice for duel in duels for answer in duel.answers if answer.choice in _LETTERS]
    return {"decided": len(decided), "first": decided.count(_LETTERS[0])}


def _invalid(duels: Sequence[Duel]) -> int:
    return sum(2 - len(duel.answers) for duel in duels)


def _spread(name: str, values: Sequence[float]) -> Iterator[tuple[str, float | None]]:
    found = mean_of(list(values)) if values else None
    yield name, found.mean if found else None
    yield f"{name}_sd", found.deviation if found else None
