"""The numbers a text may use: released values of the plan and what public post-processing makes of them."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.boundary.privacy import GaussianNoise, LaplaceNoise
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity


def is_value_of(quantity: Quantity, entries: Iterable[PlanEntry | Uncovered]) -> bool:
    """Tell whether a number is a mass, a support or an interval end of one of the entries."""
    if quantity.kind is Kind.PERCENT:
        return any(quantity.rounds(100 * share) for entry in entries for share in _shares(entry))
    return quantity.kind is Kind.DIGITS and any(
        any(quantity.rounds(mass) for mass in _masses(entry)) or any(quantity.equals(share) for share in _shares(entry))
        for entry in entries
    )


def is_outward_end_of(quantity: Quantity, entries: Iterable[PlanEntry | Uncovered], *, low: bool) -> bool:
    """Tell whether a number is the end of an interval, rounded so that the written interval holds the released one."""
    ends = [(entry.low, entry.support_low) if low else (entry.high, entry.support_high) for entry in entries]
    match quantity.kind:
        case Kind.PERCENT:
            values = [100 * share for _, share in ends]
        case Kind.DIGITS:
            values = [*(mass for mass, _ in ends), *(share for _, share in ends if quantity.decimals)]
        case _:
            return False
    return any(quantity.rounds_down(value) if low else quantity.rounds_up(value) for value in values)


def is_rank_of(quantity: Quantity, entries: Iterable[PlanEntry]) -> bool:
    """Tell whether a number is the released rank of one of the entries."""
    whole = quantity.kind is not Kind.PERCENT and quantity.kind is not Kind.VAGUE
    return whole and any(quantity.equals(entry.rank) for entry in entries)


def is_public_constant(quantity: Quantity, plan: SemanticPlan) -> bool:
    """Tell whether a number is a parameter of the release or a count of plan entries."""
    match quantity.kind:
        case Kind.PERCENT:
            return any(quantity.rounds(100 * share) for share in _public_shares(plan))
        case Kind.DIGITS:
            return any(quantity.equals(value) for value in (*_counts(plan), *_parameters(plan), *_public_shares(plan)))
        case Kind.WORD:
            return any(quantity.equals(value) for value in (0, *_counts(plan)))
        case Kind.ORDINAL | Kind.VAGUE:
            return False
        case _:
            assert_never(quantity.kind)


def bin_count(bins: frozenset[str], plan: SemanticPlan) -> int:
    """Count the entries in the named bins."""
    return sum(entry.bin in bins for entry in plan.entries)


def _masses(entry: PlanEntry | Uncovered) -> tuple[float, ...]:
    return entry.noisy_mass, entry.mass, entry.low, entry.high


def _shares(entry: PlanEntry | Uncovered) -> tuple[float, ...]:
    return entry.support, entry.support_low, entry.support_high


def denominator_values(plan: SemanticPlan) -> tuple[float, ...]:
    """Return the denominator, also as a total may be rounded: "about 1,234.6"."""
    value = plan.denominator.value
    return value, round(value, 1), round(value)


def _counts(plan: SemanticPlan) -> Iterator[float]:
    yield from (len(plan.entries), plan.rules.size, plan.dictionary.size, *denominator_values(plan))
    yield from (plan.denominator.low, plan.denominator.high)
    yield plan.dictionary.size - len(plan.entries)
    clear = sum(entry.clears_noise for entry in plan.entries)
    yield from (clear, len(plan.entries) - clear)
    yield from (bin_count(frozenset({support_bin.name}), plan) for support_bin in plan.rules.bins)


def _parameters(plan: SemanticPlan) -> Iterator[float]:
    statement, rules, known = plan.statement, plan.rules, plan.rules.certificates
    yield from (statement.loss.epsilon, statement.loss.delta, statement.unit.bound, *_scales(statement.noise))
    yield from (known.admission_threshold, rules.comparison_margin, rules.superlative_margin)
    yield from (known.interval_below, known.interval_above)
    yield from [statement.contribution_map.atoms_per_record or 0]


def _scales(noise: LaplaceNoise | GaussianNoise) -> tuple[float, ...]:
    match noise:
        case LaplaceNoise():
            return noise.scale, noise.std
        case GaussianNoise():
            return (noise.sigma,)
        case _:
            assert_never(noise)


def _public_shares(plan: SemanticPlan) -> Iterator[float]:
    yield from (plan.rules.beta, 1 - plan.rules.beta)
    yield from (support_bin.at_least for support_bin in plan.rules.bins)
