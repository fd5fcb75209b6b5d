"""Wrong numbers that no released number rounds to."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.lab.datasets.chance import Chance, pick

_FACTORS = (0.55, 0.7, 0.83, 0.94, 1.06, 1.12, 1.3, 1.45, 1.9)
_SHIFTS = range(0, 40, 3)
_APART = 0.55  # one released number, rounded to the unit, is never another one that is further away than this


def released_numbers(plan: SemanticPlan) -> Iterator[float]:
    """Return every mass and percentage that a text may give: values, and the ends of intervals."""
    rows: list[PlanEntry | Uncovered] = [*plan.entries, *([plan.uncovered] if plan.uncovered else [])]
    for row in rows:
        yield from (row.noisy_mass, row.mass, row.low, row.high)
        yield from (100 * share for share in (row.support, row.support_low, row.support_high))
    yield from (100 * support_bin.at_least for support_bin in plan.rules.bins)
    yield 100 * (1 - plan.rules.beta)
    yield from (plan.denominator.value, plan.dictionary.size, plan.rules.size, len(plan.entries))


def is_released(plan: SemanticPlan, number: float) -> bool:
    """Tell whether some released number is this one, or rounds to it."""
    return _is_near(number, list(released_numbers(plan)))


def _is_near(number: float, released: Sequence[float]) -> bool:
    return any(abs(number - each) < _APART for each in released)


def wrong_number(plan: SemanticPlan, right: float, chance: Chance) -> float:
    """Return a number near the right one that was not released."""
    return _wrong(plan, (round(right * factor + shift, 1) for shift in _SHIFTS for factor in _FACTORS), chance)


def wrong_whole(plan: SemanticPlan, right: float, chance: Chance) -> int:
    """Return a whole number near the right one that no released number rounds to, for numbers in words."""
    return round(_wrong(plan, (round(right * factor) + shift for shift in _SHIFTS for factor in _FACTORS), chance))


def _wrong(plan: SemanticPlan, candidates: Iterable[float], chance: Chance) -> float:
    released = list(released_numbers(plan))
    wrong = (number for number in candidates if number > 1 and not _is_near(number, released))
    return pick(list(islice(wrong, len(_FACTORS))), chance)
