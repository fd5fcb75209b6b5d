"""How many units name each phrase: every unit at most ``per_unit`` of its own, each once.

All of it stays in memory: a table of the phrases that were named, and, where users are protected, the first phrases of
each user under a pseudonym. Nothing of it is written anywhere.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.phrases import is_showable
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.pseudonyms import THIS_RUN
from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import BoundViolation, RequestError
from dpspin.text.phrases import first_ones, phrases_in
from dpspin.text.sentences import sentences_in

HALF: Final = TICKS_PER_MASS // 2
Named = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhraseCounts:
    """The exact number of units that named each phrase. Private like a sketch, with its bound: it cannot be printed."""

    units: Mapping[str, int] = field(repr=False)
    per_unit: int

    @classmethod
    def of(cls, named: Iterable[Named], per_unit: int) -> "PhraseCounts":
        """Count the phrases of each unit; refuse a unit that names one twice, or too many."""
        counts: Counter[str] = Counter()
        for each in named:
            if len(each) > per_unit or len(set(each)) < len(each):
                raise BoundViolation("a unit names a phrase twice, or more phrases than its bound")
            counts.update(each)
        return cls(counts, per_unit)


class Unfiled:
    """Leaves of each record the sentences that no theme took: the map gives more than half of such a one to "none".

    Sentences are mapped one by one, so what is left of a record depends on that record alone.
    """

    def __init__(self, records: Records) -> None:
        none = records.origin.none
        if none is None:
            raise RequestError(
                "this map files every text under some theme, so nothing is left over: choose one that answers “none of "
                "these” (`records.map`), or leave the dictionary out (`atoms`)"
            )
        self._none = none
        self._map = records.checked_map()

    def __call__(self, texts: pa.Array) -> Iterator[list[str]]:
        """Return the sentences that are left of each text."""
        each = [sentences_in(text or "") for text in texts.to_pylist()]
        every = [sentence for sentences in each for sentence in sentences]
        left = iter(self._is_left(pa.array(every, pa.large_string())))
        return ([sentence for sentence in sentences if next(left)] for sentences in each)

    def _is_left(self, sentences: pa.Array) -> list[bool]:
        mapped = self._map(sentences)
        at_none = mapped.atoms == self._none
        mass = np.bincount(mapped.rows[at_none], mapped.ticks[at_none], mapped.records)
        told: list[bool] = (mass > HALF).tolist()
        return told

    def require_the_same_again(self) -> None:
        """Refuse a map that looks at more than one text at a time, once all are read."""
        self._map.require_the_same_again()


def count_phrases(corpus: ProtectedCorpus, per_unit: int, unfiled: Unfiled | None = None) -> PhraseCounts:
    """Read all records once, or what is unfiled of them. What a unit names depends on its own records alone."""
    named_by = named_by_records if corpus.columns.user is None else named_by_users
    counts = PhraseCounts.of(named_by(_first_of_records(corpus, per_unit, unfiled), per_unit), per_unit)
    if unfiled is not None:
        unfiled.require_the_same_again()
    return counts


OfRecord = tuple[bytes | None, Named]  # who wrote it, where that is known, and the first phrases of a record


def named_by_records(records: Iterable[OfRecord], per_unit: int) -> Iterator[Named]:
    """Let each record name its first phrases."""
    return (phrases[:per_unit] for _, phrases in records)


def named_by_users(records: Iterable[OfRecord], per_unit: int) -> Iterator[Named]:
    """Let each user name the first phrases of all their records; a record without a user is a unit of its own.

    The first ones of all records are among the first ones of each, so no more than these are ever kept.
    """
    users: dict[bytes, Named] = {}
    for user, phrases in records:
        if user is None:
            yield phrases
        else:
            users[user] = first_ones({*users.get(user, ()), *phrases}, per_unit)
    yield from users.values()


def _first_of_records(corpus: ProtectedCorpus, per_unit: int, unfiled: Unfiled | None) -> Iterator[OfRecord]:
    for batch in corpus.batches():
        texts = batch.column(TEXT)
        read = map(sentences_in, texts.fill_null("").to_pylist()) if unfiled is None else unfiled(texts)
        for user, sentences in zip(_users(batch), read, strict=True):
            yield user, first_ones(filter(is_showable, phrases_in(sentences)), per_unit)  # else it fails once paid for


def _users(batch: pa.RecordBatch) -> Iterator[bytes | None]:
    if USER not in batch.schema.names:
        return iter([None] * batch.num_rows)
    users = batch.column(USER)
    names = iter(THIS_RUN(users.drop_null()))
    return (next(names).tobytes() if known else None for known in users.is_valid().to_pylist())
