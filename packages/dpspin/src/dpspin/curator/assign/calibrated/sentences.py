"""A record as sentences: a theme is expressed by a sentence, and denied by another."""

from collections.abc import Sequence

from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.text.sentences import sentences_in
from dpspin.text.words import LETTERS_WORD, words_of

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
