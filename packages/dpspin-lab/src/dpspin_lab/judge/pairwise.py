"""Which of two summaries is better, asked blindly: the private plan's or the reference's, as one number per run.

The judge sees the non-private plan, which is exact. So it is the curator's, or the records are declared public. Every
pair is shown in both orders: a judge's liking for a place is seen, and cancels out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dpspin.boundary.model_base import FrozenModel
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.public.narrate.decoders.prompts import plan_lines
from dpspin_lab.baselines.exact_plan import ReferencePlan
from dpspin_lab.judge.answers import Answer, Asking, BlindChoice, asked
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
    """What a judge says of one pair, unblinded: in both orders, and their mean. None where no answer could be read."""

    private: bool = False  # the reference is exact
    name: str
    judge: str
    dp_first: Choice | None
    np_first: Choice | None
    preferred: float | None
    rationales: tuple[str, ...]


def pair_of(plan: ReferencePlan, *, name: str, dp: str, np: str) -> Pair:
    """Put a reference plan beside the two summaries."""
    return Pair(name=name, reference_plan="\n".join(plan_lines(plan.entries)), dp=dp, np=np)


def read_pairs(source: Path) -> tuple[Pair, ...]:
    """Read a JSONL file of pairs."""
    return read_lines(Pair, source, "a pair")


def preferences(pairs: Iterable[Pair], chat: Chat, *, records_are_public: bool = False) -> Iterator[Preference]:
    """Ask about one pair after the other, each in both orders."""
    require_reader(chat, records_are_public=records_are_public)

    def ask(question: str, kind: type[Answer], /) -> Answer | None:
        return asked(chat, question, kind)

    for pair in pairs:
        duel = preferred_by(ask, pair.reference_plan, pair.dp, pair.np)
        yield Preference(
            name=pair.name,
            judge=chat.endpoint.model,
            dp_first=duel.choice_first,
            np_first=duel.choice_second,
            preferred=duel.preferred,
            rationales=tuple(answer.rationale for answer in duel.answers),
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
    def choice_first(self) -> Choice | None:
        """What was chosen with the text in question shown first."""
        return None if self.shown_first is None else unblinded(self.shown_first, dp_first=True)

    @property
    def choice_second(self) -> Choice | None:
        """What was chosen with it shown second."""
        return None if self.shown_second is None else unblinded(self.shown_second, dp_first=False)

    @property
    def preferred(self) -> float | None:
        """The mean of the paper's DPPreferred over both orders; None where one of the answers could not be read."""
        first, second = self.choice_first, self.choice_second
        return None if first is None or second is None else mean_preference((first, second))

    @property
    def won(self) -> bool:
        """Whether the text was strictly preferred over both orders: a judge of places alone never says so.

        >>> place = BlindChoice(choice="A", rationale="")
        >>> Duel(place, place).won, Duel(place, BlindChoice(choice="B", rationale="")).won
        (False, True)
        """
        return self.preferred is not None and self.preferred > HALF

    @property
    def same(self) -> bool:
        """Whether both orders led to the same choice."""
        return self.preferred is not None and self.choice_first is self.choice_second


def fought(ask: Asking, shown_first: str, shown_second: str) -> Duel:
    """Ask in both orders: with the text in question shown first, and with it shown second."""
    return Duel(ask(shown_first, BlindChoice), ask(shown_second, BlindChoice))


def preferred_by(ask: Asking, plan: str, ours: str, other: str) -> Duel:
    """Ask which text is the better verbalisation of a plan."""
    return fought(ask, choosing_prompt(plan, ours, other), choosing_prompt(plan, other, ours))
