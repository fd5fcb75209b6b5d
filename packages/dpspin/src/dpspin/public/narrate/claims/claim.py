"""What a claim is: a frozen value that says one thing, the law by which it holds, and the figures that it must have.

A claim's fields are the slots of its forms, by name. Those that name what it speaks of (a theme, a heading) come
first; the others are figures, which follow from the plan: ``about`` fills them in, and ``problem`` compares them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar, Final, Self

from dpspin.boundary import percentages
from dpspin.public.narrate.facts import Estimate, Facts

THEME_FIELDS: Final = frozenset({"theme", "other", "themes", "items"})  # fields that name themes
LIST_FIELDS: Final = frozenset({"themes", "areas", "items", "area_items"})
PAIR_FIELDS: Final = frozenset({"items", "area_items"})  # lists of a name and its share
SHARE_FIELDS: Final = frozenset({"share", "low", "reach", *PAIR_FIELDS})


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a claim does not hold: the name of the law, and a sentence with the numbers."""

    law: str
    message: str


@dataclass(frozen=True, slots=True)
class Claim(ABC):
    """One thing that is said of a plan."""

    kind: ClassVar[str]
    audit_only: ClassVar[bool] = False  # exact values are for those who check
    speaks_of_shares: ClassVar[bool] = False  # without giving one
    compares_intervals: ClassVar[bool] = False  # which are those of shares: where none is known, they say nothing
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # fields that have few values, in words

    @abstractmethod
    def broken_law(self, facts: Facts) -> Problem | None:
        """Return why this cannot be said of what it speaks of, whatever the figures are."""

    def figures(self, facts: Facts) -> Mapping[str, object]:  # noqa: ARG002  most claims have none
        """Return the true figures, exact or as an estimate; called only where no law is broken."""
        return {}

    def problem(self, facts: Facts) -> Problem | None:
        """Return why this does not hold of the plan; None where it does."""
        return self.broken_law(facts) or self._no_share(facts) or next(self._wrong_figures(facts), None)

    def holds(self, facts: Facts) -> bool:
        """Tell whether it holds."""
        return self.problem(facts) is None

    def filled(self, facts: Facts) -> Self:
        """Return this with its true figures, as a text gives them; what breaks a law is returned as it is."""
        if self.broken_law(facts) is not None:
            return self
        return replace(self, **{name: as_written(true, facts) for name, true in self.figures(facts).items()})

    @property
    def rows(self) -> tuple[int, ...]:
        """The themes that it speaks of."""
        named = (getattr(self, field.name) for field in fields(self) if field.name in THEME_FIELDS)
        return tuple(theme for value in named for theme in names_in(value))

    @property
    def gives_shares(self) -> bool:
        """Whether it says how much: then a reader must be told of what."""
        return self.speaks_of_shares or any(field.name in SHARE_FIELDS for field in fields(self))

    def _no_share(self, facts: Facts) -> Problem | None:
        message = "What shares refer to is too noisy: give none."
        needed = self.gives_shares or self.compares_intervals
        return broken("unsupported-number", message, unless=facts.has_shares or not needed)

    def _wrong_figures(self, facts: Facts) -> Iterator[Problem]:
        for name, true in self.figures(facts).items():
            said = getattr(self, name)
            if not fits(said, true, facts):
                yield Problem(
                    "wrong-number",
                    f"Give {name.replace('_', ' ')} as {shown(as_written(true, facts))}, not {shown(said)}.",
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class WithInterval(Claim):
    """A claim that gives a share with its interval."""

    share: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None


def holding(claims: Iterable[Claim], facts: Facts) -> Iterator[Claim]:
    """Fill in the figures, and leave out what does not hold."""
    return (filled for claim in claims if (filled := claim.filled(facts)).holds(facts))


def broken(law: str, message: str, *, unless: bool) -> Problem | None:
    """Return what is wrong, unless it is right."""
    return None if unless else Problem(law, message)


def names_in(value: Any) -> tuple[Any, ...]:  # noqa: ANN401  the field of a claim
    """Return the themes or areas that a field names: one, a list of them, or of pairs with their shares."""
    return (
        tuple(each[0] if isinstance(each, tuple) else each for each in value) if isinstance(value, tuple) else (value,)
    )


@dataclass(frozen=True, slots=True)
class Share:
    """A share: a text rounds it to the decimals that the noise allows."""

    rounding: ClassVar[str] = ROUND_HALF_EVEN
    share: float

    def rounded(self, decimals: int) -> Decimal:
        """Return it in percent.

        >>> Share(0.06449).rounded(1), High(0.06449).rounded(1)
        (Decimal('6.4'), Decimal('6.5'))
        """
        return percentages.rounded(self.share, decimals, self.rounding)


@dataclass(frozen=True, slots=True)
class Low(Share):
    """The lower end of an interval: a text rounds it down."""

    rounding: ClassVar[str] = ROUND_FLOOR


@dataclass(frozen=True, slots=True)
class High(Share):
    """The upper end of an interval: a text rounds it up."""

    rounding: ClassVar[str] = ROUND_CEILING


def ends(estimate: Estimate) -> dict[str, object]:
    """Return the figures of a value with its interval."""
    return {"share": Share(estimate.share), "low": Low(estimate.low), "high": High(estimate.high)}


def as_written(true: object, facts: Facts) -> Any:  # noqa: ANN401  a figure
    """Return a figure as a text gives it."""
    match true:
        case Share():
            return true.rounded(facts.decimals)
        case tuple():
            return tuple(as_written(each, facts) for each in true)
        case _:
            return true


def fits(said: object, true: object, facts: Facts) -> bool:
    """Tell whether a figure is the true one, with the very decimals that the noise allows."""
    return repr(said) == repr(as_written(true, facts))  # 85.0 equals 85, and says more


def shown(figure: object) -> str:
    """Write a figure for a message."""
    return f"{figure}%" if isinstance(figure, Decimal) else str(figure)
