"""What maps count: a record's sentences, for a theme is expressed by one and denied by another, and a sentence's terms.

Terms are words, stems, pairs of either, and pieces of words, which make up for typos and for inflections that no
example shows. The paper's map counts n-grams: one definition, for atoms, auxiliary text and records alike.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from sklearn.feature_extraction.text import CountVectorizer

from dpspin.boundary.atoms import Atom
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.text.sentences import sentences_in
from dpspin.text.stems import REMEMBERED, cut_stem
from dpspin.text.words import LETTERS_WORD, TERM_WORD, words_of

MOST_SENTENCES = 500  # so that one absurd record cannot stall a run

COURTESY = frozenset(
    words_of(
        "a advance afternoon all any appreciate appreciated asap be best bye can cheers concern could day dear evening "
        "for good goodbye great greetings have hello help hey hi i in it kind lot madam many may me morning much nice "
        "of or please regards sincerely sir so team thank thanks thx that the there to truly very warm week weekend "
        "whom wishes would you your yours"
    )
)


def sentences_of(text: str | None) -> list[str]:
    """Split a record into sentences, as far as it is read."""
    return sentences_in((text or "")[:LONGEST_TEXT])[:MOST_SENTENCES]


def is_courtesy(sentence: str) -> bool:
    """Tell greetings, thanks and closings, which open and end letters on any subject.

    >>> is_courtesy("Many thanks in advance!"), is_courtesy("Thanks to your rude agent I gave up.")
    (True, False)
    """
    words = LETTERS_WORD.findall(sentence.lower())
    return all(word in COURTESY for word in words)


def flattened(texts: Sequence[str | None]) -> tuple[list[str], list[int]]:
    """Return all sentences of a batch, and the record of each."""
    pieces, owners = [], []
    for owner, text in enumerate(texts):
        found = sentences_of(text)
        pieces.extend(found)
        owners.extend([owner] * len(found))
    return pieces, owners


PIECES = (3, 4, 5)


def sentence_terms(text: str) -> list[str]:
    """Return the terms of one sentence, with repeats.

    >>> [term for term in sentence_terms("Waited hours") if not term.startswith("~")]
    ['waited', 'hours', 'waited hours', '#wait', '#hour', '#wait hour']
    """
    words = TERM_WORD.findall(text.lower())
    stems = [f"#{cut_stem(word)}" for word in words]
    return [
        *words,
        *(f"{one} {two}" for one, two in pairwise(words)),
        *stems,
        *(f"{one} {two[1:]}" for one, two in pairwise(stems)),
        *(piece for word in words for piece in _pieces(word)),
    ]


def record_terms(text: str) -> list[str]:
    """Return the words and word pairs of a whole record.

    >>> record_terms("A card was declined")
    ['a', 'card', 'was', 'declined', 'a card', 'card was', 'was declined']
    """
    words = TERM_WORD.findall(text.lower())
    return [*words, *(f"{one} {two}" for one, two in pairwise(words))]


@lru_cache(maxsize=REMEMBERED)
def _pieces(word: str) -> tuple[str, ...]:
    spaced = f" {word} "
    return tuple(f"~{spaced[start : start + size]}" for size in PIECES for start in range(len(spaced) - size + 1))


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
