"""Six scores for each text, and their means over the texts of one method."""

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dpspin.boundary.model_base import Sealed
from dpspin.llm.chat import Chat
from dpspin_lab.judge.answers import NAMES, Scores, asked
from dpspin_lab.judge.case import Basis, Case, require_here
from dpspin_lab.judge.prompts import scoring_prompt


class Judgement(Sealed):
    """One line of a file of judgements; no scores where no answer could be read."""

    private: bool  # whether what was judged came out of a private release
    dataset: str
    method: str
    epsilon: float | None
    judge: str
    endpoint: str
    scores: Scores | None


@dataclass(frozen=True, slots=True)
class Mean:
    """Mean and sample standard deviation, which one text does not have."""

    mean: float
    deviation: float | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of one method on one dataset, as the paper tabulates them."""

    dataset: str
    method: str
    judged: int
    unreadable: int
    scores: Mapping[str, Mean]


def judged(cases: Iterable[Case], chat: Chat) -> Iterator[Judgement]:
    """Judge one case after the other; what must not leave this machine is refused before anything is asked."""
    every = list(cases)
    for case in every:
        require_here(case.basis, chat)
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


def summaries(judgements: Iterable[Judgement]) -> list[Summary]:
    """Summarise by dataset and method, in the order of their first texts."""
    groups: dict[tuple[str, str], list[Scores | None]] = {}
    for each in judgements:
        groups.setdefault((each.dataset, each.method), []).append(each.scores)
    return [_summary(*key, scores) for key, scores in groups.items()]


def _summary(dataset: str, method: str, every: list[Scores | None]) -> Summary:
    read = [scores for scores in every if scores is not None]
    means = {name: mean_of([getattr(scores, name) for scores in read]) for name in NAMES} if read else {}
    return Summary(dataset, method, len(read), len(every) - len(read), means)


def mean_of(values: list[float]) -> Mean:
    """Return mean and sample standard deviation.

    >>> mean_of([4, 5]), mean_of([3])
    (Mean(mean=4.5, deviation=0.7071067811865476), Mean(mean=3.0, deviation=None))
    """
    return Mean(statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None)
