"""A mean over seeds with its standard error and its interval: what every verdict rests on.

Intervals are Student's for means, exact binomial ones for shares, Fisher's for correlations; none goes beyond what a
figure can be. ``tail`` is the chance that each end is allowed to be wrong; it is tiny, as all intervals of a claim hold
together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atanh, hypot, inf, isfinite, sqrt, tanh
from typing import ClassVar, Final

from scipy.stats import beta, norm, t

from dpspin_lab.judge.answers import NAMES
from dpspin_lab.markdown import decimals_of
from dpspin_lab.runs.summary import Row

Interval = tuple[float, float]
UNKNOWN: Interval = (-inf, inf)
A_PART: Interval = (0.0, 1.0)
TWO, FOUR = 2, 4  # runs with a spread; points with a spread of their correlation
TEN: Final = 10  # runs: fewer that happen to be alike are not taken as exact
YES_OR_NO: Final = frozenset({"probe_admission", "probe_mention", "loss_inside", "value_error_inside"})
PARTS_OF_L: Final = frozenset({"overlap", "mass_retained", "truth_overlap"})  # of L themes in each run
LIKENESSES: Final = ("j_tok", "j_2", "j_kp", "cos_tfidf")  # of two texts; a cosine of counts is not negative
DISTANCES: Final = ("truth_tv", "truth_tv_mapping", "labels_tv")  # total variations
ADDED: Final = ("truth_tv_clipping", "truth_tv_noise")  # to a total variation; a step may also take from it
_POSSIBLE: Final[Mapping[str, Interval]] = {
    **dict.fromkeys((*YES_OR_NO, *PARTS_OF_L, *LIKENESSES, *DISTANCES), A_PART),
    **dict.fromkeys(ADDED, (-1.0, 1.0)),
    **dict.fromkeys(NAMES, (1.0, 5.0)),  # a judge's scores
}
PARTS: Final = {"head": 3}  # a histogram's head has ten entries, or the three rating bins: at least these


def of_mean(mean: float, error: float, runs: int, tail: float) -> Interval:
    """Return Student's interval; a single run tells nothing of its spread, nor do a few that are alike.

    >>> [round(end, 3) for end in of_mean(0.9, 0.01, 20, 0.025)], of_mean(0.9, 0.0, 2, 0.025)
    ([0.879, 0.921], (-inf, inf))
    """
    if runs < (TWO if error else TEN) or not isfinite(error):
        return UNKNOWN
    reach = float(t.isf(tail, runs - 1)) * error
    return mean - reach, mean + reach


def of_share(share: float, trials: int, tail: float) -> Interval:
    """Return the exact binomial interval (Clopper and Pearson), also at 0 and at 1.

    >>> [round(end, 3) for end in of_share(1.0, 20, 0.025)], [round(end, 3) for end in of_share(0.5, 20, 0.025)]
    ([0.832, 1.0], [0.272, 0.728])
    """
    yes = round(share * trials, 9)
    no = trials - yes
    low = float(beta.ppf(tail, yes, no + 1)) if yes > 0 else 0.0
    high = float(beta.isf(tail, yes + 1, no)) if no > 0 else 1.0
    return low, high


def of_correlation(correlation: float, points: int, tail: float) -> Interval:
    """Return Fisher's interval, as if the points were independent draws.

    >>> [round(end, 2) for end in of_correlation(0.8, 50, 0.025)]
    [0.67, 0.88]
    """
    if points < FOUR:
        return UNKNOWN
    if abs(correlation) >= 1:
        return correlation, correlation
    middle, reach = atanh(correlation), float(norm.isf(tail)) / sqrt(points - 3)
    return tanh(middle - reach), tanh(middle + reach)


def within(found: Interval, possible: Interval) -> Interval:
    """Cut an interval off at what is possible, which costs no confidence.

    >>> within((-191.0, 192.0), (-1.0, 1.0)), within((0.2, 0.4), (0.0, 1.0))
    ((-1.0, 1.0), (0.2, 0.4))
    """
    (low, high), (least, most) = found, possible
    return min(max(low, least), most), min(max(high, least), most)


def hull(one: Interval, other: Interval) -> Interval:
    """Return the smallest interval around two."""
    return min(one[0], other[0]), max(one[1], other[1])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, its standard error and the number of runs behind it.

    ``trials`` counts the outcomes behind a share: runs where each is yes or no, themes where each run finds some of L.
    ``span`` is what the figure can be at all. One run tells nothing of its spread; where a table has no spread of
    several runs, the error may be anything.

    >>> print(Estimate(0.9123, 0.0057, 20), Estimate(715.2, 9.8, 20), Estimate(1.0, inf, 1), Estimate(0.5, inf, 20))
    0.912 ± 0.006 715 ± 10 1.00 (one run) 0.500
    >>> print(Estimate(0.15, 0.08, 20, trials=20))
    0.150 (3 of 20)
    """

    mean: float
    error: float
    runs: int
    trials: int | None = None
    span: Interval = field(default=UNKNOWN, repr=False)

    def __str__(self) -> str:
        return f"{_rounded(self.mean)}{self._spread()}"

    def _spread(self) -> str:
        if self.runs == 1:
            return " (one run)"
        if self._yes_or_no:
            return f" ({round(self.mean * self.runs):,} of {self.runs:,})"
        return f" ± {self.error:.{decimals_of(self.mean)}f}" if isfinite(self.error) else ""

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
        return within(self.unbounded(tail), self.span)

    def unbounded(self, tail: float) -> Interval:
        """Return it before it is cut off: what intervals of sums are joined from."""
        if self.trials is None:
            return of_mean(self.mean, self.error, self.runs, tail)
        exact = of_share(self.mean, self.trials, tail)
        if self._yes_or_no:
            return exact
        low, high = hull(exact, of_mean(self.mean, self.error, self.runs, tail))
        return within((low, high), A_PART)

    def with_runs(self, runs: int) -> "Estimate":
        """Return what so many runs would tell, had they the same mean and spread.

        >>> print(Estimate(0.5, 0.2, 2).with_runs(8))
        0.500 ± 0.100
        """
        trials = None if self.trials is None else self.trials * runs // self.runs
        return replace(self, error=self.error * sqrt(self.runs / runs), runs=runs, trials=trials)


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
        """Return the interval of the sum: each end is as far as the ends of the terms are, in squares.

        It is cut off last: squares of reaches that were cut off before would promise too much.
        """
        reaches = [_reaches(factor, each, tail) for factor, each in self.terms]
        down, up = (hypot(*side) for side in zip(*reaches, strict=True))
        return within((self.mean - down, self.mean + up), self.span)

    @property
    def span(self) -> Interval:
        """What the sum can be at all."""
        ends = [sorted(factor * end for end in each.span) for factor, each in self.terms]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    def with_runs(self, runs: int) -> "Combination":
        """Return what so many runs behind each term would tell, had they the same means and spread."""
        return Combination(tuple((factor, each.with_runs(runs)) for factor, each in self.terms))


