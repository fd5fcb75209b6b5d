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
A_FEW = 0.01  # of all texts may be short ones that coincide, where hardly any are short


class InCommon(Sealed):
    """How many different texts of a kind stand on both sides, and how many may. Private."""

    shared: int = Field(0, ge=0, repr=False)
    allowed: float = Field(0.0, ge=0, repr=False)


class Compared(Sealed):
    """Auxiliary text was compared with records: what they share of its longer texts, and of its shorter ones. Private.

    Each kind has an allowance of its own: else a single long text would decide that no short one counts.
    """

    content: str = Field(repr=False)  # which text it was
    longer: InCommon = InCommon()
    shorter: InCommon = InCommon()


class Unseen(NamedTuple):
    """What the text behind the map and the one behind the dictionary share with the records; None: not compared."""

    by_map: Compared | None
    by_dictionary: Compared | None


def require_disjoint(auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool) -> Compared:
    """Refuse auxiliary data that hold protected units.

    Where both sides name users, users are compared, and one in common is too many. Records without a user, and all of
    them where no user is named, have no identity but their words: more than one in twenty longer auxiliary texts found
    word for word in the target is too many, and so is more than half of the shorter ones. Where they are
    ``published`` in aggregate, as a report card or as a baseline, words are always compared, and one longer text is
    too many, or more than one in twenty of the shorter ones.
    """
    require_other_data(auxiliary, target)
    content = auxiliary.content_digest()
    named = auxiliary.columns.user is not None and target.columns.user is not None
    if named and _require_other_users(auxiliary, target) and not published:
        return Compared(content=content)
    longer, shorter = _texts_in_common(auxiliary, target, published=published)
    compared = Compared(content=content, longer=longer, shorter=shorter)
    require_few_in_common([compared])
    return compared


def require_other_data(auxiliary: ProtectedCorpus, target: ProtectedCorpus) -> None:
    """Refuse the protected data themselves, whatever they are declared to be."""
    if auxiliary.content_digest() == target.content_digest():
        raise RecordsRefused("the auxiliary data are the protected data; use public or separate records as auxiliary")


def require_few_in_common(parts: Sequence[Compared]) -> None:
    """Refuse auxiliary text of which the parts of a corpus, all together, share more than they may."""
    if _too_many([part.longer for part in parts]) or _too_many([part.shorter for part in parts]):
        raise RecordsRefused(
            "too many records stand word for word in both the auxiliary and the protected data; "
            "use auxiliary records that are not among the protected ones. Text may be declared public (the map's with "
            "--aux-is-public, the dictionary's with --atoms-aux-is-public) only if it was public before you saw this "
            "message: declaring it because of this refusal would tell readers that it was refused"
        )


def _too_many(parts: Sequence[InCommon]) -> bool:
    return sum(part.shared for part in parts) > min(part.allowed for part in parts)


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


def _texts_in_common(
    auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool
) -> tuple[InCommon, InCommon]:
    """Compare words: of the longer and of the shorter texts, how many stand on both sides, and how many may."""
    known = {mark: longer for batch in auxiliary.batches() for mark, longer in _texts(batch)}
    shared = {mark for batch in target.batches() for mark, _ in _texts(batch) if mark in known}
    long, long_shared = sum(known.values()), sum(known[mark] for mark in shared)
    of_long, of_short = (0.0, BY_CHANCE) if published else (BY_CHANCE, HALF)
    may_be_short = max(of_short * (len(known) - long), A_FEW * len(known))
    return (
        InCommon(shared=long_shared, allowed=of_long * long),
        InCommon(shared=len(shared) - long_shared, allowed=may_be_short),
    )


def _users(batch: pa.RecordBatch) -> Iterator[str]:
    return (user for user in batch.column(USER).to_pylist() if user is not None)


def _texts(batch: pa.RecordBatch) -> Iterator[tuple[bytes, bool]]:
    """Mark every text that is not empty, and tell whether it is a longer one."""
    for text in batch.column(TEXT).to_pylist():
        words = same_words(text or "")
        if words:
            yield hashlib.blake2b(words.encode(), digest_size=16).digest(), len(words) >= TELLING_LENGTH
