"""Phrases with their support: all mentions of one key together, without names and fragments, the most telling first."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpspin.public.atoms.build.harvest import Harvest
from dpspin.public.atoms.build.phrase_keys import LONGEST_PHRASE, PEOPLES, Key, key_of, why_dropped
from dpspin.text.stems import public_frequency

SLIPS: Final = 3  # a form said less often than this, …
SLIP_SHARE: Final = 0.015  # … or in a smaller share of the mentions, is an accident of word order


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase that may become an atom."""

    key: Key
    forms: tuple[str, ...]  # the plainest, then the most frequent first, without slips of the pen
    documents: frozenset[int]
    variants: frozenset[Key] = frozenset()  # keys of the phrases merged into this one

    @property
    def keys(self) -> frozenset[Key]:
        """All keys under which it is found in a text."""
        return self.variants | {self.key}

    @property
    def support(self) -> int:
        """In how many documents it is said."""
        return len(self.documents)

    @property
    def label(self) -> str:
        """The plain way, or the way most people say it."""
        return self.forms[0]

    def with_variant(self, other: "Candidate") -> "Candidate":
        """Return this phrase with another one counted as a way to say it."""
        forms = dict.fromkeys((*self.forms, *other.forms))
        documents, variants = self.documents | other.documents, self.variants | other.keys
        return replace(self, forms=tuple(forms), documents=documents, variants=variants)


def candidates(found: Harvest, min_support: int) -> list[Candidate]:
    """Join the mentions of each key; drop what says too little or is said too rarely. By key, for a fixed order."""
    keys = [key_of(mention.words) for mention in found.mentions]
    telling = sorted({key for key in keys if why_dropped(key) is None})
    place = {key: number for number, key in enumerate(telling)}
    key_numbers = np.array([place.get(key, -1) for key in keys], np.int64)[found.numbers]
    kept = [
        (telling[number], documents, mentions)
        for number, documents, mentions in _by_key(key_numbers, found, min_support)
    ]
    return [Candidate(key, _forms(found, mentions), documents) for key, documents, mentions in kept]


def _by_key(
    key_numbers: NDArray[np.int64], found: Harvest, min_support: int
) -> Iterator[tuple[int, frozenset[int], NDArray[np.int64]]]:
    order = np.argsort(key_numbers, kind="stable")
    order = order[np.searchsorted(key_numbers[order], 0) :]
    starts = np.flatnonzero(np.diff(key_numbers[order], prepend=-1))
    ends = np.append(starts[1:], len(order))
    for start in np.flatnonzero(ends - starts >= min_support):  # one document may hold several forms: counted below
        rows = order[starts[start] : ends[start]]
        documents = frozenset(found.documents[rows].tolist())
        if len(documents) >= min_support:
            yield int(key_numbers[rows[0]]), documents, found.numbers[rows]


def _forms(found: Harvest, numbers: Iterable[int]) -> tuple[str, ...]:
    counts = Counter(found.mentions[number].spoken for number in numbers)
    fewest = min(max(counts.values()), max(SLIPS, SLIP_SHARE * counts.total()))
    heard = (form for form in counts if counts[form] >= fewest)
    return tuple(sorted(heard, key=lambda form: (not _is_plain(form), -counts[form], form)))


def _is_plain(form: str) -> bool:
    """Tell a form that says "good" or "bad": where several degrees of praise share a key, it names them all.

    >>> _is_plain("bad service"), _is_plain("horrible service"), _is_plain("dry skin")
    (True, False, False)
    """
    return not {"good", "bad"}.isdisjoint(form.split())


# Names of people, firms or places: English writes them with a capital, so spelling tells.

ALMOST_ALWAYS: Final = 0.7
OFTEN: Final = 0.4
OFTEN_FOR_A_RARE_WORD: Final = 0.55  # of words that public text hardly knows, most are names
RARE: Final = 1e-6


