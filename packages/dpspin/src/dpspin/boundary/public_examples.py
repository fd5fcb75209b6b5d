"""Which of a theme's public examples stand for it: at most six, by a fixed rule that both sides of the plan know.

The rule: of the different examples that can stand in a sentence of a report, take the one that shares most words with
all examples; then, again and again, the one that adds most to how well every example is covered by its best stand-in.
So a second one of the same kind is not taken while another kind is left. Likeness is the part of all stems of two
sentences that both have, in whole millionths: the same everywhere. Of equal ones the first in the dictionary is taken.
Plans name examples by their number here: the rule never changes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from dpspin.boundary.atoms import Atom
from dpspin.text.stems import cut_stem
from dpspin.text.words import TERM_WORD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_EXAMPLES: Final = 6
LONGEST: Final = 200  # characters of an example: a line of a report
UNSAYABLE: Final = re.compile(r"[\[\]“”\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]")  # seem to end it, or signs of ours
MILLION: Final = 1_000_000


def stems_of(sentence: str) -> list[str]:
    """Return the stems of a sentence's words, in order and with repeats.

    >>> stems_of("Waited for hours, and waited.")
    ['wait', 'for', 'hour', 'and', 'wait']
    """
    return [cut_stem(word) for word in TERM_WORD.findall(sentence.lower())]


def can_be_said(example: str) -> bool:
    """Tell whether an example can stand in a sentence of a report, between brackets."""
    return len(example) <= LONGEST and not UNSAYABLE.search(example) and bool(stems_of(example))


def chosen_examples(atom: Atom, most: int = MOST_EXAMPLES) -> tuple[str, ...]:
    """Return the examples that stand for a theme, in the order of its dictionary.

    >>> told = ("It came late.", "It came too late.", "Still no parcel.", "It came late again.")
    >>> chosen_examples(Atom(id=1, label="late", examples=told), most=2)
    ('It came late.', 'Still no parcel.')
    """
    return _chosen(atom.examples, most)


@lru_cache(maxsize=2**14)
def _chosen(examples: tuple[str, ...], most: int) -> tuple[str, ...]:
    told = [example for example in dict.fromkeys(examples) if can_be_said(example)]
    return tuple(told[place] for place in sorted(_standing_for(_likeness(told), most)))


def _likeness(told: Sequence[str]) -> "NDArray[np.int64]":
    """Return how alike each two sentences are, in millionths."""
    import numpy as np  # noqa: PLC0415  slow to import

    stems = [frozenset(stems_of(sentence)) for sentence in told]
    terms = {term: place for place, term in enumerate(sorted({term for mine in stems for term in mine}))}
    has = np.zeros((len(told), len(terms)), np.int64)
    for row, mine in enumerate(stems):
        has[row, [terms[term] for term in mine]] = 1
    both, sizes = has @ has.T, has.sum(axis=1)
    likeness: NDArray[np.int64] = both * MILLION // np.maximum(sizes[:, None] + sizes[None, :] - both, 1)
    return likeness


def _standing_for(likeness: "NDArray[np.int64]", most: int) -> list[int]:
    import numpy as np  # noqa: PLC0415  slow to import

    chosen: list[int] = []
    covered = np.zeros(len(likeness), np.int64)
    while len(chosen) < min(most, len(likeness)):
        gains = np.maximum(likeness, covered).sum(axis=1) - covered.sum()
        gains[chosen] = -1
        chosen.append(int(np.argmax(gains)))  # of equal ones the first
        covered = np.maximum(covered, likeness[chosen[-1]])
    return chosen
