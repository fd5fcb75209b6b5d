"""Auxiliary and protected records must not overlap: the whole proof rests on it, so it is checked, not assumed."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
from pydantic import Field

from dpspin.boundary.sealed import Sealed
from dpspin.curator.records.corpus import TEXT, USER, ProtectedCorpus
from dpspin.errors import RecordsRefused

TELLING_LENGTH = 80  # characters: shorter texts ("thanks!") coincide by chance
BY_CHANCE = 0.05  # of the longer texts may coincide too: form letters do
HALF = 0.5


class Compared(Sealed):
    """Auxiliary text was compared with records: how many of its texts they share, and how many they may. Private."""

    content: str = Field(repr=False)  # which text it was
    shared: int = Field(ge=0, repr=False)
    allowed: float = Field(ge=0, repr=False)


class Unseen(NamedTuple):
    """What the text behind the map and the one behind the dictionary share with the records; None: not compared."""

    by_map: Compared | None
    by_dictionary: Compared | None


def require_disjoint(auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool) -> Compared:
    """Refuse auxiliary data that hold protected units.

    Where both sides name users, users are compared, and one in common is too many. Records without a user, and all of
    them where no user is named, have no identity but their words: more than one in twenty longer auxiliary texts found
    word for word in the target is too many. Where they are ``published`` in aggregate, as a report card or as a
    baseline, words are always compared, and one longer text is too many.
    """
    require_other_data(auxiliary, target)
    content = auxiliary.content_digest()
    named = auxiliary.columns.user is not None and target.columns.user is not None
    if named and _require_other_users(auxiliary, target) and not published:
        return Compared(content=content, shared=0, allowed=0)
    shared, allowed = _texts_in_common(auxiliary, target, published=published)
    compared = Compared(content=content, shared=shared, allowed=allowed)
    require_few_in_common([compared])
    return compared


def require_other_data(auxiliary: ProtectedCorpus, target: ProtectedCorpus) -> None:
    """Refuse the protected data themselves, whatever they are declared to be."""
    if auxiliary.content_digest() == target.content_digest():
        raise RecordsRefused("the auxiliary data are the protected data; use public or separate records as auxiliary")


def require_few_in_common(parts: Sequence[Compared]) -> None:
    """Refuse auxiliary text of which the parts of a corpus, all together, share more than they may."""
    if sum(part.shared for part in parts) > min(part.allowed for part in parts):
        raise RecordsRefused(
            "too many records stand word for word in both the auxiliary and the protected data; "
            "use auxiliary records that are not among the protected ones, or declare public text: the "
            "map's with --aux-is-public, the dictionary's with --atoms-aux-is-public"
        )


def same_words(text: str) -> str:
    """Return a text as it is compared: its line breaks and spaces do not count.

    >>> same_words("  late    parcel ")
    'late parcel'
    """
    return " ".join(text.split())


def _require_other_users(auxiliary: ProtectedCorpus, target: ProtectedCorpus) -> bool:
    """Refuse users in common; tell whether every record on both sides has one."""
    known = {user for batch in auxiliary.batches() for user in _users(batch)}
    if any(user in known for batch in target.batches() for user in _users(batch)):
        raise RecordsRefused("some users are in both the auxiliary and the protected data; split them by user")
    return not any(batch.column(USER).null_count for side in (auxiliary, target) for batch in side.batches())


def _texts_in_common(auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool) -> tuple[int, float]:
    """Compare words: how many different texts stand on both sides, and how many may."""
    shortest, allowed = TELLING_LENGTH, 0.0 if published else BY_CHANCE
    known = {mark for batch in auxiliary.batches() for mark in _texts(batch, shortest)}
    if not known:  # short texts only: they coincide by chance, but not most of them
        shortest, allowed = 1, BY_CHANCE if published else HALF
        known = {mark for batch in auxiliary.batches() for mark in _texts(batch, shortest)}
    shared = {mark for batch in target.batches() for mark in _texts(batch, shortest) if mark in known}
    return len(shared), allowed * len(known)


def _users(batch: pa.RecordBatch) -> Iterator[str]:
    return (user for user in batch.column(USER).to_pylist() if user is not None)


def _texts(batch: pa.RecordBatch, shortest: int) -> Iterator[bytes]:
    for text in batch.column(TEXT).to_pylist():
        words = same_words(text or "")
        if len(words) >= shortest:
            yield hashlib.blake2b(words.encode(), digest_size=16).digest()
