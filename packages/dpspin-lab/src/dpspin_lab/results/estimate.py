"""A mean over seeds with its standard error and its interval: what every verdict rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt
from typing import Final, Protocol

from dpspin_lab.results.intervals import Interval, hull, of_correlation, of_mean, of_share
from dpspin_lab.runs.summary import Row

FIGURES: Final = 3
YES_OR_NO: Final = frozenset({"probe_admission", "probe_mention", "loss_inside", "value_error_inside"})
PARTS_OF_L: Final = frozenset({"overlap", "mass_retained", "truth_overlap"})  # of L themes in each run
PARTS: Final = {"head": 3}  # a histogram's head has ten entries, or the three rating bins: at least these


class Figure(Protocol):
    """What can be compared: a middle, an interval, and the fewest runs behind it."""

    @property
    def mean(self) -> float: ...  # noqa: D102  a protocol

    @property
    def runs(self) -> int: ...  # noqa: D102  a protocol

    def interval(self, tail: float) -> Interval: ...  # noqa: D102  a protocol


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error and the number of runs behind it.

    ``trials`` counts the outcomes behind a share: runs where each is yes or no, themes where each run finds some of L.
    One run tells nothing of its spread; where a table has no spread of several runs, the error may be anything.

    >>> print(Estimate(0.9123, 0.0057, 20), Estimate(715.2, 9.8, 20), Estimate(1.0, inf, 1), Estimate(0.5, inf, 20))
    0.912 ± 0.006 715 ± 10 1.00 (one run) 0.500
    >>> print(Estimate(0.15, 0.08, 20, trials=20))
    0.150 (3 of 20)
    """

    mean: float
    error: float
    runs: int
    trials: int | None = None

    def __str__(self) -> str:
        return f"{_rounded(self.mean)}{self._spread()}"

    def _spread(self) -> str:
        if self.runs == 1:
            return " (one run)"
        if self._yes_or_no:
            return f" ({round(self.mean * self.runs):,} of {self.runs:,})"
        return f" ± {self.error:.{places_of(self.mean)}f}" if isfinite(self.error) else ""

    @property
    def _yes_or_no(self) -> bool:
        return self.trials == self.runs

    def interval(self, tail: float) -> Interval:
        """Return the interval of the mean.

        A share of themes has Student's, but none narrower than the exact binomial one: runs without any spread would
        else be taken as exact. Observed shares of themes vary less than binomial ones, so this errs on the safe side.

        >>> [round(end, 3) for end in Estimate(1.0, 0.0, 20, trials=200).interval(0.025)]
        [0.982, 1.0]
        """
        if self.trials is None:
            return of_mean(self.mean, self.error, self.runs, tail)
        exact = of_share(self.mean, self.trials, tail)
        if self._yes_or_no:
            return exact
        low, high = hull(exact, of_mean(self.mean, self.error, self.runs, tail))
        return max(0.0, low), min(1.0, high)


@dataclass(frozen=True, slots=True)
class Combination:
    """A sum of multiples of independent estimates; its interval joins theirs (the MOVER rule of Zou and Donner).

    >>> print(less(Estimate(0.5, 0.03, 20), Estimate(0.25, 0.04, 20)))
    0.250 ± 0.050
    """

    terms: tuple[tuple[float, Estimate], ...]

    def __str__(self) -> str:
        return str(Estimate(self.mean, self.error, self.runs))

    @property
    def mean(self) -> float:
        """The sum of the means."""
        return sum(factor * each.mean for factor, each in self.terms)

    @property
    def error(self) -> float:
        """The standard error, of independent terms."""
        return hypot(*(factor * each.error for factor, each in self.terms))

    @property
    def runs(self) -> int:
        """The fewest behind any term."""
        return min(each.runs for _, each in self.terms)

    def interval(self, tail: float) -> Interval:
        """Return the interval of the sum: each end is as far as the ends of the terms are, in squares."""
        reaches = [_reaches(factor, each, tail) for factor, each in self.terms]
        return self.mean - hypot(*(down for down, _ in reaches)), self.mean + hypot(*(up for _, up in reaches))


@dataclass(frozen=True, slots=True)
class Correlation:
    """How closely two columns go together over the settings of a table."""

    mean: float
    settings: int
    runs: int

    def __str__(self) -> str:
        return f"correlation {self.mean:.2f} over {self.settings} settings"

    def interval(self, tail: float) -> Interval:
        """Return the interval, as if the settings were independent draws."""
        return of_correlation(self.mean, self.settings, tail)


def times(figure: Estimate | Combination, factor: float) -> Combination:
    """Return a multiple of a figure."""
    return Combination(tuple((factor * each, term) for each, term in _terms(figure)))


def less(high: Estimate | Combination, low: Estimate | Combination) -> Combination:
    """Return a difference. Runs of the same seed share records, and hardly more: see the decision on the rules."""
    return Combination((*_terms(high), *times(low, -1.0).terms))


def mean_of(figures: Sequence[Estimate | Combination]) -> Combination:
    """Return the mean of figures, each with the same weight."""
    return Combination(tuple(term for figure in figures for term in times(figure, 1 / len(figures)).terms))


def measured(row: Row | None, column: str, *, runs: str = "runs") -> Estimate | None:
    """Return a column of a summary's row; None where nothing was measured.

    >>> measured({"j_tok": 0.5, "j_tok_sd": 0.2, "runs": 4}, "j_tok")
    Estimate(mean=0.5, error=0.1, runs=4, trials=None)
    >>> measured({"overlap": 0.5, "overlap_sd": 0.2, "runs": 4, "L": 10}, "overlap")
    Estimate(mean=0.5, error=0.1, runs=4, trials=40)
    """
    if row is None or row.get(column) is None:
        return None
    count, deviation = int(row[runs]), row.get(f"{column}_sd")
    error = inf if deviation is None else deviation / sqrt(count)
    return Estimate(float(row[column]), error, count, _trials(row, column, count))


def pooled(rows: Sequence[Row], column: str, *, runs: str = "runs") -> Estimate:
    """Return the part of all runs of several rows that said yes; each run has noise of its own.

    >>> print(pooled([{"loss_inside": 1.0, "runs": 20}, {"loss_inside": 0.8, "runs": 20}], "loss_inside"))
    0.900 (36 of 40)
    """
    count = sum(int(row[runs]) for row in rows)
    rate = sum(row[runs] * row[column] for row in rows) / count
    return Estimate(rate, sqrt(max(0.0, rate * (1 - rate)) / count), count, count)


def _trials(row: Mapping[str, object], column: str, runs: int) -> int | None:
    if column in YES_OR_NO:
        return runs
    length = row.get("L") if column in PARTS_OF_L else PARTS.get(column)
    return runs * int(length) if isinstance(length, int | float) else None


def _terms(figure: Estimate | Combination) -> tuple[tuple[float, Estimate], ...]:
    return figure.terms if isinstance(figure, Combination) else ((1.0, figure),)


def _reaches(factor: float, each: Estimate, tail: float) -> tuple[float, float]:
    """Return how far a term reaches down and up."""
    low, high = each.interval(tail)
    down, up = each.mean - low, high - each.mean
    return (factor * down, factor * up) if factor >= 0 else (-factor * up, -factor * down)


def places_of(mean: float) -> int:
    """Return how many decimals show three digits."""
    whole = len(str(int(abs(mean))))
    return max(0, FIGURES - whole) if abs(mean) >= 1 else FIGURES


def _rounded(mean: float) -> str:
    return f"{mean:.{places_of(mean)}f}"
