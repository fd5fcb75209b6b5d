"""The report card of a contribution map: how well it measures, on labelled text that is not protected.

A card is computed before any protected record is read, from auxiliary labels or from the dictionary's own examples. It
is public, travels inside the plan, and depends on no protected record. Labelled text may be somebody's: of real text
the card states round figures, and none of an atom that only a few texts express.
"""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.model_base import FrozenModel, GrownModel

Share = Annotated[float, Field(ge=0, le=1)]


class AtomCard(FrozenModel):
    """How well one atom is measured; None where there are no held-out texts of it, or too few to be spoken of."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    expressed: Annotated[float, Field(ge=0)] | None  # true mass of the atom in the held-out texts
    precision: Share | None  # of the mass assigned to it, the part on texts that express it
    recall: Share | None  # of the texts that express it, the part that gave it mass

    def range_of(self, share: float) -> tuple[float, float] | None:
        """Return what errors as on the test text would make of a share: about, and not certified; None where unknown.

        The low end is what was rightly filed. The high end adds what was missed, or is the share as it was released,
        if that is more.
        """
        if self.precision is None or not self.recall:
            return None
        right = share * self.precision
        return right, max(share, min(1.0, right / self.recall))


class Reliability(FrozenModel):
    """Assignments of about the same weight, and how many of them were right."""

    claimed: Share
    observed: Share
    assignments: int = Field(ge=1)


class ShareCorrection(FrozenModel):
    """What makes of the mapped share of a class an estimate of the true one: slope · share + offset."""

    slope: Annotated[float, Field(ge=0, le=2)]
    offset: Annotated[float, Field(ge=-1, le=1)]
    error: Share  # the standard deviation of the offset: other texts might have been labelled


class RivalShares(FrozenModel):
    """How far two guesses at the shares of one fifth of the texts are from the truth: total variation, mean of five.

    ``labels`` are the shares of the other four fifths: a guess that reads no text at all. ``with_map`` adds to them
    what the map sees change. ``passed_on`` is the part of a theme's rise that the map shows, None where no theme has
    enough texts.
    """

    labels: Share
    with_map: Share
    passed_on: Annotated[float, Field(ge=0)] | None


class ReportCard(GrownModel):
    """Measured on held-out texts: what share of the mapping is true, in total and for each atom.

    Where labels and dictionary teach a map together, it states how shares are corrected, and what labels alone would
    tell. Other cards, and those of earlier versions, have a confusion: ``confusion[i]`` is the mean contribution of
    texts whose truth is class i, one column per atom in dictionary order, then "none of these"; rows are in the same
    order, and a class of too few texts keeps to itself.
    """

    later: ClassVar = {"corrections", "rivals"}
    measured_on: str = Field(min_length=1)
    real_text: bool  # labelled auxiliary text, and not records composed of the dictionary's examples
    texts: int = Field(ge=1)
    precision: Share
    recall: Share
    total_variation: Share
    covered_in_truth: Share
    covered_by_map: Share
    atoms: tuple[AtomCard, ...] = Field(min_length=1)
    reliability: tuple[Reliability, ...]
    shares_in_truth: tuple[Share, ...]  # atoms in dictionary order, then "none of these": the prior of quantification
    confusion: tuple[tuple[Share, ...], ...]
    corrections: tuple[ShareCorrection, ...] = ()  # one for each atom, then "none of these"
    rivals: RivalShares | None = None

    @model_validator(mode="after")
    def _one_row_and_column_per_class(self) -> Self:
        classes = len(self.atoms) + 1
        if (self.confusion and len(self.confusion) != classes) or any(len(row) != classes for row in self.confusion):
            raise ValueError("a confusion has one row and one column for each atom and for none of these")
        if self.corrections and len(self.corrections) != classes:
            raise ValueError("a card states one correction for each atom and for none of these, or no correction")
        if len(self.shares_in_truth) != classes:
            raise ValueError("a card states the true share of each atom and of none of these")
        return self


class QuantifiedShare(FrozenModel):
    """The estimated true share of one atom among all measured mass, with an approximate interval.

    It follows from the released masses and the card's corrections (``dpspin.boundary.corrected_shares``), in plans of
    earlier versions from its confusion (``dpspin.boundary.estimates``).
    """

    atom_id: Annotated[AtomId, Field(ge=0)]
    share: Share
    low: Share
    high: Share
