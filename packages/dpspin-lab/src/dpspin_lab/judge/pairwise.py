"""Which of two summaries is better, asked blindly: the private plan's or the reference's, as one number per run.

The judge sees the non-private plan, which is exact. So it is on this machine, or the records are declared public. A
comparison in both orders shows a judge's liking for a place, which then cancels out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np

from dpspin.boundary.model_base import FrozenModel
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.public.narrate.decoders.prompts import plan_lines
from dpspin_lab.baselines.exact_plan import ReferencePlan
from dpspin_lab.judge.answers import Asking, BlindChoice, asked
from dpspin_lab.judge.case import choosing_prompt, read_lines
from dpspin_lab.not_private import require_reader

HALF = 0.5


class Choice(StrEnum):
    """The better verbalisation of the non-private plan: of the private summary, of the reference, or neither."""

    DP = "DP"
    NP = "NP"
    TIE = "tie"


_VALUES = {Choice.DP: 1.0, Choice.TIE: 0.5, Choice.NP: 0.0}


def mean_preference(choices: Iterable[Choice]) -> float:
    """Return the mean over runs, as it is reported.

    >>> mean_preference([Choice.DP, Choice.TIE, Choice.TIE, Choice.NP])
    0.5
    """
    values = [_VALUES[choice] for choice in choices]
    if not values:
        raise RequestError("a preference needs at least one comparison")
    return sum(values) / len(values)


class Pair(FrozenModel):
    """The paper's P_NP in words for the judge, Y_DP and Y_NP; ``name`` tells runs apart and is not shown."""

    name: str
    reference_plan: str
    dp: str
    np: str


class Preference(FrozenModel):
    """The unblinded answer to one pair; no choice where none could be read."""

    private: bool = False  # the reference is exact
    name: str
    judge: str
    dp_shown_first: bool
    choice: Choice | None
    rationale: str


def pair_of(plan: ReferencePlan, *, name: str, dp: str, np: str) -> Pair:
    """Put a reference plan beside the two summaries."""
    return Pair(name=name, reference_plan="\n".join(plan_lines(plan.entries)), dp=dp, np=np)


def read_pairs(source: Path) -> tuple[Pair, ...]:
    """Read a JSONL file of pairs."""
    return read_lines(Pair, source, "a pair")


def balanced_order(count: int, seed: int) -> tuple[bool, ...]:
    """Say for each pair whether the private summary is shown first: for half of them, drawn by the seed.

    Judges favour a place, and the first at that; this cancels it out. Of an odd number one more is shown first, or
    second, by the seed as well.

    >>> sum(balanced_order(10, seed=3)), balanced_order(10, seed=3) == balanced_order(10, seed=4)
    (5, False)
    """
    rng = np.random.default_rng(seed)
    first = np.arange(count) % 2 == rng.integers(2)
    return tuple(bool(flag) for flag in rng.permutation(first))


def preferences(
    pairs: Sequence[Pair], chat: Chat, seed: int, *, records_are_public: bool = False
) -> Iterator[Preference]:
    """Ask about one pair after the other, in balanced order."""
    require_reader(chat, records_are_public=records_are_public)
    for pair, dp_first in zip(pairs, balanced_order(len(pairs), seed), strict=True):
        shown = (pair.dp, pair.np) if dp_first else (pair.np, pair.dp)
        answer = asked(chat, choosing_prompt(pair.reference_plan, *shown), BlindChoice)
        yield Preference(
            name=pair.name,
            judge=chat.endpoint.model,
            dp_shown_first=dp_first,
            choice=None if answer is None else unblinded(answer, dp_first=dp_first),
            rationale="" if answer is None else answer.rationale,
        )


def unblinded(answer: BlindChoice, *, dp_first: bool) -> Choice:
    """Translate a letter back.

    >>> letter_a = BlindChoice(choice="A", rationale="")
    >>> unblinded(letter_a, dp_first=True).value, unblinded(letter_a, dp_first=False).value
    ('DP', 'NP')
    """
    if answer.choice == "tie":
        return Choice.TIE
    return Choice.DP if (answer.choice == "A") == dp_first else Choice.NP


@dataclass(frozen=True, slots=True)
class Duel:
    """Both answers; none where an answer could not be read. Here ``DP`` is the text in question, ``NP`` its rival."""

    shown_first: BlindChoice | None
    shown_second: BlindChoice | None

    @property
    def answers(self) -> list[BlindChoice]:
        """What could be read."""
        return [answer for answer in (self.shown_first, self.shown_second) if answer is not None]

    @property
    def choices(self) -> list[Choice]:
        """What could be read, translated back."""
        both = ((self.shown_first, True), (self.shown_second, False))
        return [unblinded(answer, dp_first=first) for answer, first in both if answer is not None]

    @property
    def preferred(self) -> float | None:
        """The mean of the paper's DPPreferred over the orders; None where no answer could be read."""
        return mean_preference(self.choices) if self.choices else None

    @property
    def won(self) -> bool:
        """Whether the text was strictly preferred over both orders: a judge of places alone never says so.

        >>> place = BlindChoice(choice="A", rationale="")
        >>> Duel(place, place).won, Duel(place, BlindChoice(choice="B", rationale="")).won
        (False, True)
        """
        return len(self.choices) == len(("first", "second")) and mean_preference(self.choices) > HALF

    @property
    def same(self) -> bool:
        """Whether both orders led to the same choice."""
        return len(self.choices) == len(("first", "second")) and len(set(self.choices)) == 1


def fought(ask: Asking, shown_first: str, shown_second: str) -> Duel:
    """Ask in both orders: with the text in question shown first, and with it shown second."""
    return Duel(ask(shown_first, BlindChoice), ask(shown_second, BlindChoice))
