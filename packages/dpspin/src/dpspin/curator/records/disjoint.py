"""Auxiliary and protected records must not overlap: the whole proof rests on it, so it is checked, not assumed."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import pyarrow as pa
from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.statement import TOLERANCE, ApartBy, Coinciding
from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import RecordsRefused

TELLING_LENGTH = 80  # characters: a few longer texts coincide too, since form letters do
TELLING_WORDS = 4  # a text of fewer words ("thanks!") coincides by chance …
TELLING_WITHOUT_SPACES = 40  # … unless it is as long as a sentence, in a script that puts no spaces between words
TextLength = Literal["longer", "shorter", "shortest"]
TEXT_LENGTHS: tuple[TextLength, ...] = ("longer", "shorter", "shortest")


class InCommon(FrozenModel):
    """How many different texts of a kind stand on both sides, and how many may. Private."""

    shared: int = Field(0, ge=0, repr=False)
    allowed: float = Field(0.0, ge=0, repr=False)


class Compared(FrozenModel):
    """Auxiliary text was compared with records: what they share of its longer, shorter and shortest texts. Private.

    Each kind has an allowance of its own: else a single long text would decide that no short one counts.
    """

    content: str = Field(repr=False)  # which text it was
    longer: InCommon = InCommon()
    shorter: InCommon = InCommon()
    shortest: InCommon = InCommon()  # files of earlier versions count them among the shorter ones


class Unseen(NamedTuple):
    """What the text behind the map and the one behind the dictionary share with the records; None: not compared."""

    by_map: Compared | None
    by_dictionary: Compared | None


def require_disjoint(
    auxiliary: ProtectedCorpus, target: ProtectedCorpus, *, published: bool, by: ApartBy = ApartBy.WORDS
) -> Compared:
    """Refuse auxiliary data that hold protected units.

    Where both sides name users, users are compared, and one in common is too many. Records without a user, and all of
    them where no user is named, have no identity but their words: different auxiliary texts are looked for word for
    word in the target, and for more than ``TOLERANCE`` allows they are refused. Where they are ``published`` in
    aggregate, as a report card or as a baseline, words are compared too, and less is allowed, unless it was decided
    that users are enough (``by``).
    """
    require_other_data(auxiliary, target)
    content = auxiliary.content_digest()
    named = auxiliary.columns.user is not None and target.columns.user is not None
    enough = not published or by is ApartBy.USERS
    if named and _require_other_users(auxiliary, target) and enough:
        return Compared(content=content)
    tolerated = TOLERANCE.published if published else TOLERANCE.unpublished
    compared = Compared(content=content, **_texts_in_common(auxiliary, target, tolerated))
    require_few_in_common([compared])
    return compared


def require_other_data(auxiliary: ProtectedCorpus, target: ProtectedCorpus) -> None:
    """Refuse the protected data themselves, whatever they are declared to be."""
    if auxiliary.content_digest() == target.content_digest():
        raise RecordsRefused("the auxiliary data are the protected data; use public or separate records as auxiliary")


def require_few_in_common(parts: Sequence[Compared]) -> None:
    """Refuse auxiliary text of which the parts of a corpus, all together, share more than they may."""
    if any(_too_many([getattr(part, kind) for part in parts]) for kind in TEXT_LENGTHS):
        raise RecordsRefused(
            "too many records stand word for word in both the auxiliary and the protected data; "
            "use auxiliary records that are not among the protected ones. Text may be declared public (the map's with "
            "`records.auxiliary_is_public`, the dictionary's with `records.atoms_auxiliary_is_public`) only if it was "
            "public before you saw this message: declaring it because of this refusal would tell readers that it was "
            "refused. Where users are protected and both sides name theirs, users alone may be compared, as in the "
            "paper (`records.apart_by: users`): a text that two users wrote alike, such as a copied review, then "
            "passes, was seen when map or dictionary were made, and the plan says so"
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
    auxiliary: ProtectedCorpus, target: ProtectedCorpus, tolerated: Coinciding
) -> dict[TextLength, InCommon]:
    """Compare words: of each kind of texts, how many different ones stand on both sides, and how many may."""
    known = {mark: kind for batch in auxiliary.batches() for mark, kind in _texts(batch)}
    found = {mark for batch in target.batches() for mark, _ in _texts(batch) if mark in known}
    texts, shared = Counter(known.values()), Counter(known[mark] for mark in found)
    few = tolerated.of_all * len(known)
    allowed: dict[TextLength, float] = {
        "longer": tolerated.longer * texts["longer"],
        "shorter": max(tolerated.shorter * texts["shorter"], few),
        "shortest": max(tolerated.shortest * texts["shortest"], few),
    }
    return {kind: InCommon(shared=shared[kind], allowed=allowed[kind]) for kind in TEXT_LENGTHS}


def _users(batch: pa.RecordBatch) -> Iterator[str]:
    return (user for user in batch.column(USER).to_pylist() if user is not None)


def _texts(batch: pa.RecordBatch) -> Iterator[tuple[bytes, TextLength]]:
    """Mark every text that is not empty, and say of which kind it is."""
    for text in batch.column(TEXT).to_pylist():
        words = same_words(text or "")
        if words:
            yield hashlib.blake2b(words.encode(), digest_size=16).digest(), kind_of(words)


def kind_of(text: str) -> TextLength:
    """Tell how much a text that is found on both sides says.

    >>> kind_of("thank you"), kind_of("where is my parcel"), kind_of("where is my parcel, " * 4)
    ('shortest', 'shorter', 'longer')
    """
    if len(text) >= TELLING_LENGTH:
        return "longer"
    telling = len(text.split()) >= TELLING_WORDS or len(text) >= TELLING_WITHOUT_SPACES
    return "shorter" if telling else "shortest"
