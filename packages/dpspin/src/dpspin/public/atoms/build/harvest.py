"""From words to the phrases among them: two or three telling words with at most a small joint between them.

"Staff was super friendly" and "friendly staff" are one phrase, and so are "wasted my money" and "a waste of money".
What reaches across a negation, a conjunction or another verb is no phrase. A corpus is read once: which mention stands
in which document, and how words are spelt.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpspin.public.atoms.build.phrase_keys import (
    BREAKS,
    COPULAS,
    DEGREES,
    DETERMINERS,
    GREETINGS,
    LINKS,
    Key,
    key_of,
)
from dpspin.text.words import is_capitalised, lowered, tokens

JOINED, TURNED, BROKEN = "", "is", "|"
_SHORTEST_WORD = 3
_LONGEST_GREETING = 4  # words
_EFFECT = {
    **dict.fromkeys(BREAKS, BROKEN),
    **dict.fromkeys(COPULAS, TURNED),
    **{link: link for link in LINKS},
    **dict.fromkeys(DETERMINERS | DEGREES, JOINED),
}


class Mention(NamedTuple):
    """A phrase where it stands: its telling words in plain order, and the joint that a label needs after the first."""

    words: tuple[str, ...]
    joint: str

    @property
    def spoken(self) -> str:
        """The phrase as a person would say it."""
        first, *rest = self.words
        return " ".join([first, self.joint, *rest] if self.joint else self.words)


def mentions(words: Sequence[str]) -> Iterator[Mention]:
    """Yield the phrases among lower-case words; a mark or a digit parts them, as any very short word does.

    >>> [mention.spoken for mention in mentions("the staff was super friendly".split())]
    ['friendly staff']
    >>> [mention.spoken for mention in mentions("such a waste of my money".split())]
    ['waste of money']
    >>> [mention.spoken for mention in mentions("victim of identity theft".split())]
    ['victim of identity', 'identity theft', 'victim of identity theft']
    >>> list(mentions("pump , dispenser but not bottle".split()))
    []
    """
    before: tuple[str, ...] = ()  # the telling words that stand directly before, at most two
    joint = linked = JOINED  # to the last of them, and between them
    for word in without_greetings(words):
        effect = _EFFECT.get(word)
        if effect is None and _parts(word):
            effect = BROKEN
        if effect is None:
            yield from _joined(before, joint, linked, word)
            before = (word,) if joint == TURNED else (*before[-1:], word)
            joint, linked = JOINED, joint
        elif effect == BROKEN or (effect and joint):
            before, joint = (), JOINED
        elif effect and before:
            joint = effect


def without_greetings(words: Sequence[str]) -> list[str]:
    """Leave out whom a letter greets: a greeting at the start of a sentence, and what stands between it and a mark.

    >>> " ".join(without_greetings("dear support team , my parcel is late . hi skin".split()))
    ', my parcel is late .'
    """
    kept: list[str] = []
    place = 0
    while place < len(words):
        if words[place] in GREETINGS and not (kept and kept[-1].isalpha()):
            ends = (end for end in range(place, place + _LONGEST_GREETING) if not _is_word(words, end))
            place = next(ends, place + 1)
        else:
            kept.append(words[place])
            place += 1
    return kept


def _is_word(words: Sequence[str], place: int) -> bool:
    return place < len(words) and words[place].isalpha()


def _joined(before: tuple[str, ...], joint: str, linked: str, word: str) -> Iterator[Mention]:
    if not before:
        return
    last = before[-1]
    if joint == TURNED:
        yield Mention((word, last), JOINED)
        return
    yield Mention((last, word), joint)
    if joint == JOINED and len(before) > 1:
        yield Mention((*before, word), linked)


def _parts(word: str) -> bool:
    """Tell a very short word, a negation, or a run of one letter: that is how publishers blacken names, as XXXX.

    >>> [_parts(word) for word in ("xxxx", "mustn't", "account")]
    [True, True, False]
    """
    return len(word) < _SHORTEST_WORD or word.endswith("n't") or len(set(word)) == 1


def telling_words(spoken: str) -> list[str]:
    """Return the words of a spoken phrase without its joint.

    >>> telling_words("waste of money")
    ['waste', 'money']
    """
    return [word for word in spoken.split() if word not in LINKS]


def keys_in(text: str) -> set[Key]:
    """Return the keys of all phrases in a text.

    >>> keys_in("I wasted my money, and the pump is broken.") == {("money", "waste"), ("break", "pump")}
    True
    """
    return {key_of(mention.words) for mention in mentions(lowered(tokens(text)))}


@dataclass(frozen=True, slots=True)
class Harvest:
    """Mentions by number; ``numbers[i]`` was found in document ``documents[i]``."""

    mentions: tuple[Mention, ...]
    numbers: NDArray[np.int64]
    documents: NDArray[np.int64]
    size: int  # documents in all
    words: Counter[str]  # and marks
    capitals: Counter[str]  # of these, how many are written with a capital inside a sentence


def harvest(texts: Iterable[str]) -> Harvest:
    """Read all texts.

    >>> found = harvest(["Dry skin, very dry skin!", "My skin is dry."])
    >>> [mention.spoken for mention in found.mentions], found.documents.tolist(), found.words["skin"]
    (['dry skin'], [0, 1], 3)
    """
    known: dict[Mention, int] = {}
    numbers, documents = array("q"), array("q")
    words, capitals = Counter[str](), Counter[str]()
    size = 0
    for text in texts:
        spelt = tokens(text)
        low = lowered(spelt)
        words.update(low)
        capitals.update(lowered(_capitals(spelt)))
        here = {known.setdefault(mention, len(known)) for mention in mentions(low)}
        numbers.extend(sorted(here))
        documents.extend([size] * len(here))
        size += 1
    return Harvest(tuple(known), _whole(numbers), _whole(documents), size, words, capitals)


def _capitals(spelt: list[str]) -> list[str]:
    """Return the words with a capital that follow another word: after a mark they may owe it to their place."""
    return [word for word, before in zip(spelt[1:], spelt, strict=False) if is_capitalised(word) and before.isalpha()]


def _whole(numbers: "array[int]") -> NDArray[np.int64]:
    return np.frombuffer(numbers, np.int64) if numbers else np.zeros(0, np.int64)
