"""Candidates that occupy two places for one theme: parts of a longer phrase, and phrases that keep company."""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from dpspin.public.atoms.suggest.candidates import Candidate
from dpspin.public.atoms.suggest.filters import LONGEST_PHRASE

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