@dataclass(frozen=True, slots=True)
class Correlation:
    """How closely two columns go together over the settings of a table."""

    mean: float
    settings: int
    runs: int
    span: ClassVar[Interval] = (-1.0, 1.0)

    def __str__(self) -> str:
        return f"correlation {self.mean:.2f} over {self.settings} settings"

    def interval(self, tail: float) -> Interval:
        """Return the interval, as if the settings were independent draws."""
        return of_correlation(self.mean, self.settings, tail)


Figure = Estimate | Combination | Correlation  # what can be compared: a middle, an interval, the fewest runs behind it


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
    span = _POSSIBLE.get(column, UNKNOWN)
    return Estimate(float(row[column]), error, count, _trials(row, column, count), span)


def pooled(rows: Sequence[Row], column: str, *, runs: str = "runs") -> Estimate:
    """Return the part of all runs of several rows that said yes; each run has noise of its own.

    >>> print(pooled([{"loss_inside": 1.0, "runs": 20}, {"loss_inside": 0.8, "runs": 20}], "loss_inside"))
    0.900 (36 of 40)
    """
    count = sum(int(row[runs]) for row in rows)
    rate = sum(row[runs] * row[column] for row in rows) / count
    return Estimate(rate, sqrt(max(0.0, rate * (1 - rate)) / count), count, count, A_PART)


def _trials(row: Mapping[str, object], column: str, runs: int) -> int | None:
    if column in YES_OR_NO:
        return runs
    length = row.get("L") if column in PARTS_OF_L else PARTS.get(column)
    return runs * int(length) if isinstance(length, int | float) else None


def _terms(figure: Estimate | Combination) -> tuple[tuple[float, Estimate], ...]:
    return figure.terms if isinstance(figure, Combination) else ((1.0, figure),)


def _reaches(factor: float, each: Estimate, tail: float) -> tuple[float, float]:
    """Return how far a term reaches down and up."""
    low, high = each.unbounded(tail)
    down, up = each.mean - low, high - each.mean
    return (factor * down, factor * up) if factor >= 0 else (-factor * up, -factor * down)


def _rounded(mean: float) -> str:
    return f"{mean:.{decimals_of(mean)}f}"
