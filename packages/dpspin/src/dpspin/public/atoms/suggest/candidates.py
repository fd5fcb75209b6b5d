"""Phrases with their support: all mentions of one key together, and the forms in which people say it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpspin.public.atoms.suggest.canonical import Key, key_of
from dpspin.public.atoms.suggest.filters import why_dropped
from dpspin.public.atoms.suggest.harvest import Harvest

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