def is_name_like(words: Iterable[str], counts: Mapping[str, int], capitals: Mapping[str, int]) -> bool:
    """Tell a phrase with a word that nearly always has a capital, or whose words all often have one.

    A cuisine or a nation is no name: "Mexican food" stays.

    >>> is_name_like(["john", "besh"], {"john": 10, "besh": 9}, {"john": 9, "besh": 9})
    True
    """
    shares = {word: capitals.get(word, 0) / max(1, counts.get(word, 0)) for word in words if word not in PEOPLES}
    always = any(
        share >= (OFTEN_FOR_A_RARE_WORD if _is_rare(word) else ALMOST_ALWAYS) for word, share in shares.items()
    )
    return bool(shares) and (always or min(shares.values()) >= OFTEN)


def _is_rare(word: str) -> bool:
    return public_frequency(word) < RARE


# Candidates that occupy two places for one theme: parts of a longer phrase, and phrases that keep company.

MOST_OF_IT: Final = 0.5  # a part that is mostly said inside the longer phrase is no theme of its own
A_GOOD_PART: Final = 0.25  # a longer phrase stands beside a shorter one where it is this part of its uses
SAME_COMPANY: Final = 0.5  # of the documents with either, how many have both


def without_fragments(found: Iterable[Candidate]) -> list[Candidate]:
    """Keep a three-word phrase where it explains most uses of two of its words, and then not the two words.

    "Onion soup" is nearly always "french onion soup". A long phrase that is but a small part of a short one ("crab claw
    appetizer" of "crab claws") goes, and so does one between two short ones: its documents speak of those as well.
    """
    by_key = {candidate.key: candidate for candidate in found}
    for key in sorted((key for key in by_key if len(key) == LONGEST_PHRASE), key=lambda k: (by_key[k].support, k)):
        whole = by_key.pop(key)
        parts = [by_key[pair] for pair in combinations(key, 2) if pair in by_key]
        explained = [part for part in parts if len(part.documents & whole.documents) >= MOST_OF_IT * part.support]
        for part in explained:
            del by_key[part.key]
            whole = whole.with_variant(part)
        others = [part for part in parts if part not in explained]
        if _stands_beside(whole, others):
            by_key[key] = whole
    return list(by_key.values())


def without_companions(ranked: Iterable[Candidate]) -> list[Candidate]:
    """Merge a candidate into a better one that shares a word with it and stands in mostly the same documents."""
    kept: list[Candidate] = []
    for candidate in ranked:
        place = next((i for i, better in enumerate(kept) if _keep_company(better, candidate)), None)
        if place is None:
            kept.append(candidate)
        else:
            kept[place] = kept[place].with_variant(candidate)
    return kept


def _keep_company(one: Candidate, other: Candidate) -> bool:
    if set(one.key).isdisjoint(other.key):
        return False
    both = len(one.documents & other.documents)
    return both >= SAME_COMPANY * (one.support + other.support - both)


def _stands_beside(whole: Candidate, others: list[Candidate]) -> bool:
    return len(others) <= 1 and all(whole.support >= A_GOOD_PART * other.support for other in others)


# How telling a phrase is: how much more often it is said here than English words alone would have it.

RAREST: Final = 1e-8  # what the public list does not know is taken to be this rare
ENOUGH_BITS: Final = 12.0  # beyond, a phrase belongs to the field, and a rarer word ("hyaluronic") makes it no better


def tellingness(support: int, documents: int, words_per_document: float, words: Sequence[str]) -> float:
    """Return support times the bits by which it exceeds what public frequencies of its words lead to expect.

    The paper ranks by support alone; the second factor moves "long time" behind "dry skin" at the same support.

    >>> dry, long = (tellingness(50, 1000, 60.0, pair) for pair in (["dry", "skin"], ["long", "time"]))
    >>> round(dry), round(long)
    (600, 468)
    """
    expected = words_per_document * math.prod(max(RAREST, public_frequency(word)) for word in words)
    return support * min(ENOUGH_BITS, math.log2(max(2.0, support / documents / expected)))
