"""One comparison of two texts in both orders, so that a judge's liking for a place is seen and cancels out."""

from dataclasses import dataclass

from dpspin_lab.judge.answers import BlindChoice
from dpspin_lab.judge.asking import Asking
from dpspin_lab.judge.pairwise import unblinded
from dpspin_lab.metrics.preference import Choice, mean_preference

HALF = 0.5


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
