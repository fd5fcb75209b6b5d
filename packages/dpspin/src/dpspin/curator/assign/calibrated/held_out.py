"""A taught map as it would meet the texts that taught it, had they been new to it."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.calibrated.mapping import CalibratedMap, Lessons, beside_not_read, contributions_of
from dpspin.curator.assign.contribution import ContributionMap, Contributions
from dpspin.curator.assign.ours import ours


@ours
@dataclass(frozen=True, slots=True)
class HeldOut:
    """Give each text that taught a map what the map gives it held out; other texts are mapped as ever."""

    fitted: CalibratedMap
    lessons: Lessons = field(repr=False)

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.fitted,)

    @property
    def statement(self) -> MapStatement:
        """State the map itself: it is the same question that is asked."""
        return self.fitted.statement

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts; a null text contributes nothing."""
        words = [text or "" for text in texts.to_pylist()]
        taught = np.array([text in self.lessons.row_of for text in words], dtype=bool)
        weights = np.zeros((len(words), self.fitted.size + 1))
        weights[taught] = self.lessons.weights[[self.lessons.row_of[words[place]] for place in np.flatnonzero(taught)]]
        if not taught.all():
            weights[~taught] = self.fitted.weights([words[place] for place in np.flatnonzero(~taught)])
        weights[np.asarray(texts.is_null())] = 0.0
        return contributions_of(beside_not_read(weights, texts, self.fitted.languages), self.fitted.atoms_per_record)


def as_if_new(mapping: ContributionMap) -> ContributionMap:
    """Return a map that knows no text by heart, for shares that are compared with those of new text.

    A map gives the texts that taught it their labels back. Protected records are new to it, so that beside shares by
    heart every one of its errors on the records would pass for news.
    """
    if isinstance(mapping, CalibratedMap) and mapping.lessons is not None:
        return HeldOut(mapping, mapping.lessons)
    return mapping
