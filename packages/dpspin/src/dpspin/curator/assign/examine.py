"""An examination for maps that do not calibrate themselves, as the paper's does not."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.report_card import ReportCard
from dpspin.curator.assign.calibrated.card import card_of
from dpspin.curator.assign.calibrated.compose import compose
from dpspin.curator.assign.calibrated.evidence import folds_of
from dpspin.curator.assign.calibrated.examples import Schoolbook
from dpspin.curator.assign.calibrated.labels import LabelledTexts
from dpspin.curator.assign.contribution import ContributionMap, Floats

PARTS = 5


def examine(contribution_map: ContributionMap, universe: AtomUniverse) -> ReportCard | None:
    """Measure a map on records composed of the dictionary's examples, where there are any."""
    book = Schoolbook.of(universe)
    composed = compose(book, range(len(book.texts)))
    if not composed.texts:
        return None
    weights = _whole_weights(contribution_map, composed.texts, universe.size)
    what = f"{len(composed.texts):,} records composed of the dictionary's examples"
    return card_of(universe, weights, composed.shares, what, real_text=False)


def examine_in_parts(
    fit: Callable[[Sequence[str]], ContributionMap], universe: AtomUniverse, labelled: LabelledTexts
) -> ReportCard:
    """Measure a map on labelled auxiliary text, each part of it as a map answers that was fitted on the other parts."""
    fold = folds_of(len(labelled.texts), PARTS)
    weights = np.zeros(labelled.shares.shape)
    for held in range(PARTS):
        learn, test = ([labelled.texts[row] for row in np.flatnonzero(rows)] for rows in (fold != held, fold == held))
        weights[fold == held] = _whole_weights(fit(learn), test, universe.size)
    return card_of(universe, weights, labelled.shares, labelled.description, real_text=True)


def _whole_weights(contribution_map: ContributionMap, texts: Sequence[str], size: int) -> Floats:
    """Return the weights; "none of these" is what no atom got, also for a map that cannot say so."""
    weights = weights_of(contribution_map, texts, size)
    weights[:, -1] = np.maximum(1 - weights[:, :-1].sum(axis=1), 0.0)
    return weights


def weights_of(contribution_map: ContributionMap, texts: Sequence[str], size: int) -> Floats:
    """Return the map's weights over the atoms and "none of these" (zero for a map that cannot answer it)."""
    given = contribution_map(pa.array(texts, pa.large_string()))
    rows = np.zeros((len(texts), size + 1))
    rows[given.rows, given.atoms] = given.ticks / TICKS_PER_MASS
    return rows
