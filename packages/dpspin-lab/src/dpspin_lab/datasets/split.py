"""Auxiliary and target parts of a corpus: what may be learned from, what is protected, which units a run selects.

Chance is a hash of a unit's own name, so that no unit moves another. At user level all records of a user are in one
part, and records that name no user are in neither: nobody's bound could hold for them, and they may be a protected
user's.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from dpspin.curator.records import disjoint
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.errors import RecordsRefused, RequestError
from dpspin_lab.datasets.corpus import NOBODY, Corpus

SPACE: Final = 2**64


def hash_of(purpose: str, name: str) -> int:
    """Return a number in [0, 2^64), equally likely to be any, that is fixed by purpose and name.

    >>> hash_of("split/1", "review 7") == hash_of("select/1", "review 7")
    False
    """
    content = f"{purpose}\x1f{name}".encode()
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts without a unit in common."""

    auxiliary: Corpus
    target: Corpus


def split_by_hash(
    corpus: Corpus, *, by_user: bool, auxiliary_share: float, salt: str, leave_out_copies: bool = False
) -> Split:
    """Place each unit by a hash of its own name, so that a new record moves no other.

    Form letters go by their words: the same long text under two ids would otherwise be in both parts. A split by user
    cannot send them to one part; ``leave_out_copies`` leaves their users out of the target.
    """
    if not 0 < auxiliary_share < 1:
        raise RequestError("the auxiliary share must lie between 0 and 1: both parts need records")
    names = user_names(corpus) if by_user else _names_of_records(corpus)
    edge = int(auxiliary_share * SPACE)
    parts: tuple[list[int], list[int]] = ([], [])
    for row, name in enumerate(names):
        if name != NOBODY:
            parts[hash_of(f"split/{salt}", name) >= edge].append(row)
    if leave_out_copies:
        unknown = set(without_known_texts(Split(*(corpus.part(rows) for rows in parts))).ids)
        parts = parts[0], [row for row in parts[1] if corpus.ids[row] in unknown]
    return _parts(corpus, *parts, by_user=by_user)


def split_by_time(corpus: Corpus, day: str, *, by_user: bool = False) -> Split:
    """Learn from what was written before an ISO day, protect the rest; records without a day are in neither part.

    At user level, users who wrote before the day are not protected: what they wrote later is left out.
    """
    dated = [row for row, written in enumerate(corpus.days) if written]
    if by_user:
        names = user_names(corpus)
        known = {names[row] for row in dated if corpus.days[row] < day}
        dated = [row for row in dated if names[row] != NOBODY and (corpus.days[row] < day or names[row] not in known)]
    older, newer = ([row for row in dated if (corpus.days[row] < day) is before] for before in (True, False))
    return _parts(corpus, older, newer, by_user=by_user)


def median_day(corpus: Corpus) -> str:
    """Return the day from which on half of the dated records were written."""
    days = sorted(day for day in corpus.days if day)
    if not days:
        raise RequestError(f"{corpus.name} has no days, so it cannot be split by time: split it by hash")
    return days[len(days) // 2]


def require_disjoint(split: Split, *, by_user: bool, published: bool = False) -> None:
    """Refuse parts that share a record, at user level a user, or longer texts: every promise rests on it.

    Texts are compared as a release compares auxiliary text with its records: some may coincide by chance, but not one
    where words of them are ``published``. Shorter ones are not compared; they are split like any others.
    """
    if set(split.auxiliary.ids) & set(split.target.ids):
        raise RecordsRefused("some records are in both the auxiliary and the target part; split them by id")
    if by_user and set(user_names(split.auxiliary)) & set(user_names(split.target)):
        raise RecordsRefused("some users are in both the auxiliary and the target part; split them by user")
    _require_other_words(_longer_texts(split.auxiliary), _longer_texts(split.target), published=published)


def without_known_texts(split: Split) -> Corpus:
    """Return the target without the users who wrote a longer text that stands in the auxiliary part word for word.

    Whether a user is left out follows from that user's own records and the public auxiliary part: nobody else's bound
    or place changes.
    """
    known = {disjoint.same_words(text) for text in _longer_texts(split.auxiliary)}
    names = user_names(split.target)
    seen = {name for name, text in zip(names, split.target.texts, strict=True) if disjoint.same_words(text) in known}
    return split.target.part([row for row, name in enumerate(names) if name not in seen])


def user_names(corpus: Corpus) -> tuple[str, ...]:
    """Return the user of each record, or refuse a corpus that names none."""
    if corpus.users is None:
        raise RequestError(f"{corpus.name} has no user ids, so its unit of protection is the record")
    return corpus.users


def _names_of_records(corpus: Corpus) -> list[str]:
    return [
        disjoint.same_words(text) if len(text) >= disjoint.TELLING_LENGTH else identity
        for identity, text in zip(corpus.ids, corpus.texts, strict=True)
    ]


def _require_other_words(auxiliary: list[str], target: list[str], *, published: bool) -> None:
    if not auxiliary or not target:
        return
    try:
        disjoint.require_disjoint(_opened(auxiliary), _opened(target), published=published)
    except RecordsRefused:
        raise RecordsRefused(
            "too many longer texts stand word for word in both the auxiliary and the target part; split them by words"
        ) from None


def _longer_texts(corpus: Corpus) -> list[str]:
    return [text for text in corpus.texts if len(disjoint.same_words(text)) >= disjoint.TELLING_LENGTH]


def _opened(texts: list[str]) -> ProtectedCorpus:
    return open_corpus(pa.table({"text": texts}), Columns("text"))


def _parts(corpus: Corpus, auxiliary: list[int], target: list[int], *, by_user: bool) -> Split:
    if not auxiliary or not target:
        raise RequestError(
            f"a part of {corpus.name} would be empty: there are too few records or users, or none on one side of the "
            "day. Use a larger file, or another share or day"
        )
    split = Split(corpus.part(auxiliary), corpus.part(target))
    require_disjoint(split, by_user=by_user)
    return split


def selected(target: Corpus, *, by_user: bool, n: int, seed: int, strict: bool) -> tuple[int, ...]:
    """Return the rows of the n units with the smallest hashes: n records, or all records of n users.

    There is a trap in the paper's rule: take one unit out of the *target*, and of the n smallest hashes the next one
    moves up. With respect to the whole target, add/drop has become replacement, with twice the L1 sensitivity. The
    promise of such a run is therefore about the n selected units as its data set.

    ``strict`` is the paper's ``strict_sample_size``: too few units are an error instead of a smaller run. The
    refusal tells the size of the target: that is for the lab only.
    """
    names = user_names(target) if by_user else target.ids
    units = sorted(set(names) - {NOBODY}, key=lambda name: (hash_of(f"select/{seed}", name), name))
    if n < 1 or (strict and len(units) < n):
        raise RequestError(
            f"{n:,} {'users' if by_user else 'records'} were asked of {target.name}, whose target part has "
            f"{len(units):,}; ask for fewer (in a run, strict_sample_size: false takes all there are)"
        )
    chosen = set(units[:n])
    return tuple(row for row, name in enumerate(names) if name in chosen)
