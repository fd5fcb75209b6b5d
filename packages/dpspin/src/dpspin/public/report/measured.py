"""What was measured, and in whom, in words."""

from typing import NamedTuple, assert_never

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
from dpspin.public.report.numbers import plain


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
