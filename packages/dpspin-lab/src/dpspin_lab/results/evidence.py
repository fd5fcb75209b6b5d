"""Three-way evidence: a comparison agrees, is against, or is open, by its interval alone; and what follows together.

The rule is the same in both directions: what is for a statement is against its opposite.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf
from typing import Final, Protocol

from dpspin_lab.markdown import decimals_of
from dpspin_lab.results.estimate import TWO, UNKNOWN, Correlation, Figure, Interval, of_share

SELDOM: Final = 0.01  # what "never" means of runs: fewer than one in a hundred
MOST_RUNS: Final = 10_000  # that a reckoning of how many would be needed goes up to


class Stand(StrEnum):
    """How a setting's figures stand to a claim."""

    FOR = "agrees"
    OPEN = "open"
    AGAINST = "against"


@dataclass(frozen=True, slots=True)
class Finding:
    """A stand, how far from turning the other way it is, the interval that says so, and of which setting it is."""

    stand: Stand
    slack: float
    told: str
    shown: tuple[str, str] | None = None


class Evidence(Protocol):
    """What can be weighed once it is known how many comparisons a claim makes in all."""

    @property
    def comparisons(self) -> int: ...  # noqa: D102  a protocol

    def weigh(self, tail: float) -> Finding: ...  # noqa: D102  a protocol


@dataclass(frozen=True, slots=True)
class Beyond:
    """A figure is beyond a bound, upwards or downwards; ``strict`` where meeting it is not enough."""

    figure: Figure
    bound: float
    upwards: bool = True
    strict: bool = False
    comparisons: int = 1

    def weigh(self, tail: float) -> Finding:
        """Agree where the whole interval is beyond the bound, be against where all of it is not."""
        low, high = self.figure.interval(tail)
        near, far = (low - self.bound, high - self.bound) if self.upwards else (self.bound - high, self.bound - low)
        agrees = near > 0 if self.strict else near >= 0
        against = far <= 0 if self.strict else far < 0
        stand = Stand.FOR if agrees else Stand.AGAINST if against else Stand.OPEN
        return Finding(stand, far if against else near, f"{_told((low, high), self.figure.span)}, bound {self.bound:g}")

    def runs_needed(self, tail: float) -> int | None:
        """Return how many runs behind each figure would be clear, had they the observed means and spread.

        None where more than ``MOST_RUNS`` would not be, or runs are not what is counted.
        """
        figure = self.figure
        if isinstance(figure, Correlation):
            return None

        def clear(runs: int) -> bool:
            return replace(self, figure=figure.with_runs(runs)).weigh(tail).stand is not Stand.OPEN

        needed = bisect_left(range(MOST_RUNS + 1), x=True, lo=TWO, key=clear)
        return needed if needed <= MOST_RUNS else None


@dataclass(frozen=True, slots=True)
class Joint:
    """Several comparisons, of which one decides; all count as made, also those that were tried in vain."""

    parts: Sequence[Evidence]

    @property
    def comparisons(self) -> int:
        """How many comparisons the parts make."""
        return sum(part.comparisons for part in self.parts)


class Every(Joint):
    """All parts are true."""

    def weigh(self, tail: float) -> Finding:
        """Take the part that stands worst."""
        return min((part.weigh(tail) for part in self.parts), key=_standing)


class Some(Joint):
    """At least one part is true."""

    def weigh(self, tail: float) -> Finding:
        """Take the part that stands best."""
        return max((part.weigh(tail) for part in self.parts), key=_standing)


class Unless(Joint):
    """The first part decides, unless one of the others is against."""

    def weigh(self, tail: float) -> Finding:
        """Take the first comparison, or the worst of those that are against."""
        main, *vetoes = (part.weigh(tail) for part in self.parts)
        return min([main, *(found for found in vetoes if found.stand is Stand.AGAINST)], key=_standing)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Evidence with the name and the figures of its setting, for where one of several is shown."""

    evidence: Evidence
    where: str
    figures: str

    @property
    def comparisons(self) -> int:
        """As many as without the label."""
        return self.evidence.comparisons

    def weigh(self, tail: float) -> Finding:
        """Weigh it, and say what it is of."""
        return replace(self.evidence.weigh(tail), shown=(self.where, self.figures))


@dataclass(frozen=True, slots=True)
class Never:
    """Something happens in no run: one exception refutes it, and enough runs without any bear it out."""

    exceptions: bool
    runs: int
    comparisons: int = 1

    def weigh(self, tail: float) -> Finding:
        """Agree where the exact binomial limit of the rate is below one in a hundred."""
        if self.exceptions:
            return Finding(Stand.AGAINST, -inf, "exceptions were seen")
        limit = of_share(0.0, self.runs, tail)[1]
        stand = Stand.FOR if limit <= SELDOM else Stand.OPEN
        return Finding(stand, SELDOM - limit, f"at most {limit:.2%} of runs")


@dataclass(frozen=True, slots=True)
class Ever:
    """Something happens in some run: the opposite of never."""

    never: Never
    comparisons: int = 1

    def weigh(self, tail: float) -> Finding:
        """Agree with the first run that was seen; be against where never would agree."""
        found = self.never.weigh(tail)
        told = "such runs were seen" if self.never.exceptions else found.told
        return replace(found, stand=_OPPOSITE[found.stand], slack=-found.slack, told=told)


_OPPOSITE: Final = {Stand.FOR: Stand.AGAINST, Stand.AGAINST: Stand.FOR, Stand.OPEN: Stand.OPEN}


def _standing(found: Finding) -> tuple[int, float]:
    return (Stand.AGAINST, Stand.OPEN, Stand.FOR).index(found.stand), found.slack


def _told(ends: Interval, possible: Interval) -> str:
    """Write an interval; one that leaves open all that is possible says so."""
    if ends == UNKNOWN:
        return "anything"
    if ends == possible:
        return f"anything from {ends[0]:g} to {ends[1]:g}"
    size = max(map(abs, ends))
    places = 3 if size <= 1 else decimals_of(size)
    return f"{ends[0]:.{places}f} to {ends[1]:.{places}f}"
