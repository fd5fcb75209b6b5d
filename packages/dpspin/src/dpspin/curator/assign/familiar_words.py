"""Whether a map knows most of a record's words. Then the record is in a language that the map reads.

To ask CLD2 for the language of a text takes as long as to map it, and nearly all records consist of words that the
dictionary's own sentences hold. It is a fixed function of the record alone, as CLD2's answer is.
"""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from dpspin.curator.assign.contribution import Ints
from dpspin.curator.assign.evidence_sources import Evidence, Flags
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from dpspin.curator.assign.sentence_terms import sentences_of
from dpspin.curator.assign.term_classifier import TermVectors
from dpspin.text.words import TERM_WORD

RULE: Final = "not asked where at least 6 words, 7 of 10 of them known"  # part of a map's digest
FEWEST_WORDS: Final = 6
KNOWN, OF = 7, 10  # words


def mostly_known(words: Ints, known: Ints) -> Flags:
    """Tell by the number of a record's words, and of those that are known.

    >>> mostly_known(np.array([5, 10, 10]), np.array([5, 7, 6])).tolist()
    [False, True, False]
    """
    enough: Flags = (words >= FEWEST_WORDS) & (OF * known >= KNOWN * words)
    return enough


def familiar(sources: Sequence[Evidence], texts: Sequence[str]) -> Flags:
    """Tell which texts consist mostly of words of the dictionary's sentences; none, where no source learned from them.

    The compiled stages tell the same.
    """
    places = _vocabulary(sources)
    found = [[word in places for word in _words(text)] for text in texts]
    words, known = ([count(each) for each in found] for count in (len, sum))
    return mostly_known(np.array(words, np.int64), np.array(known, np.int64))


def knows_words(sources: Sequence[Evidence]) -> bool:
    """Tell whether any source learned from the words of the dictionary's sentences."""
    return bool(_vocabulary(sources))


def _vocabulary(sources: Sequence[Evidence]) -> Collection[str]:
    vectors = (one.vectors for one in sources if isinstance(one, ExampleEvidence))
    return next((each.places for each in vectors if isinstance(each, TermVectors)), ())


def _words(text: str) -> list[str]:
    return [word for sentence in sentences_of(text) for word in TERM_WORD.findall(sentence.lower())]
