"""What was measured, in whom, by which mechanism, and what shares refer to, in words: the same in every text."""

from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber
from dpspin.boundary.mechanisms.base import ReleaseMechanism
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.percentages import confidence
from dpspin.boundary.privacy import (
    AnyQuantity,
    AnySampling,
    Everyone,
    Mass,
    MissingUsers,
    PoissonSample,
    Prevalence,
    RecordUnit,
    UserUnit,
)
from dpspin.public.wording.numbers import decimals_for, detection_limit, plain, plain_up, spoken

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan


def quantity_words(quantity: AnyQuantity, unit: RecordUnit | UserUnit) -> str:
    """Say what is measured."""
    match quantity:
        case Mass():
            return "mass: how much of the text is about a theme; a record's masses add up to one at most"
        case Prevalence():
            return (
                f"prevalence: in how many {unit.kind}s a theme is mentioned; a {unit.kind} counts once for a theme, "
                f"and for at most {quantity.most_atoms} themes. A record mentions a theme that has "
                f"{plain(100 * quantity.noticed)}% or more of its mass"
            )
        case _:
            assert_never(quantity)


def unit_words(unit: RecordUnit | UserUnit) -> str:
    """Name the units, so that a record without a user is nowhere called one."""
    alone = isinstance(unit, UserUnit) and unit.missing is MissingUsers.OWN_UNIT
    return "users and records without a user id" if alone else f"{unit.kind}s"


class ValueWords(NamedTuple):
    """What the released numbers are called: one of them, and several."""

    one: str
    many: str


def value_words(quantity: AnyQuantity) -> ValueWords:
    """Name the released numbers, so that a count of units is nowhere called a mass.

    >>> value_words(Mass()).many, value_words(Prevalence()).many
    ('masses', 'counts')
    """
    return ValueWords("mass", "masses") if isinstance(quantity, Mass) else ValueWords("count", "counts")


def sampling_words(sampling: AnySampling, unit: RecordUnit | UserUnit) -> str:
    """Say who was measured."""
    match sampling:
        case Everyone():
            return f"all {unit.kind}s"
        case PoissonSample():
            return (
                f"a random sample: each {unit.kind} was drawn with probability {plain(sampling.rate)}, by a coin that "
                "nobody keeps, so it stays secret who was. Values are scaled up to the whole collection. What is "
                "certified is certified of the sample: how far the sample itself strays from the collection comes on "
                "top"
            )
        case _:
            assert_never(sampling)


def denominator_words(plan: "SemanticPlan") -> str:
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


def units_words(plan: "SemanticPlan") -> str:
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


def count_words(plan: "SemanticPlan") -> str:
    """Add to the mechanism what was done for a count that was bought; nothing where none was."""
    if not isinstance(plan.denominator, PaidCount):
        return ""
    share = plain(100 * plan.denominator.share)
    return f"; and on the number of {plan.statement.unit.kind}s discrete Laplace noise, which takes {share}% of epsilon"


def denominator_explained(plan: "SemanticPlan") -> str:
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


def limit_words(plan: "SemanticPlan") -> str:
    """Write it as a share, or as it was measured where nothing is known of what shares refer to."""
    if plan.has_shares:
        return spoken(detection_limit(plan), 2)
    return f"a {value_words(plan.statement.quantity).one} of {plain(plan.rules.certificates.admission_threshold)}"


class Amount(FrozenModel):
    """A quantity of mass, and the same in percentage points of the denominator; null where that is unknown."""

    mass: float
    points: float | None


BESIDES: Final = ("", " and on “none of these”", ", on “none of these” and on “not read”")


def mechanism_words(mechanism: ReleaseMechanism, size: int, besides: int = 0) -> str:
    """Say what was done to the exact sums; ``besides`` counts the values that are no themes."""
    return mechanism.words(size, BESIDES[besides])


def protected_words(unit: RecordUnit | UserUnit) -> str:
    """Name what is protected."""
    match unit:
        case RecordUnit():
            return "any one record; a person who wrote several records is not fully covered"
        case UserUnit():
            return "any one user, with all of their records"
        case _:
            assert_never(unit)
