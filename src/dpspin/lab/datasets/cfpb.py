"""CFPB complaints (a public-domain work of the US government): each carries its label from the Bureau's taxonomy."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.errors import SourceError

LEVELS = ("Product", "Issue", "Sub-issue")
NARRATIVE, RECEIVED = "Consumer complaint narrative", "Date received"


@dataclass(frozen=True)
class Complaints:
    """Narratives with their taxonomy path and the day they were received."""

    texts: tuple[str, ...] = field(repr=False)
    paths: tuple[str, ...] = field(repr=False)
    days: tuple[str, ...] = field(repr=False)

    def part(self, rows: Sequence[int]) -> "Complaints":
        """Return some of the complaints."""
        return Complaints(*(tuple(column[row] for row in rows) for column in (self.texts, self.paths, self.days)))

    def halves(self, seed: int) -> tuple["Complaints", "Complaints"]:
        """Split at random into an auxiliary and a target half."""
        order = np.random.default_rng(seed).permutation(len(self.texts)).tolist()
        return self.part(order[: len(order) // 2]), self.part(order[len(order) // 2 :])

    def before_and_after(self, day: str) -> tuple["Complaints", "Complaints"]:
        """Split by time: the older ones are auxiliary."""
        older = [row for row, received in enumerate(self.days) if received < day]
        newer = [row for row, received in enumerate(self.days) if received >= day]
        return self.part(older), self.part(newer)


def read_complaints(folder: Path) -> Complaints:
    """Read ``cfpb/complaints.parquet`` with the columns of the Bureau's export."""
    file = folder / "cfpb" / "complaints.parquet"
    if not file.is_file():
        raise SourceError(
            f"{file} is missing; export complaints with narratives from the CFPB Consumer Complaint Database, "
            "save them as Parquet with the export's own column names, and put the file there"
        )
    try:
        rows = pq.read_table(file, columns=[*LEVELS, NARRATIVE, RECEIVED]).to_pylist()
    except pa.ArrowInvalid:
        raise SourceError(f"{file} lacks a column of the Bureau's export; keep its own column names") from None
    return Complaints(
        tuple(row[NARRATIVE] for row in rows),
        tuple(" / ".join(row[level] for level in LEVELS if row[level]) for row in rows),
        tuple(str(row[RECEIVED]) for row in rows),
    )


def taxonomy_atoms(auxiliary: Complaints, size: int) -> AtomUniverse:
    """Return the ``size`` most frequent taxonomy paths of the auxiliary complaints; of equal ones the first by name."""
    support = Counter(auxiliary.paths)
    best = sorted(support, key=lambda path: (-support[path], path))[:size]
    return AtomUniverse(
        name=f"cfpb-{size}",
        version="1",
        provenance=Provenance(source="taxonomy", note="paths of the CFPB taxonomy by auxiliary support"),
        atoms=tuple(Atom(id=AtomId(place), label=path) for place, path in enumerate(best)),
    )
