"""What a plan holds, field by field. Whether the fields follow from each other is checked by the plan itself."""

import re
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field, StringConstraints, field_validator

from dpspin.boundary.accounting import AccountStatement
from dpspin.boundary.atoms import AtomId
from dpspin.boundary.baseline import Baseline, BestGuess
from dpspin.boundary.certify import OneLine, ReadingRules
from dpspin.boundary.denominator import Denominator
from dpspin.boundary.grounded_shares import GroundedPart
from dpspin.boundary.model_base import FrozenModel, GrownModel
from dpspin.boundary.report_card import QuantifiedShare
from dpspin.boundary.series import SeriesPlace
from dpspin.boundary.statement import PrivacyStatement
from dpspin.boundary.view_sizes import SizedView
from dpspin.boundary.views import NoisyView

# Python reads numbers of at most 4,300 digits: an id cannot be longer, and no longer one is looked at.
MARKER: Final = r"\[atom:(?P<marker>0|[1-9][0-9]{0,4299})\]"  # as it is written
ANY_MARKER: Final = re.compile(r"\[atom:\s*(?P<marker>\d{1,4300})\]")  # and as others may write it


def marker_of(atom: int) -> str:
    """Return the reference to a theme.

    >>> marker_of(17), ANY_MARKER.sub("", "long wait [atom: 17]")
    ('[atom:17]', 'long wait ')
    """
    return f"[atom:{atom}]"


SCHEMA: Final = "3"
GROUNDED_SCHEMA: Final = "4"  # of plans for which a sample was read; all others are as they were
VIEWED_SCHEMA: Final = "5"  # of plans with views
NEWEST_SCHEMA: Final = "6"  # of plans of a series, whose views have declared sizes, or with views by the text itself
READABLE: Final = (
    "2",
    SCHEMA,
    GROUNDED_SCHEMA,
    VIEWED_SCHEMA,
    NEWEST_SCHEMA,
)  # a plan of schema 2 says nothing of languages, and is written again so


LONGEST = 200  # characters: a line, not a text
Declared = Annotated[str, StringConstraints(max_length=LONGEST, pattern=r"^[^\x00-\x1f\x7f]*$")]


class About(FrozenModel):
    """Period, source and owner of the records, and the date of the release, all as declared and never checked.

    None of it may be taken from the records: a plan publishes it as it stands.
    """

    period: Declared = ""
    source: Declared = ""
    owner: Declared = ""
    date: Declared = ""

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """What was declared, each with its name.

        >>> About(period="March 2026", owner="Care team").lines
        (('Period', 'March 2026'), ('Owner', 'Care team'))
        """
        named = {"Period": self.period, "Source": self.source, "Owner": self.owner, "Released": self.date}
        return tuple((name, words) for name, words in named.items() if words.strip())


NOTHING_DECLARED = About()


class DictionaryRef(FrozenModel):
    """Which dictionary was measured."""

    name: OneLine
    version: OneLine
    digest: str
    size: int = Field(ge=1)


class PlanEntry(FrozenModel):
    """One admitted atom: its public words, its noisy mass, and what follows from it.

    ``low`` and ``high`` are the ends of the mass, ``support_low`` and ``support_high`` those of the support: where the
    denominator is noisy too, its interval is in them.
    """

    atom_id: Annotated[AtomId, Field(ge=0)]
    label: OneLine
    description: str = ""
    parent: OneLine | None = None
    noisy_mass: float
    mass: float = Field(ge=0)
    support: float = Field(ge=0)
    bin: str
    rank: int = Field(ge=1)
    low: float = Field(ge=0)
    high: float = Field(ge=0)
    support_low: float = Field(ge=0)
    support_high: float = Field(ge=0)
    clears_noise: bool

    @property
    def marker(self) -> str:
        """The canonical reference to this entry.

        >>> PlanEntry.model_construct(atom_id=17).marker
        '[atom:17]'
        """
        return marker_of(self.atom_id)


class Uncovered(FrozenModel):
    """What readable records gave to "none of these": how much the dictionary does not cover.

    ``support`` is a mass over the denominator, like an entry's. It is not a share of records or people.
    """

    noisy_mass: float
    mass: float = Field(ge=0)
    support: float = Field(ge=0)
    low: float = Field(ge=0)
    high: float = Field(ge=0)
    support_low: float = Field(ge=0)
    support_high: float = Field(ge=0)

    @property
    def marker(self) -> str:
        """The canonical reference to this value.

        >>> Uncovered.model_construct().marker
        '[none]'
        """
        return "[none]"


class NotRead(Uncovered):
    """What records in languages that the map does not read gave to a coordinate of their own.

    Nothing is known of what they say: no theme was looked for in them.
    """

    @property
    def marker(self) -> str:
        """The canonical reference to this value.

        >>> NotRead.model_construct().marker
        '[not read]'
        """
        return "[not read]"


class NoisyMass(FrozenModel):
    """The noisy mass of one atom of the dictionary, admitted or not."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    noisy_mass: float


class PlanFields(GrownModel):
    """Admitted atoms with noisy masses, and the statement under which they were released."""

    later: ClassVar = {"not_read", "about", "grounded", "views", "sizes", "series"}
    schema_version: Literal["2", "3", "4", "5", "6"] = SCHEMA
    title: str = ""
    about: About = NOTHING_DECLARED
    software: str
    dictionary: DictionaryRef
    denominator: Denominator
    statement: PrivacyStatement
    rules: ReadingRules
    not_read: NotRead | None = None
    uncovered: Uncovered | None = None
    entries: tuple[PlanEntry, ...]
    noisy_sketch: tuple[NoisyMass, ...] | None
    quantified: tuple[QuantifiedShare, ...] = ()  # beside the masses, never instead of them
    account: AccountStatement | None = None  # who paid; None for simulations, which nobody pays for
    baseline: Baseline | None = None  # public shares, which the release is read beside
    denoised: tuple[BestGuess, ...] = ()  # the best guess from masses and baseline; never certified
    grounded: GroundedPart | None = None  # what a read sample says; there exactly where the statement says that one was
    views: tuple[NoisyView, ...] = ()  # one for each view of the statement
    sizes: tuple[SizedView, ...] = ()  # declared for views: what their shares are then of
    series: SeriesPlace | None = None  # there exactly where the statement is about the life of a series

    @field_validator("schema_version", mode="before")
    @classmethod
    def _is_of_this_schema(cls, version: object) -> object:
        if version not in READABLE:
            raise ValueError(
                f"another version of dpspin wrote it; this one reads schemas {', '.join(READABLE)}: release again"
            )
        return version

    @property
    def is_private(self) -> bool:
        """Tell a release from a simulation."""
        return self.statement.randomness == "os-csprng"

    @property
    def released_masses(self) -> list[float]:
        """Every noisy mass of a full sketch, "none of these" and "not read" last where measured; else nothing."""
        beside = [value.noisy_mass for value in (self.uncovered, self.not_read) if value is not None]
        return [] if self.noisy_sketch is None else [item.noisy_mass for item in self.noisy_sketch] + beside
