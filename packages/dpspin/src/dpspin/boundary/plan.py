"""The differentially private semantic plan: the only thing that crosses from the curator to the public side."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, assert_never

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    field_validator,
    model_serializer,
    model_validator,
)

from dpspin.boundary.about import NOTHING_DECLARED, About
from dpspin.boundary.account import AccountStatement
from dpspin.boundary.atoms import AtomId
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.best_guess import BestGuess
from dpspin.boundary.card import QuantifiedShare
from dpspin.boundary.certify import Certificates, CertifiedMargins, FixedMargin, Margin
from dpspin.boundary.denominator import Denominator
from dpspin.boundary.frames import pandas_frame, polars_frame
from dpspin.boundary.markers import marker_of
from dpspin.boundary.model_base import Sealed, explained_as
from dpspin.boundary.plan_files import read_plan_text, save_plan
from dpspin.boundary.plan_views import html_table, short_form
from dpspin.boundary.plot import plot
from dpspin.boundary.statement import PrivacyStatement
from dpspin.errors import PlanError, RequestError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes


SCHEMA: Final = "3"
READABLE: Final = ("2", SCHEMA)  # a plan of schema 2 says nothing of languages, and is written again as it was

# What no label of a dictionary may hold: a line break in a plan's words could pass for a line of ours.
OneLine = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]


class SupportBin(Sealed):
    """A public name for a range of support: from ``at_least`` up to the next bin."""

    name: OneLine
    at_least: float = Field(ge=0)


def three_bins(high: float, moderate: float) -> tuple[SupportBin, ...]:
    """Return the bins high, moderate and low from the two upper floors."""
    return (
        SupportBin(name="high", at_least=high),
        SupportBin(name="moderate", at_least=moderate),
        SupportBin(name="low", at_least=0.0),
    )


def even_share_bins(atoms: int, bound: float) -> tuple[SupportBin, ...]:
    """Return the default bins: high from twice the even share of the dictionary, moderate from the even share.

    Public by construction: if every unit spread its whole bound evenly, each of the m atoms would have bound/m.

    >>> [(support_bin.name, support_bin.at_least) for support_bin in even_share_bins(50, bound=1.0)]
    [('high', 0.04), ('moderate', 0.02), ('low', 0.0)]
    """
    even = bound / atoms
    return three_bins(float(f"{2 * even:.2g}"), float(f"{even:.2g}"))


Admission = Literal["threshold", "fixed"]


class ReadingRules(Sealed):
    """The public policy under which a plan is read: it does not depend on the records, and is stated in the plan.

    The certificates hold for rules that were chosen without looking at the noisy numbers.

    ``threshold`` admits at most ``size`` atoms and only those that stand clear of the noise; ``fixed`` is the
    paper's rule and admits exactly ``size`` atoms whatever their mass. ``margin`` decides how far apart two masses must
    be before one is called larger; the certificates are there under either policy.
    """

    size: int = Field(ge=1)
    admission: Admission
    beta: float = Field(gt=0, lt=0.5)
    bins: tuple[SupportBin, ...] = Field(min_length=1)
    margin: Margin = CertifiedMargins()
    certificates: Certificates

    @model_validator(mode="after")
    def _bins_descend_to_zero(self) -> Self:
        floors = [support_bin.at_least for support_bin in self.bins]
        if floors != sorted(floors, reverse=True) or len(set(floors)) != len(floors) or floors[-1] != 0:
            raise ValueError("support bins must be listed from high to low and end at 0")
        if len({support_bin.name for support_bin in self.bins}) != len(floors):
            raise ValueError("support bins must have different names")
        return self

    @property
    def comparison_margin(self) -> float:
        """How far apart two listed masses must be before one is called larger."""
        match self.margin:
            case CertifiedMargins():
                return self.certificates.comparison_margin
            case FixedMargin():
                return self.margin.mass
            case _:
                assert_never(self.margin)

    @property
    def superlative_margin(self) -> float:
        """How far the first must lead before it is called the highest; in the paper, rank one is enough."""
        match self.margin:
            case CertifiedMargins():
                return self.certificates.superlative_margin
            case FixedMargin():
                return 0.0
            case _:
                assert_never(self.margin)


class DictionaryRef(Sealed):
    """Which dictionary was measured."""

    name: OneLine
    version: OneLine
    digest: str
    size: int = Field(ge=1)


class PlanEntry(Sealed):
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


class Uncovered(Sealed):
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


class NoisyMass(Sealed):
    """The noisy mass of one atom of the dictionary, admitted or not."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    noisy_mass: float


