"""What a claim says in one setting, whether the figures there agree with it, and what follows from all settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import inf
from typing import Final

from dpspin.lab.results.estimate import Estimate

ERRORS: Final = 4.0  # standard errors beyond which a difference counts: few, as claims have hundreds of settings
LEANING: Final = 0.05  # of all settings may lean the other way within the margin of error, or the claim is not clear
HALF: Final = 0.5  # of all settings must agree, or too little is clear


class Stand(StrEnum):
    """How a setting's figures stand to a claim."""

    FOR = "agrees"
    OPEN = "open"
    AGAINST = "against"


class Verdict(StrEnum):
    """What the tables say about a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNTESTED = "cannot be tested here"


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting: the data set and unit, the rest of the setting, the figures, and by how much they agree."""

    part: str
    where: str
    figures: str
    runs: int  # the fewest behind any of the figures
    slack: float  # how far from turning against the claim, in the measure's own units
    stand: Stand


def decided(cells: Sequence[Cell], needed: float = 1.0) -> Verdict:
    """Decide: of the settings that are not open the part ``needed`` must agree, and of all settings half.

    >>> yes, no, open_ = (Cell("cfpb", "", "", 20, 0.0, stand) for stand in (Stand.FOR, Stand.AGAINST, Stand.OPEN))
    >>> [decided(cells).value for cells in ([yes, open_], [yes, no], [yes, open_, open_])]
    ['holds', 'does not hold', 'cannot be tested here']
    >>> decided([yes, no], needed=0.5).value, decided([]).value
    ('holds', 'cannot be tested here')
    """
    clear = [cell for cell in cells if cell.stand is not Stand.OPEN]
    agreeing = sum(cell.stand is Stand.FOR for cell in clear)
    if agreeing < needed * len(clear):
        return Verdict.FAILS
    leaning = sum(cell.stand is Stand.OPEN and cell.slack < 0 for cell in cells)
    unclear = agreeing < HALF * len(cells) or leaning > LEANING * len(cells)
    return Verdict.UNTESTED if unclear or not agreeing else Verdict.HOLDS


def at_least(part: str, where: str, found: Estimate, bound: float) -> Cell:
    """Claim that a figure reaches a bound; below it by less than the margin of error is open."""
    slack = found.mean - bound
    stand = _stand(agrees=slack >= 0, against=slack < -ERRORS * found.error)
    return Cell(part, where, str(found), found.runs, slack, stand)


def at_most(part: str, where: str, found: Estimate, bound: float) -> Cell:
    """Claim that a figure does not go beyond a bound."""
    slack = bound - found.mean
    stand = _stand(agrees=slack >= 0, against=slack < -ERRORS * found.error)
    return Cell(part, where, str(found), found.runs, slack, stand)


def above(part: str, where: str, high: Estimate, low: Estimate) -> Cell:
    """Claim that one figure is larger than another; a difference within the margin of error is open.

    >>> above("cfpb", "", Estimate(0.9, 0.01, 20), Estimate(0.5, 0.01, 20)).stand.value
    'agrees'
    """
    slack, margin = _difference(high, low)
    stand = _stand(agrees=slack > margin, against=slack < -margin)
    return Cell(part, where, f"{high} against {low}", min(high.runs, low.runs), slack, stand)


def not_below(part: str, where: str, high: Estimate, low: Estimate) -> Cell:
    """Claim that one figure is not smaller than another: equal ones agree, and only a clear difference is against."""
    slack, margin = _difference(high, low)
    stand = _stand(agrees=slack >= 0, against=slack < -margin)
    return Cell(part, where, f"{high} against {low}", min(high.runs, low.runs), slack, stand)


def rising(part: str, where: str, series: Sequence[Estimate]) -> Cell:
    """Claim that figures rise: the last is clearly above the first, and no step goes down clearly."""
    return _trend(part, where, series, 1.0)


def falling(part: str, where: str, series: Sequence[Estimate]) -> Cell:
    """Claim that figures fall: the last is clearly below the first, and no step goes up clearly."""
    return _trend(part, where, series, -1.0)


def steady(part: str, where: str, series: Sequence[Estimate]) -> Cell:
    """Claim that figures are the same: no two of them differ by more than the margin of error."""
    low, high = min(series, key=lambda each: each.mean), max(series, key=lambda each: each.mean)
    difference, margin = _difference(high, low)
    stand = _stand(agrees=difference <= margin < inf, against=difference > margin)
    return Cell(part, where, f"{low} to {high}", min(low.runs, high.runs), margin - difference, stand)


def _trend(part: str, where: str, series: Sequence[Estimate], sign: float) -> Cell:
    turned = [each.times(sign) for each in series]
    gain, margin = _difference(turned[-1], turned[0])
    steps = [_difference(later, earlier) for earlier, later in pairwise(turned)]
    back = any(step < -allowed for step, allowed in steps)
    slack = min([gain, *(step + allowed for step, allowed in steps)])
    figures = f"{series[0]} to {series[-1]}" + (", with a step back" if back else "")
    stand = _stand(agrees=gain > margin and not back, against=back or gain < -margin)
    return Cell(part, where, figures, min(each.runs for each in series), slack, stand)


def _difference(high: Estimate, low: Estimate) -> tuple[float, float]:
    found = high.less(low)
    return found.mean, ERRORS * found.error


def _stand(*, agrees: bool, against: bool) -> Stand:
    return Stand.FOR if agrees else Stand.AGAINST if against else Stand.OPEN
