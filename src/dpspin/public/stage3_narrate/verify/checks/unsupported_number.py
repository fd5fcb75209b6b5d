"""``unsupported-number``: a number is a released value of its theme, a count of themes, or a parameter."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.public.stage3_narrate.verify.bindings import fits
from dpspin.public.stage3_narrate.verify.check import measured
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.released import (
    counts_of,
    is_outward_end_of,
    is_public_constant,
    is_value_of,
    sum_of,
)
from dpspin.public.stage3_narrate.verify.statements import Constant, Counted, Statement, Unexplained, Value
from dpspin.public.stage3_narrate.verify.text import Read, Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-number"

_CALLED_A_MASS = re.compile(r"\bmass(?:es)?(?:\s+(?:of|is|was|are|at|about|roughly|around))*[\s:]+$", re.IGNORECASE)
_CALLED_A_BASELINE = re.compile(
    r"\bbaseline(?:\s+(?:share|value|level))?(?:\s+(?:of|is|was|at|about))*[\s:(]+$", re.IGNORECASE
)
_END = re.compile(r"\b(?:intervals?|bounds?|ends?|at\s+least|at\s+most|up\s+to|between|lower|upper)\b", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report numbers that the plan does not support."""
    for read in text.reads:
        for statement in read.statements:
            if not _is_supported(statement, read, plan):
                written = text.raw[slice(*statement.span)]
                yield Violation(rule=RULE, message=_advice(written, read, plan), span=statement.span)


def _is_supported(statement: Statement, read: Read, plan: SemanticPlan) -> bool:
    match statement:
        case Constant(number=number, values=values):
            return fits(number, values)
        case Counted():
            return statement.number.value in counts_of(statement, plan)
        case Value():
            return _is_released(statement, read, plan)
        case Unexplained(kind="number"):
            return not read.about and _is_public(statement, read, plan)
        case Unexplained(kind="count"):
            return False
        case _:
            return True


def _is_public(statement: Unexplained, read: Read, plan: SemanticPlan) -> bool:
    start = statement.span[0] - read.passage.start
    numbers = [item.number for item in read.items if item.number and item.start == start]
    return all(is_public_constant(number, plan) for number in numbers if number.kind is not Kind.VAGUE) and not any(
        number.kind is Kind.VAGUE for number in numbers
    )


def _is_released(value: Value, read: Read, plan: SemanticPlan) -> bool:
    entries: list[PlanEntry | Uncovered] = list(measured(value.atoms, plan))
    if value.together:
        entries = [sum_of(entries or plan.entries)]
    low, high = _as_written(value.number, value), _as_written(value.other, value) if value.other else None
    if not entries or low is None:
        return False
    if high is not None:
        return all(_is_interval(low, high, entry) for entry in entries)
    if _CALLED_A_BASELINE.search(read.passage.masked, 0, low.start):
        return all(low.rounds(100 * share) for share in _baseline_shares(value, plan)) and plan.baseline is not None
    if _CALLED_A_MASS.search(read.passage.masked, 0, low.start):
        return all(low.rounds(entry.noisy_mass) or low.rounds(entry.mass) for entry in entries)
    ends = _END.search(read.passage.masked) is not None
    return all(is_value_of(low, [entry]) or (ends and _is_end(low, entry)) for entry in entries)


def _baseline_shares(value: Value, plan: SemanticPlan) -> list[float]:
    shares = plan.baseline.shares if plan.baseline else ()
    return [each.share for each in shares if each.atom_id in value.atoms]


def _is_end(number: Quantity, entry: PlanEntry | Uncovered) -> bool:
    return is_outward_end_of(number, [entry], low=True) or is_outward_end_of(number, [entry], low=False)


def _is_interval(low: Quantity, high: Quantity, entry: PlanEntry | Uncovered) -> bool:
    return is_outward_end_of(low, [entry], low=True) and is_outward_end_of(high, [entry], low=False)


def _as_written(number: Quantity | None, value: Value) -> Quantity | None:
    """Read a bare number under a heading of percentages, or beside an upper end with the sign, as a percentage."""
    if number is None or number.kind is Kind.PERCENT:
        return number
    percent = value.percent or (value.other is not None and value.other.kind is Kind.PERCENT)
    return number.as_percent() if percent else number


def _advice(written: str, read: Read, plan: SemanticPlan) -> str:
    known = measured(read.about, plan)[:3]
    released = [f"{each.noisy_mass:.1f} for {getattr(each, 'label', 'none of these')!r}" for each in known]
    examples = f" ({', '.join(released)})" if released else ""
    return f"The number {written!r} is not a released value here: write a released value{examples}, or remove it."