class SemanticPlan(Sealed):
    """Admitted atoms with noisy masses, and the statement under which they were released.

    ``uncovered`` is there exactly when the map answers "none of these", ``not_read`` exactly when it states its
    languages. Nothing else about the run is in here: no counts, no durations, no digest of the data. The constructor
    checks that every derived field follows from the noisy masses and the rules.
    """

    schema_version: Literal["2", "3"] = SCHEMA
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

    @field_validator("schema_version", mode="before")
    @classmethod
    def _is_of_this_schema(cls, version: object) -> object:
        if version not in READABLE:
            raise ValueError(
                f"another version of dpspin wrote it; this one reads schemas 2 and {SCHEMA}: release again"
            )
        return version

    @model_serializer(mode="wrap")
    def _without_nothing(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what was not measured or declared, so that a plan of schema 2 keeps its text."""
        nothing = {"not_read": self.not_read is None, "about": self.about == NOTHING_DECLARED}
        return {name: value for name, value in dump(self).items() if not nothing.get(name)}

    @model_validator(mode="after")
    def _follows_from_its_masses(self) -> Self:
        from dpspin.boundary.postprocess import contradictions  # noqa: PLC0415  it reads the types above

        try:
            for contradiction in contradictions(self):
                raise ValueError(contradiction)
        except ArithmeticError:
            raise ValueError("its parameters lie beyond what can be calculated") from None
        return self

    @property
    def is_private(self) -> bool:
        """Tell a release from a simulation."""
        return self.statement.randomness == "os-csprng"

    def entry(self, atom_id: int) -> PlanEntry | None:
        """Return the admitted entry of an atom, or None."""
        return next((entry for entry in self.entries if entry.atom_id == atom_id), None)

    def to_json(self) -> str:
        """Return the plan file's text; equal plans give equal text."""
        return self.model_dump_json(indent=2) + "\n"

    def save(self, path: str | Path) -> Path:
        """Write the plan to a file, or as ``plan.json`` into a folder, whole or not at all; return where it is."""
        return save_plan(self, path)

    @classmethod
    def load(cls, path: str | Path) -> "SemanticPlan":
        """Read a plan file, or the one in the folder of a release."""
        return cls.from_json(read_plan_text(path))

    def top(self, n: int = 10) -> tuple[PlanEntry, ...]:
        """Return the n largest of the listed themes, by rank."""
        if n < 0:
            raise RequestError("n is how many themes are wanted: zero or more")
        return self.entries[:n]

    def to_frame(self) -> "pd.DataFrame":
        """Return the entries as a pandas data frame, one row per admitted atom."""
        return pandas_frame(self)

    def to_polars(self) -> "pl.DataFrame":
        """Return the entries as a polars data frame, one row per admitted atom."""
        return polars_frame(self)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the listed themes as bars with their intervals, on these axes or on new ones; return the axes."""
        return plot(self, ax)

    def __repr_args__(self) -> Iterable[tuple[str, object]]:
        return short_form(self)

    def _repr_html_(self) -> str:
        """Show shares, intervals and bars as a table in a notebook."""
        return html_table(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "SemanticPlan":
        """Read a plan file, or say in plain words why it is none."""
        with explained_as(PlanError, "this plan (a plan.json as `dpspin schema plan` describes it)"):
            return cls.model_validate_json(text)


def same(a: float, b: float) -> bool:
    """Compare two derived numbers: equal up to the rounding of the last float digits."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
