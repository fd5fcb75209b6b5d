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
Times = npt.NDArray[np.int64]


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
    """Draw the samples: the order, the format and other columns do not matter."""
    drawn = SampleInParts()
    for batch in batches:
        drawn.add(batch, key)
    return drawn.likeness()


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


@dataclass(slots=True)
class _Smallest:
    """The smallest different hashes that were added, and how often each was.

    The limit only sinks, so a hash that is below the last one was below all: none of its additions was missed.
    """

    limit: int = field(default=_WHOLE, repr=False)
    hashes: Hashes = field(default_factory=lambda: np.empty(0, np.uint64), repr=False)
    times: Times = field(default_factory=lambda: np.empty(0, np.int64), repr=False)

    def add(self, hashes: Hashes) -> None:
        self._add(*np.unique(hashes[hashes <= np.uint64(self.limit)], return_counts=True))

    def merge(self, other: "_Smallest") -> None:
        """Add what was added elsewhere; beyond either limit nobody knows of all additions."""
        self.limit = min(self.limit, other.limit)
        self._add(other.hashes, other.times)
        known = self.hashes <= np.uint64(self.limit)
        self.hashes, self.times = self.hashes[known], self.times[known]

    def _add(self, new: Hashes, times: Times) -> None:
        both, place = np.unique(np.concatenate([self.hashes, new]), return_inverse=True)
        self.times = np.bincount(place, np.concatenate([self.times, times]), len(both)).astype(np.int64)[:MOST]
        self.hashes = both[:MOST]
        if len(both) > MOST:
            self.limit = min(self.limit, int(self.hashes[-1]))

    def all(self) -> Sample:
        return Sample(self.limit, self.hashes)

    def that_stand_equally_often(self) -> Sample:
        """Return those that were added as often as most were."""
        often = np.bincount(self.times).argmax() if len(self.times) else 1
        return Sample(self.limit, self.hashes[self.times == often])

    def to_bytes(self) -> bytes:
        return self.all().to_bytes() + self.times.astype("<i8").tobytes()

    @classmethod
    def from_bytes(cls, stored: bytes) -> "_Smallest":
        limit, number = _HEADER.unpack_from(stored)
        hashes = np.frombuffer(stored, "<u8", number, _HEADER.size)
        times = np.frombuffer(stored, "<i8", number, _HEADER.size + hashes.nbytes)
        return cls(limit, hashes.astype(np.uint64), times.astype(np.int64))


@dataclass(slots=True)
class SampleInParts:
    """The samples of one part of a collection; those of all parts, merged, are the samples of the whole."""

    texts: _Smallest = field(default_factory=_Smallest, repr=False)
    users: _Smallest = field(default_factory=_Smallest, repr=False)

    def add(self, batch: pa.RecordBatch, key: bytes) -> None:
        """Add the texts and users of a batch."""
        self.texts.add(_hashes(words_in(batch.column(TEXT)), key, b"text"))
        if USER in batch.schema.names:
            users = batch.column(USER).drop_null().unique().to_pylist()
            self.users.add(_hashes(map(str.encode, users), key, b"user"))

    def merge(self, other: "SampleInParts") -> None:
        """Add the samples of another part."""
        self.texts.merge(other.texts)
        self.users.merge(other.users)

    def likeness(self) -> Likeness:
        """Return what the collection is known by."""
        return Likeness(self.texts.that_stand_equally_often(), self.users.all())

    def to_bytes(self) -> bytes:
        """Write down the part, to be merged elsewhere: keyed hashes, and how often each was added."""
        texts = self.texts.to_bytes()
        return len(texts).to_bytes(8, "little") + texts + self.users.to_bytes()

    @classmethod
    def from_bytes(cls, stored: bytes) -> "SampleInParts":
        """Read what ``to_bytes`` wrote."""
        end = 8 + int.from_bytes(stored[:8], "little")
        return cls(_Smallest.from_bytes(stored[8:end]), _Smallest.from_bytes(stored[end:]))


NOBODY: Final = likeness_of((), bytes(1)).to_bytes()  # what a collection without any text and user is known by
