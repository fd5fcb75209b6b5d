"""A record as sentences: a theme is expressed by a sentence, and denied by another."""

import re
from collections.abc import Sequence

from dpspin.curator.records.cells import LONGEST_TEXT

_ENDS = re.compile(r"(?<=[.!?;])\s+|\n+|<br\s*/?>|(?<=[a-z][.!?])(?=[A-Z])")
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
MOST_SENTENCES = 500  # so that one absurd record cannot stall a run

COURTESY = frozenset(
    re.findall(
        r"\w+",
        "a advance afternoon all any appreciate appreciated asap be best bye can cheers concern could day dear evening "
        "for good goodbye great greetings have hello help hey hi i in it kind lot madam many may me morning much nice "
        "of or please regards sincerely sir so team thank thanks thx that the there to truly very warm week weekend "
        "whom wishes would you your yours",
    )
)


def sentences_of(text: str | None) -> list[str]:
    r"""Split a text into sentences; a text without any end mark is one sentence.

    >>> sentences_of("No wait at all. Great!\nWe will be back")
    ['No wait at all.', 'Great!', 'We will be back']
    """
    parts = (part.strip() for part in _ENDS.split((text or "")[:LONGEST_TEXT]))
    return [part for part in parts if part][:MOST_SENTENCES]


def is_courtesy(sentence: str) -> bool:
    """Tell greetings, thanks and closings, which open and end letters on any subject.

    >>> is_courtesy("Many thanks in advance!"), is_courtesy("Thanks to your rude agent I gave up.")
    (True, False)
    """
    words = _WORDS.findall(sentence.lower())
    return all(word in COURTESY for word in words)


def flattened(texts: Sequence[str | None]) -> tuple[list[str], list[int]]:
    """Return all sentences of a batch, and the record of each."""
    pieces, owners = [], []
    for owner, text in enumerate(texts):
        found = sentences_of(text)
        pieces.extend(found)
        owners.extend([owner] * len(found))
    return pieces, owners
