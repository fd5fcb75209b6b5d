"""The n-grams a text consists of: one definition, used for atoms, auxiliary text and records alike."""

from collections.abc import Sequence
from typing import Final

from sklearn.feature_extraction.text import CountVectorizer

from dpspin.boundary.atoms import Atom
from dpspin.curator.records.cells import LONGEST_TEXT


def counter(vocabulary: Sequence[str] | None = None) -> CountVectorizer:
    r"""Return the counter of words and word pairs: lower case, ``(?u)\b\w\w+\b``, English stop words left out.

    >>> sorted(counter().build_analyzer()("The late refund!"))
    ['late', 'late refund', 'refund']
    """
    return CountVectorizer(
        vocabulary=vocabulary, ngram_range=(1, 2), stop_words="english", preprocessor=_read, dtype="int64"
    )


def telling(atom: Atom) -> Atom:
    """Return the atom without a description that says its label again and nothing beyond its cues and stop words.

    Such a description is there for readers. A map would count the same words twice, or learn from a sentence that
    nobody writes. Descriptions of built dictionaries are of this kind, so that these are mapped by their labels, as in
    the paper.

    >>> telling(Atom(id=1, label="dry skin", description="Anything about “dry skin”.", cues=("skin dries",))).text
    'dry skin. skin dries'
    >>> telling(Atom(id=1, label="dry skin", description="The skin flakes.")).text
    'dry skin. The skin flakes.'
    """
    bare = atom.model_copy(update={"description": ""})
    return bare if _words(bare.text) >= _words(atom.description) >= _words(atom.label) else atom


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS(text))


def _read(text: str | None) -> str:
    return (text or "")[:LONGEST_TEXT].lower()


_WORDS: Final = CountVectorizer(stop_words="english", preprocessor=_read).build_analyzer()
