"""An examination for maps that learned nothing from the test: the paper's map and language models."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.card import ReportCard
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.stage1_assign.calibrated.card import card_of
from dpspin.curator.stage1_assign.calibrated.compose import compose
from dpspin.curator.stage1_assign.calibrated.examples import Schoolbook
from dpspin.curator.stage1_assign.calibrated.labels import LabelledTexts
from dpspin.curator.stage1_assign.contribution import ContributionMap, Floats


def examine(
    contribution_map: ContributionMap, universe: AtomUniverse, labelled: LabelledTexts | None
) -> ReportCard | None:
    """Measure a map on labelled auxiliary text or, without any, on records composed of the dictionary's examples."""
    if labelled is not None:
        texts, truth, what = labelled.texts, labelled.shares, labelled.description
    else:
        book = Schoolbook.of(universe)
        composed = compose(book, range(len(book.texts)))
        texts, truth = composed.texts, composed.shares
        what = f"{len(texts):,} records composed of the dictionary's examples"
    if not texts:
        return None
    weights = weights_of(contribution_map, texts, universe.size)
    weights[:, -1] = np.maximum(1 - weights[:, :-1].sum(axis=1), 0.0)  # what no atom got, for a map that cannot say so
    return card_of(universe, weights, truth, what, real_text=labelled is not None)


def weights_of(contribution_map: ContributionMap, texts: Sequence[str], size: int) -> Floats:
    """Return the map's weights over the atoms and "none of these" (zero for a map that cannot answer it)."""
    given = contribution_map(pa.array(texts, pa.large_string()))
    rows = np.zeros((len(texts), size + 1))
    rows[given.rows, given.atoms] = given.ticks / TICKS_PER_MASS
    return rows
