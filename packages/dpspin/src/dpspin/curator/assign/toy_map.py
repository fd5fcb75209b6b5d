"""A toy: a record belongs evenly to the atoms whose labels stand in it, word for word."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Self

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.array_file import Arrays
from dpspin.curator.assign.contribution import Contributions, top_k
from dpspin.curator.assign.map_makers import ours


@ours
@dataclass(frozen=True)
class ToyMap:
    """Score one for each label that occurs, in small letters."""

    labels: tuple[str, ...] = field(repr=False)
    atoms_per_record: int | None
    universe_digest: str
    card: ReportCard | None = field(default=None, repr=False)

    @classmethod
    def of(cls, universe: AtomUniverse, atoms_per_record: int | None) -> Self:
        """Take the labels of a dictionary; there is nothing to fit."""
        return cls(tuple(atom.label.lower() for atom in universe.atoms), atoms_per_record, universe.digest)

    @cached_property
    def statement(self) -> MapStatement:
        """Name, digest and report card."""
        card = self.card.model_dump(mode="json") if self.card else None
        return MapStatement(
            name="toy",
            fitted_on="the themes' own words",
            atoms_per_record=self.atoms_per_record,
            digest=digest_of(["toy", self.labels, self.atoms_per_record, self.universe_digest, card]),
            card=self.card,
        )

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts; a null text contributes nothing."""
        found = [[int(label in (text or "").lower()) for label in self.labels] for text in texts.to_pylist()]
        scores = np.array(found, np.int64).reshape(len(found), len(self.labels))
        return top_k(csr_array(scores), self.atoms_per_record)


class StoredToyMap(FrozenModel):
    """The toy in a file: words only."""

    format: Literal["dpspin-toy-map/1"] = "dpspin-toy-map/1"
    statement: MapStatement
    universe_digest: str
    labels: tuple[str, ...]

    @classmethod
    def pack(cls, fitted: ToyMap) -> tuple[Self, Arrays]:
        """There are no numbers."""
        return cls(statement=fitted.statement, universe_digest=fitted.universe_digest, labels=fitted.labels), {}

    def unpack(self, arrays: Arrays) -> ToyMap:
        """Return the map."""
        del arrays
        return ToyMap(self.labels, self.statement.atoms_per_record, self.universe_digest, self.statement.card)
