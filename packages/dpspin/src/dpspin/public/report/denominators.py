"""What shares refer to, in words: every part of a report names the denominator in the same way."""

from typing import assert_never

from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber
from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.measured import unit_words, value_words
from dpspin.public.report.numbers import decimals_for, plain, plain_up


def denominator_words(plan: SemanticPlan) -> str:
    """Name the denominator, so that it can follow "of" or "relative to"."""
    match plan.denominator:
        case PublicNumber(value=value):
            return f"a declared total of {value:,}"
        case PaidCount():
            return f"a noisy count of {units_words(plan)}"
        case FreeTotal() as total:
            return f"the total of all masses, about {total_text(total)}"
        case _:
            assert_never(plan.denominator)


def units_words(plan: SemanticPlan) -> str:
    """Say how many units the denominator stands for, if they are what it counts."""
    value, unit = plan.denominator.value, plan.statement.unit
    about = "" if isinstance(plan.denominator, PublicNumber) else "about "
    return f"{about}{value:,} {unit.kind if value == 1 else unit_words(unit)}"


def total_text(total: FreeTotal) -> str:
    """Write a total with the decimals that its noise allows.

    >>> total_text(FreeTotal(value=1234.567, noise_std=9.6, low=1200.0, high=1270.0))
    '1,234.6'
    """
    return f"{total.value:,.{decimals_for(total.noise_std)}f}"


def count_words(plan: SemanticPlan) -> str:
    """Add to the mechanism what was done for a count that was bought; nothing where none was."""
    if not isinstance(plan.denominator, PaidCount):
        return ""
    share = plain(100 * plan.denominator.share)
    return f"; and on the number of {plan.statement.unit.kind}s discrete Laplace noise, which takes {share}% of epsilon"


def denominator_explained(plan: SemanticPlan) -> str:
    """Say where the denominator comes from and how far it is known, in whole sentences."""
    unit, certainty = f"{plan.statement.unit.kind}s", f"{confidence(plan.rules.beta)}%"
    values = value_words(plan.statement.quantity).many
    together = f"This and the intervals of all {values} hold together with at least {certainty} probability."
    if not plan.has_shares:
        measured = f"the number of {unit}" if isinstance(plan.denominator, PaidCount) else "the total of all masses"
        return (
            f"No share is given: {measured}, which shares would refer to, is too noisy. It is at "
            f"most {plain_up(plan.denominator.high)}. {together}"
        )
    match plan.denominator:
        case PublicNumber(value=value):
            return (
                f"The denominator of {value:,} is a public number. It was declared, and not counted from the records."
            )
        case PaidCount() as count:
            return (
                f"The denominator is a noisy count of about {count.value:,} {unit}: the exact number with discrete "
                f"Laplace noise of standard deviation {plain(count.noise_std)}, for epsilon {plain(count.epsilon)} of "
                f"the whole. Before the noise, one {plan.statement.unit.kind} changes it by one. The true number lies "
                f"between {count.low:,} and {count.high:,}. {together}"
            )
        case FreeTotal() as total:
            return (
                f"The denominator is the total mass, about {total_text(total)}: the sum of all released values, at no "
                f"further cost. It is at most the number of records, and not that number. Its noise has a standard "
                f"deviation of {plain(total.noise_std)}, and the true total lies between {total.low:,.1f} and "
                f"{total.high:,.1f}. {together}"
            )
        case _:
            assert_never(plan.denominator)
