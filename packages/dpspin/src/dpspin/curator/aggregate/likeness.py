"""Near-copies: a small keyed sample of a collection's texts and users, by which a ledger knows them again.

The sample of a set is its elements with the smallest keyed hashes (bottom-k, also called KMV). Two samples under one
key choose alike, so the share of one set that is also in the other can be read off where both are complete.

Disjoint collections share texts too: "thanks!", form letters, templates. So only texts that stand equally often count:
once, as most texts of most collections do, or twice where every row was written twice. Let two collections be drawn
from one source, whatever it is: a text that is expected λ times stands k times with probability λ^k·e^-λ/k!, which is
at most 1/e for every k >= 1. So of the texts that count in one of them at most 1/e are expected to count in the other.
A copy keeps them all. Users are compared as they are: disjoint collections share none.
"""

import math
import string
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.disjoint import same_words
from dpspin.errors import LedgerError

MOST: Final = 2048  # hashes of a sample: 16 kB, and a share of one half is known to 1.1 points (standard deviation)
BY_CHANCE: Final = 1 / math.e  # of the texts that count, at most, in two collections from one source
FEW_USERS: Final = 0.2  # in common: below that two collections are not taken for one
SIGMAS: Final = 5.0  # beyond that share: a false alarm in less than one of a million comparisons
PLAIN: Final = (string.ascii_letters + string.digits).encode()
NOT_PLAIN: Final = bytes(code for code in range(256) if code not in PLAIN)
LOWER: Final = bytes(range(256)).lower()
FEWEST_PLAIN: Final = 8
_WHOLE: Final = 2**64 - 1
_HEADER: Final = struct.Struct("<QI")

Hashes = npt.NDArray[np.uint64]


class Shared(StrEnum):
    """What two collections have in common."""

    RECORDS = "records"
    USERS = "users"


@dataclass(frozen=True, slots=True)
class Sample:
    """All hashes of a set up to a limit, in order."""

    limit: int = field(repr=False)
    hashes: Hashes = field(repr=False)

    def shares_more_than(self, other: "Sample", share: float) -> bool:
        """Say whether more of the smaller set is in the other than this share and the error of sampling explain.

        The error is that of a binomial proportion. So few elements decide nothing: 14 texts, or 6 users.
        """
        limit = np.uint64(min(self.limit, other.limit))
        mine, theirs = (each.hashes[each.hashes <= limit] for each in (self, other))
        fewest = min(len(mine), len(theirs))
        common = len(np.intersect1d(mine, theirs, assume_unique=True))
        return common > share * fewest + SIGMAS * math.sqrt(share * (1 - share) * fewest)

    def to_bytes(self) -> bytes:
        """Return limit, number and hashes."""
        return _HEADER.pack(self.limit, len(self.hashes)) + self.hashes.astype("<u8").tobytes()


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a collection is known again: a sample of its texts that stand equally often, and one of its users."""

    texts: Sample = field(repr=False)
    users: Sample = field(repr=False)

    def shared_with(self, other: "Likeness") -> Shared | None:
        """Say what a substantial part of one collection has in common with the other; None: neither."""
        if self.users.shares_more_than(other.users, FEW_USERS):
            return Shared.USERS
        return Shared.RECORDS if self.holds_records_of(other) else None

    def holds_records_of(self, other: "Likeness") -> bool:
        """Say whether more of the texts are the other's too than chance explains."""
        return self.texts.shares_more_than(other.texts, BY_CHANCE)

    def to_bytes(self) -> bytes:
        """Return both samples, for the ledger."""
        return self.texts.to_bytes() + self.users.to_bytes()

    @classmethod
    def from_bytes(cls, stored: bytes) -> "Likeness":
        """Read both samples as the ledger keeps them."""
        try:
            texts, rest = _sample_in(stored)
            users, _ = _sample_in(rest)
        except (struct.error, ValueError, TypeError):  # somebody changed it
            raise LedgerError(
                "what the ledger keeps to know records again cannot be read: see dpspin ledger verify"
            ) from None
        return cls(texts, users)


def _sample_in(stored: bytes) -> tuple[Sample, bytes]:
    limit, number = _HEADER.unpack_from(stored)
    end = _HEADER.size + 8 * number
    return Sample(limit, np.frombuffer(stored[_HEADER.size : end], "<u8", number).astype(np.uint64)), stored[end:]


def likeness_of(batches: Iterable[pa.RecordBatch], key: bytes) -> Likeness:
    """Read a collection once, and keep its samples: the order, the format and other columns do not matter."""
    texts, users = _Smallest(), _Smallest()
    for batch in batches:
        texts.add(_hashes(words_in(batch.column(TEXT)), key, b"text"))
        if USER in batch.schema.names:
            users.add(_hashes(map(str.encode, batch.column(USER).drop_null().unique().to_pylist()), key, b"user"))
    return Likeness(texts.that_stand_equally_often(), users.all())


def words_in(texts: pa.Array) -> Iterator[bytes]:
    """Return each readable text as it is compared."""
    return (compared(text) for text in texts.to_pylist() if text is not None)


def compared(text: str) -> bytes:
    """Return the plain letters and digits of a text: neither spaces nor a wrongly declared encoding change them.

    A text that has hardly any (of another script) is compared word for word.

    >>> compared("Late  delivery, März!"), compared("late delivery MÃ¤rz"), compared("Посылка  не пришла")[:4].decode()
    (b'latedeliverymrz', b'latedeliverymrz', 'По')
    """
    plain = text.encode("ascii", "ignore").translate(LOWER, NOT_PLAIN)
    return plain if len(plain) >= FEWEST_PLAIN else same_words(text).encode()


def _hashes(words: Iterable[bytes], key: bytes, kind: bytes) -> Hashes:
    """Hash under the key; empty texts are none."""
    keyed = blake2b(digest_size=8, key=key, person=kind)
    return np.frombuffer(b"".join(_digests(words, keyed)), "<u8").astype(np.uint64)


def _digests(words: Iterable[bytes], keyed: Any) -> Iterator[bytes]:  # noqa: ANN401  hashlib has no name for its type
    for each in words:
        if each:
            one = keyed.copy()
            one.update(each)
            yield one.digest()


class _Smallest:
    """The smallest different hashes that were added, and how often each was.

    The limit only sinks, so a hash that is below the last one was below all: none of its additions was missed.
    """

    def __init__(self) -> None:
        self._limit = _WHOLE
        self._hashes: Hashes = np.empty(0, np.uint64)
        self._times = np.empty(0, np.int64)

    def add(self, hashes: Hashes) -> None:
        new, times = np.unique(hashes[hashes <= np.uint64(self._limit)], return_counts=True)
        both, place = np.unique(np.concatenate([self._hashes, new]), return_inverse=True)
        self._times = np.bincount(place, np.concatenate([self._times, times]), len(both)).astype(np.int64)[:MOST]
        self._hashes = both[:MOST]
        if len(both) > MOST:
            self._limit = int(self._hashes[-1])

    def all(self) -> Sample:
        return Sample(self._limit, self._hashes)

    def that_stand_equally_often(self) -> Sample:
        """Return those that were added as often as most were."""
        often = np.bincount(self._times).argmax() if len(self._times) else 1
        return Sample(self._limit, self._hashes[self._times == often])


NOBODY: Final = likeness_of((), bytes(1)).to_bytes()  # what a collection without any text and user is known by
