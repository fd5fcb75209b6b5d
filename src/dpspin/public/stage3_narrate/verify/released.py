"""The numbers a text may use: released values of the plan and what public post-processing makes of them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.boundary.privacy import GaussianNoise, LaplaceNoise
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.statements import Counted, Scope


def is_value_of(quantity: Quantity, entries: Iterable[PlanEntry | Uncovered]) -> bool:
    """Tell whether a number is the mass or the support of one of the entries."""
    if quantity.kind is Kind.PERCENT:
        return any(quantity.rounds(100 * entry.support) for entry in entries)
    return quantity.kind in {Kind.DIGITS, Kind.WORD} and any(
        quantity.rounds(entry.noisy_mass) or quantity.rounds(entry.mass) or quantity.equals(entry.support)
        for entry in entries
    )


def is_outward_end_of(quantity: Quantity, entries: Iterable[PlanEntry | Uncovered], *, low: bool) -> bool:
    """Tell whether a number is the end of an interval, rounded as usual or outward, as reports print it."""
    ends = [(entry.low, entry.support_low) if low else (entry.high, entry.support_high) for entry in entries]
    match quantity.kind:
        case Kind.PERCENT:
            values = [100 * share for _, share in ends]
        case Kind.DIGITS:
            values = [*(mass for mass, _ in ends), *(share for _, share in ends if quantity.decimals)]
        case _:
            return False
    outward = Quantity.rounds_down if low else Quantity.rounds_up
    return any(outward(quantity, value) or quantity.rounds(value) for value in values)


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


def counts_of(counted: Counted, plan: SemanticPlan) -> set[int]:
    """Return the numbers that a count of themes may have: of its bin, of those that stand clear, or of its scope.

    Where the sentence names the themes it counts, their number fits as well.
    """
    named = {len(counted.listed_here)} if counted.listed_here else set()
    some = named if counted.partial else set()
    if counted.bins is not None:
        return some | {bin_count(counted.bins, plan)}
    if counted.clear is not None:
        return some | {sum(entry.clears_noise == counted.clear for entry in plan.entries)}
    rest = set() if counted.rest is None else {counted.rest}
    return _counts_in_scope(counted, plan, named | rest)


def _counts_in_scope(counted: Counted, plan: SemanticPlan, here: set[int]) -> set[int]:
    listed, size = len(plan.entries), plan.dictionary.size
    some_of_them = set(range(1, listed)) if counted.partial and not counted.listed_here else set()
    return {
        Scope.DICTIONARY: {size} | (here if counted.said_of_them else set()),
        Scope.ASKED: here | {plan.rules.size, listed},
        Scope.BINS: {len(plan.rules.bins), len({entry.bin for entry in plan.entries})},
        Scope.EACH_BIN: _even_bins(plan),
        Scope.UNLISTED: here | {size - listed, listed},
        Scope.LISTED: here | some_of_them | {listed},
    }[counted.scope]


def _even_bins(plan: SemanticPlan) -> set[int]:
    sizes = {bin_count(frozenset({support_bin.name}), plan) for support_bin in plan.rules.bins}
    return sizes if len(sizes) == 1 else set()


def sum_of(entries: Sequence[PlanEntry | Uncovered]) -> Uncovered:
    """Return what several themes have together, in the shape of a released value."""
    total = math.fsum(entry.mass for entry in entries)
    return Uncovered(
        noisy_mass=math.fsum(entry.noisy_mass for entry in entries),
        mass=total,
        support=math.fsum(entry.support for entry in entries),
        low=math.fsum(entry.low for entry in entries),
        high=math.fsum(entry.high for entry in entries),
        support_low=math.fsum(entry.support_low for entry in entries),
        support_high=math.fsum(entry.support_high for entry in entries),
    )


def bin_count(bins: frozenset[str], plan: SemanticPlan) -> int:
    """Count the entries in the named bins."""
    return sum(entry.bin in bins for entry in plan.entries)


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
