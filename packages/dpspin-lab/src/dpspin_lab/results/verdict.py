"""What a claim says in one setting, and what follows from all settings together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final

from dpspin_lab.results.estimate import Combination, Correlation, Estimate, less, mean_of, times
from dpspin_lab.results.evidence import Beyond, Ever, Every, Evidence, Labelled, Never, Some, Stand, Unless

CONFIDENCE: Final = 0.99  # that all intervals of a claim hold together

Measured = Estimate | Combination
Trend = Callable[[str, str, Sequence[Measured]], "Cell"]


class Verdict(StrEnum):
    """What the tables say about a claim."""

    HOLDS = "holds"
    PARTLY = "holds in part, open in the rest"
    FAILS = "does not hold"
    UNDECIDED = "undecided: no setting is clear"
    UNTESTED = "cannot be tested here"


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting before it is weighed: the data set and unit, the rest of the setting, its figures, its evidence."""

    part: str
    where: str
    figures: str
    runs: int  # the fewest behind any of the figures
    evidence: Evidence = field(repr=False)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting after it was weighed."""

    part: str
    where: str
    figures: str
    runs: int
    stand: Stand
    slack: float
    told: str


def weighed(cells: Sequence[Cell], confidence: float = CONFIDENCE) -> tuple[Setting, ...]:
    """Weigh all settings of a claim: its intervals hold together, whatever they have in common (Bonferroni)."""
    tail = _tail(cells, confidence)
    return tuple(_weighed(cell, tail) for cell in cells)


def runs_needed(cells: Sequence[Cell], confidence: float = CONFIDENCE) -> tuple[int | None, ...]:
    """Return how many runs of each row would make single comparisons clear, at the observed means and spread."""
    tail = _tail(cells, confidence)
    return tuple(cell.evidence.runs_needed(tail) for cell in cells if isinstance(cell.evidence, Beyond))


def _tail(cells: Sequence[Cell], confidence: float) -> float:
    return (1 - confidence) / 2 / max(1, sum(cell.evidence.comparisons for cell in cells))


def decided(stands: Sequence[Stand], needed: float = 1.0) -> Verdict:
    """Decide: of the settings that are not open the part ``needed`` must agree.

    >>> yes, no, open_ = Stand.FOR, Stand.AGAINST, Stand.OPEN
    >>> [decided(stands).value for stands in ([yes, yes], [yes, open_], [yes, no], [open_])]
    ['holds', 'holds in part, open in the rest', 'does not hold', 'undecided: no setting is clear']
    >>> decided([yes, no], needed=0.5).value, decided([]).value
    ('holds', 'cannot be tested here')
    """
    agreeing, clear = stands.count(Stand.FOR), len(stands) - stands.count(Stand.OPEN)
    if agreeing < needed * clear:
        return Verdict.FAILS
    if not agreeing:
        return Verdict.UNDECIDED if stands else Verdict.UNTESTED
    return Verdict.HOLDS if clear == len(stands) else Verdict.PARTLY


def at_least(part: str, where: str, found: Measured | Correlation, bound: float) -> Cell:
    """Claim that a figure reaches a bound."""
    return Cell(part, where, str(found), found.runs, Beyond(found, bound))


def at_most(part: str, where: str, found: Measured, bound: float) -> Cell:
    """Claim that a figure does not go beyond a bound."""
    return Cell(part, where, str(found), found.runs, Beyond(found, bound, upwards=False))


def above(part: str, where: str, high: Measured, low: Measured) -> Cell:
    """Claim that one figure is larger than another."""
    return _pair(part, where, (high, low), _larger(high, low))


def compared(part: str, where: str, high: Measured | None, low: Measured | None) -> Iterator[Cell]:
    """Claim so where both were measured."""
    if high is not None and low is not None:
        yield above(part, where, high, low)


def above_on_average(part: str, where: str, pairs: Sequence[tuple[Measured, Measured]]) -> Cell:
    """Claim that figures are larger than others on average; a single pair that is clearly smaller is against it."""
    main = Beyond(_average(pairs), 0.0, strict=True)
    return _averaged(part, where, pairs, Unless((main, *_single(pairs, 0.0))))


def at_least_on_average(part: str, where: str, over: Sequence[Measured], bound: float) -> Cell:
    """Claim that figures reach a bound on average; a single one that is clearly below is against it."""
    mean, single = mean_of(over), [Beyond(each, bound) for each in over]
    return Cell(part, where, str(mean), mean.runs, Unless((Beyond(mean, bound), *(single if len(over) > 1 else ()))))


def not_below_on_average(part: str, where: str, pairs: Sequence[tuple[Measured, Measured]], margin: float) -> Cell:
    """Claim that on average nothing is lost that matters; a single pair that clearly loses the margin is against it."""
    return _averaged(part, where, pairs, Unless((Beyond(_average(pairs), -margin), *_single(pairs, -margin))))


def rising(part: str, where: str, series: Sequence[Measured]) -> Cell:
    """Claim that figures rise: the last is above the first, and no step goes clearly down."""
    steps = [Beyond(less(later, earlier), 0.0) for earlier, later in pairwise(series)]
    return _trend(part, where, series, Unless((_larger(series[-1], series[0]), *(steps if len(steps) > 1 else ()))))


def falling(part: str, where: str, series: Sequence[Measured]) -> Cell:
    """Claim that figures fall: the last is below the first, and no step goes clearly up."""
    turned = rising(part, where, [times(each, -1.0) for each in series])
    return _trend(part, where, series, turned.evidence)


def followed(trend: Trend, part: str, where: str, over: Sequence[tuple[float, Measured]]) -> Iterator[Cell]:
    """Claim a trend over the values of another column, where there are several of them."""
    if len(over) > 1:
        yield trend(part, where, [figure for _, figure in over])


def within(part: str, where: str, one: Measured, other: Measured, margin: float) -> Cell:
    """Claim that two figures are the same up to a part of the first."""
    lower = Beyond(less(other, times(one, 1 - margin)), 0.0)
    upper = Beyond(less(times(one, 1 + margin), other), 0.0)
    return Cell(part, where, f"{one} to {other}", min(one.runs, other.runs), Every((lower, upper)))


def some(part: str, cells: Sequence[Cell]) -> Cell:
    """Claim that at least one of several settings agrees; the one that stands best is shown."""
    named = [Labelled(cell.evidence, f"best of {len(cells)}: {cell.where}", cell.figures) for cell in cells]
    return Cell(part, "", "", min(cell.runs for cell in cells), Some(named))


def both(one: Cell, other: Cell) -> Cell:
    """Claim two things of the same setting."""
    figures = f"{one.figures}; {other.figures}"
    return Cell(one.part, one.where, figures, min(one.runs, other.runs), Every((one.evidence, other.evidence)))


def never(part: str, where: str, runs: int, *, exceptions: bool) -> Cell:
    """Claim that something happens in no run."""
    figures = f"{'some' if exceptions else 'none'} in {runs:,} runs"
    return Cell(part, where, figures, runs, Never(exceptions, runs))


def ever(part: str, where: str, runs: int, *, seen: int) -> Cell:
    """Claim that something happens in some run."""
    return Cell(part, where, f"{seen:,} of {runs:,} runs", runs, Ever(Never(exceptions=seen > 0, runs=runs)))


def _larger(high: Measured, low: Measured) -> Beyond:
    return Beyond(less(high, low), 0.0, strict=True)


def _average(pairs: Sequence[tuple[Measured, Measured]]) -> Combination:
    return mean_of([less(high, low) for high, low in pairs])


def _single(pairs: Sequence[tuple[Measured, Measured]], bound: float) -> list[Beyond]:
    return [Beyond(less(high, low), bound) for high, low in pairs] if len(pairs) > 1 else []


def _pair(part: str, where: str, figures: tuple[Measured, Measured], evidence: Evidence) -> Cell:
    high, low = figures
    return Cell(part, where, f"{high} against {low}", min(high.runs, low.runs), evidence)


def _averaged(part: str, where: str, pairs: Sequence[tuple[Measured, Measured]], evidence: Evidence) -> Cell:
    highs, lows = (mean_of(side) for side in zip(*pairs, strict=True))
    return _pair(part, where, (highs, lows), evidence)


def _trend(part: str, where: str, series: Sequence[Measured], evidence: Evidence) -> Cell:
    figures = f"{series[0]} to {series[-1]}"
    return Cell(part, where, figures, min(each.runs for each in series), evidence)


def _weighed(cell: Cell, tail: float) -> Setting:
    found = cell.evidence.weigh(tail)
    where, figures = found.shown or (cell.where, cell.figures)
    return Setting(cell.part, where, figures, cell.runs, found.stand, found.slack, found.told)
