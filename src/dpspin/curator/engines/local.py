"""One process, one pass over the corpus, batch by batch."""

from dpspin.curator.records.corpus import TEXT, USER, ProtectedCorpus
from dpspin.curator.stage1_assign.contribution import ContributionMap
from dpspin.curator.stage2_release.sketch import Sketch, SketchOrigin
from dpspin.curator.stage2_release.totals import totals_for


def aggregate(corpus: ProtectedCorpus, contribution_map: ContributionMap, origin: SketchOrigin) -> Sketch:
    """Map every batch, keep integer totals, finish the sketch."""
    totals = totals_for(origin)
    for batch in corpus.batches():
        users = batch.column(USER) if USER in batch.schema.names else None
        totals.add(contribution_map(batch.column(TEXT)), users)
    return totals.finish()
