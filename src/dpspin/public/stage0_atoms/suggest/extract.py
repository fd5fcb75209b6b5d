"""From words to the phrases among them: two or three telling words with at most a small joint between them.

"Staff was super friendly" and "friendly staff" are one phrase, and so are "wasted my money" and "a waste of money".
What reaches across a negation, a conjunction or another verb is no phrase.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dpspin.public.stage0_atoms.suggest.lexicon import BREAKS, COPULAS, DEGREES, DETERMINERS, LINKS

JOINED, TURNED, BROKEN = "", "is", "|"
_SHORTEST_WORD = 3
_EFFECT = {
    **dict.fromkeys(BREAKS, BROKEN),
    **dict.fromkeys(COPULAS, TURNED),
    **{link: link for link in LINKS},
    **dict.fromkeys(DETERMINERS | DEGREES, JOINED),
}


class Mention(NamedTuple):
    """A phrase where it stands: its telling words in plain order, and the joint that a label needs between them."""

    words: tuple[str, ...]
    joint: str

    @property
    def spoken(self) -> str:
        """The phrase as a person would say it."""
        return f" {self.joint} ".join(self.words) if self.joint else " ".join(self.words)


def mentions(words: Sequence[str]) -> Iterator[Mention]:
    """Yield the phrases among lower-case words; a mark or a digit parts them, as any very short word does.

    >>> [mention.spoken for mention in mentions("the staff was super friendly".split())]
    ['friendly staff']
    >>> [mention.spoken for mention in mentions("such a waste of my money".split())]
    ['waste of money']
    >>> list(mentions("pump , dispenser but not bottle".split()))
    []
    """
    before: tuple[str, ...] = ()  # the telling words that stand directly before, at most two
    joint = JOINED
    for word in words:
        effect = _EFFECT.get(word)
        if effect is None and len(word) < _SHORTEST_WORD:
            effect = BROKEN
        if effect is None:
            yield from _joined(before, joint, word)
            before = (*before[-1:], word) if joint == JOINED else (word,)
            joint = JOINED
        elif effect == BROKEN or (effect and joint):
            before, joint = (), JOINED
        elif effect and before:
            joint = effect


def _joined(before: tuple[str, ...], joint: str, word: str) -> Iterator[Mention]:
    if not before:
        return
    last = before[-1]
    if joint == TURNED:
        yield Mention((word, last), JOINED)
        return
    yield Mention((last, word), joint)
    if joint == JOINED and len(before) > 1:
        yield Mention((*before, word), JOINED)


def telling_words(spoken: str) -> list[str]:
    """Return the words of a spoken phrase without its joint.

    >>> telling_words("waste of money")
    ['waste', 'money']
    """
    return [word for word in spoken.split() if word not in LINKS]
