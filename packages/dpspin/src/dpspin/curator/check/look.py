"""A look at the records before anything is paid: whether they can be read, and what the map makes of them.

Everything here is exact and depends on the records. It is for the curator's eyes; nothing of it goes into a release.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.text.languages import language_of

CLOSELY: Final = 20_000  # records that are looked at closely; the rest is counted
MAPPED: Final = 2_000  # of them that the map is tried on
BATCH: Final = 1_000

LanguageMix = tuple[tuple[str, float], ...]  # of the texts that have a language: code and share, the largest first


@dataclass(frozen=True, slots=True)
class TextLook:
    """What reading gave: of all records their number, and of the first ones what they look like. Private."""

    records: int
    closely: int
    unreadable: int  # no text at all: a broken encoding, another type, null
    empty: int
    different: int  # texts
    languages: LanguageMix
    users: int | None = None
    without_user: int = 0
    of_one_user: int = 0  # records of the user who has most
    left_out: int = 0  # rows that are no records: too many or too few cells, no JSON object, too long

    def __repr__(self) -> str:
        return "TextLook(<private>)"


@dataclass(frozen=True, slots=True)
class MapLook:
    """How much of the readable text the map recognises: the part of its mass on themes. Private.

    ``usual`` is the same figure on the text that the map's report card was measured on; None where there is no card.
    """

    tried: int
    recognised: float | None  # None: nothing was readable
    usual: float | None

    def __repr__(self) -> str:
        return "MapLook(<private>)"


class Tally:
    """Counts the rows that a file has and a reading leaves out."""

    def __init__(self) -> None:
        self.rows = 0

    def __call__(self, rows: int) -> None:
        """Count some more."""
        self.rows += rows


def look_at_text(
    corpus: ProtectedCorpus, tell: Callable[[int], None] | None = None, left_out: Tally | None = None
) -> TextLook:
    """Read everything once, and the first records closely. ``left_out`` is told by the corpus what it passes over."""
    closely: list[pa.RecordBatch] = []
    records = held = 0
    for batch in corpus.batches():
        records += batch.num_rows
        if held < CLOSELY:
            closely.append(batch.slice(0, CLOSELY - held))
            held += closely[-1].num_rows
        if tell is not None:
            tell(batch.num_rows)
    texts = [text for batch in closely for text in batch.column(TEXT).to_pylist()]
    named = corpus.columns.user is not None
    users = Counter(user for batch in closely if named for user in batch.column(USER).to_pylist())
    without = users.pop(None, 0)
    return TextLook(
        records=records,
        closely=held,
        unreadable=sum(text is None for text in texts),
        empty=sum(text is not None and not text.strip() for text in texts),
        different=len(set(texts) - {None}),
        languages=_mix(text for text in texts if text),
        users=len(users) if named else None,
        without_user=without,
        of_one_user=max(users.values(), default=0),
        left_out=0 if left_out is None else left_out.rows,
    )


def _mix(texts: Iterator[str]) -> LanguageMix:
    found = Counter(code for text in texts if (code := language_of(text)) is not None)
    return tuple((code, count / found.total()) for code, count in found.most_common())


def look_at_map(corpus: ProtectedCorpus, contribution_map: ContributionMap, atoms: int) -> MapLook:
    """Map the first records, and see how much of what was read lies on themes."""
    on_themes = read = tried = 0
    for texts in islice(_texts(corpus), MAPPED // BATCH):
        given = contribution_map(texts)
        tried += len(texts)
        statement = contribution_map.statement
        not_read = given.atoms == (given.universe_size - 1 if statement.languages else -1)
        read += int(np.count_nonzero(np.bincount(given.rows[~not_read], minlength=len(texts))))
        on_themes += int(given.ticks[given.atoms < atoms].sum())
    card = contribution_map.statement.card
    recognised = on_themes / TICKS_PER_MASS / read if read else None
    return MapLook(tried, recognised, None if card is None else card.covered_by_map)


def _texts(corpus: ProtectedCorpus) -> Iterator[pa.Array]:
    for batch in corpus.batches():
        for start in range(0, batch.num_rows, BATCH):
            yield batch.column(TEXT).slice(start, BATCH)
