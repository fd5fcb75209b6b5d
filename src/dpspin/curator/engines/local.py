"""One process, one pass over the corpus, batch by batch."""

from dataclasses import dataclass

import numpy as np

from dpspin.curator.records.corpus import TEXT, USER, ProtectedCorpus
from dpspin.curator.stage1_assign.contribution import ContributionMap
from dpspin.curator.stage2_release.sketch import Sketch, SketchOrigin
from dpspin.curator.stage2_release.totals import totals_for
from dpspin.errors import BoundViolation


@dataclass(slots=True)
class Diagnostics:
    """Counts for the curator's own eyes: as private as the records, never part of a release."""

    records: int = 0
    without_text: int = 0
    without_atom: int = 0

    def __repr__(self) -> str:
        return "Diagnostics(<private>)"


def aggregate(
    corpus: ProtectedCorpus, contribution_map: ContributionMap, origin: SketchOrigin
) -> tuple[Sketch, Diagnostics]:
    """Map every batch, keep integer totals, finish the sketch."""
    totals, seen = totals_for(origin), Diagnostics()
    for batch in corpus.batches():
        users = batch.column(USER) if USER in batch.schema.names else None
        contributions = contribution_map(batch.column(TEXT))
        if contributions.records != batch.num_rows:  # else one record could count several times
            raise BoundViolation("a map must return one row per record")
        totals.add(contributions, users)
        seen.records += contributions.records
        seen.without_text += batch.column(TEXT).null_count
        seen.without_atom += int((np.diff(contributions.offsets) == 0).sum())
    return totals.finish(), seen
