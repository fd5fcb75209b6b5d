"""What a comparison of two plans holds, field by field; `boundary.comparison` says how it follows from them."""

from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import Field

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.certify import OneLine
from dpspin.boundary.denominator import Denominator
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.percentages import outward
from dpspin.boundary.plan_fields import About, DictionaryRef
from dpspin.boundary.privacy import PrivacyLoss, Randomness

Direction = Literal["up", "down", "not_apart"]
Told = Literal["filed", "read"]
WhyFiled = Literal["none_read", "one_read", "readers_differ"]
FINER: Final = 1  # one more decimal for an end next to zero, so that it is not written as zero


class Interval(FrozenModel):
    """Between which ends a difference lies: B less A."""

    low: float
    high: float


class Change(Interval):
    """A share in both plans, and the ends of the difference; ``values`` are those of masses or counts.

    It is told apart where its ends, as they can be written, leave out zero. Values are there where both totals are
    public.
    """

    share_a: float = Field(ge=0)
    share_b: float = Field(ge=0)
    direction: Direction
    chance: float = Field(ge=0)  # how far apart the shares would be at most by chance in who wrote, about
    values: Interval | None = None

    @property
    def beyond_chance(self) -> bool:
        """Whether it is told apart, and differs by more than chance would explain."""
        return self.direction != "not_apart" and self.certain > self.chance

    @property
    def certain(self) -> float:
        """By how much the share differs at least, up or down; not above zero where it is not told apart."""
        return max(self.low, -self.high)

    @property
    def most(self) -> float:
        """By how much it differs at most."""
        return max(-self.low, self.high)


class ThemeChange(Change):
    """The change of one theme."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    label: OneLine


def ends_of(change: Change, decimals: int) -> tuple[Decimal, Decimal]:
    """Return the ends of a difference in points, rounded outward; where it is told apart, no end is zero."""
    tried = [outward(change.low, change.high, decimals + more) for more in range(FINER + 1)]
    return next((ends for ends in tried if ends[0] > 0 or ends[1] < 0), tried[0])


class ComparedPlan(FrozenModel):
    """One of the two plans: which one, and what its shares refer to."""

    digest: str
    title: str
    about: About
    denominator: Denominator
    mechanism: str
    loss: PrivacyLoss
    randomness: Randomness


class Comparison(FrozenModel):
    """The changes from plan A to plan B, in the order of the dictionary; all of them hold together.

    ``not_compared`` are themes that not both plans released.
    """

    schema_version: Literal["1"] = "1"
    software: str
    a: ComparedPlan
    b: ComparedPlan
    dictionary: DictionaryRef
    told: Told
    why_filed: WhyFiled | None
    beta: float
    decimals: int
    themes: tuple[ThemeChange, ...]
    none: Change | None
    not_read: Change | None
    not_compared: tuple[AtomId, ...]

    @property
    def moved(self) -> tuple[ThemeChange, ...]:
        """The themes that are told apart: those beyond chance first, and of these the surest change."""
        apart = (each for each in self.themes if each.direction != "not_apart")
        return tuple(sorted(apart, key=lambda each: (not each.beyond_chance, -each.certain)))

    def ends(self, change: Change) -> tuple[Decimal, Decimal]:
        """Return the ends of a difference in points, rounded outward; where it is told apart, no end is zero."""
        return ends_of(change, self.decimals)

    def to_json(self) -> str:
        """Return the comparison's text; equal comparisons give equal text."""
        return self.model_dump_json(indent=2) + "\n"
