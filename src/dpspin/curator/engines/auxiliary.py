"""The public baseline from auxiliary text: its shares under the very map that measures the records."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, baseline_of
from dpspin.boundary.privacy import Adjacency, RecordUnit
from dpspin.curator.engines.local import aggregate
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.stage1_assign.contribution import ContributionMap
from dpspin.curator.stage2_release.sketch import SketchOrigin
from dpspin.errors import RequestError

SOURCE = "the auxiliary text, mapped like the records; its shares are exact, since auxiliary text is not protected"


def auxiliary_baseline(corpus: ProtectedCorpus, contribution_map: ContributionMap, universe: AtomUniverse) -> Baseline:
    """Map auxiliary text and publish its shares without noise: it holds no protected record, which is checked."""
    origin = SketchOrigin.of(universe, contribution_map.statement, RecordUnit(), Adjacency.ADD_DROP)
    sketch, _ = aggregate(corpus, contribution_map, origin)
    ticks = [float(ticks) for ticks in sketch.ticks]
    if not any(ticks):
        raise RequestError("the auxiliary text expresses no theme of the dictionary, so it gives no baseline")
    none = ticks[universe.size] if origin.contribution_map.answers_none else None
    return baseline_of(universe, dict(zip(universe.ids, ticks, strict=False)), none, source=SOURCE)
