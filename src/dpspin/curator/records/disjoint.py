"""Auxiliary and protected records must not overlap: the whole proof rests on it, so it is checked, not assumed."""

import hashlib
from collections.abc import Iterator

import pyarrow as pa

from dpspin.curator.records.corpus import TEXT, USER, ProtectedCorpus
from dpspin.errors import RecordsRefused

TELLING_LENGTH = 80  # characters: shorter texts ("thanks!") coincide by chance
BY_CHANCE = 0.05  # of the longer texts may coincide too: form letters do
HALF = 0.5


def require_disjoint(auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool = False) -> None:
    """Refuse auxiliary data that hold protected units.

    Where both sides name users, users are compared, and one in common is too many. Otherwise records have no identity
    but their words: more than one in twenty longer auxiliary texts found word for word in the target is too many, and
    one is, where they are labelled or where their shares are ``published``.
    """
    if auxiliary.content_digest() == target.content_digest():
        raise RecordsRefused("the auxiliary data are the protected data; use public or separate records as auxiliary")
    if auxiliary.columns.user is not None and target.columns.user is not None:
        _require_other_users(auxiliary, target)
    else:
        _require_other_texts(auxiliary, target, published=published or auxiliary.columns.label is not None)


def _require_other_users(auxiliary: ProtectedCorpus, target: ProtectedCorpus) -> None:
    known = {user for batch in auxiliary.batches() for user in _users(batch)}
    if any(user in known for batch in target.batches() for user in _users(batch)):
        raise RecordsRefused("some users are in both the auxiliary and the protected data; split them by user")


def _require_other_texts(auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool) -> None:
    """Compare words. What is published in aggregate, as a card or as a baseline, may hold no protected record."""
    shortest, allowed = TELLING_LENGTH, 0.0 if published else BY_CHANCE
    known = {mark for batch in auxiliary.batches() for mark in _texts(batch, shortest)}
    if not known:  # short texts only: they coincide by chance, but not most of them
        shortest, allowed = 1, HALF
        known = {mark for batch in auxiliary.batches() for mark in _texts(batch, shortest)}
    shared = {mark for batch in target.batches() for mark in _texts(batch, shortest) if mark in known}
    if len(shared) > allowed * len(known):
        raise RecordsRefused(
            "too many records stand word for word in both the auxiliary and the protected data; "
            "use auxiliary records that are not among the protected ones, or declare public text (--aux-is-public)"
        )


def _users(batch: pa.RecordBatch) -> Iterator[str]:
    return (user for user in batch.column(USER).to_pylist() if user is not None)


def _texts(batch: pa.RecordBatch, shortest: int) -> Iterator[bytes]:
    for text in batch.column(TEXT).to_pylist():
        words = " ".join((text or "").split())
        if len(words) >= shortest:
            yield hashlib.blake2b(words.encode(), digest_size=16).digest()
