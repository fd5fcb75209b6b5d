"""Sentences of the auxiliary text that show a candidate in use: short, and without what could point at a person.

A dictionary is published. So a sentence with an address, a link, a number of some length or a word that may be a name
is passed over, not repaired.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from dpspin.public.atoms.suggest.candidates import Candidate
from dpspin.public.atoms.suggest.canonical import keys_in
from dpspin.public.atoms.suggest.lexicon import PEOPLES
from dpspin.text.personal import TELLTALE
from dpspin.text.sentences import sentences_in
from dpspin.text.words import is_capitalised, tokens, without_markup, words_of

SHORTEST, LONGEST, LIKED = 25, 140, 60  # characters
LOOKED_AT: Final = 60  # sentences per candidate, of which the best are taken
_I: Final = re.compile(r"I(?:['’]\w+)?")


def examples(candidate: Candidate, texts: Sequence[str], most: int, used: set[str]) -> tuple[str, ...]:
    """Return up to ``most`` sentences, at most one per document; they are added to ``used`` and come only once."""
    found = islice(_sentences_with(candidate, texts, used), LOOKED_AT if most else 0)
    liked = sorted(dict(found).values(), key=lambda sentence: (abs(len(sentence) - LIKED), sentence))[:most]
    used.update(map(_bare, liked))
    return tuple(liked)


def is_quotable(sentence: str) -> bool:
    """Tell a short sentence without addresses, links, longer numbers or words that may be names.

    >>> is_quotable("The pump broke after a few uses."), is_quotable("I gave the pump to Maria at work.")
    (True, False)
    """
    if not SHORTEST <= len(sentence) <= LONGEST or sentence.isupper() or TELLTALE.search(sentence):
        return False
    if not sentence.isprintable():
        return False
    inner = tokens(sentence)[1:]
    return not any(is_capitalised(word) and not _I.fullmatch(word) and word.lower() not in PEOPLES for word in inner)


def _sentences_with(candidate: Candidate, texts: Sequence[str], used: set[str]) -> Iterator[tuple[str, str]]:
    for document in sorted(candidate.documents):
        for sentence in map(_tidy, sentences_in(without_markup(texts[document]))):
            bare = _bare(sentence)
            if bare not in used and is_quotable(sentence) and not candidate.keys.isdisjoint(keys_in(sentence)):
                yield bare, sentence
                break


def _tidy(sentence: str) -> str:
    """Return the sentence in single spaces, without the bullet of a list.

    >>> _tidy("- smells  odd")
    'smells odd'
    """
    return " ".join(sentence.split()).lstrip("-–—•*·~+>,;:) ")


def _bare(sentence: str) -> str:
    return " ".join(words_of(sentence))
