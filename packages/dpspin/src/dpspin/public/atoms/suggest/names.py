"""Which words are names of people, firms or places: English writes them with a capital, so spelling tells."""

from collections.abc import Iterable, Mapping
from typing import Final

from dpspin.public.atoms.suggest.lexicon import PEOPLES
from dpspin.text.stems import public_frequency

ALMOST_ALWAYS: Final = 0.7
OFTEN: Final = 0.4
OFTEN_FOR_A_RARE_WORD: Final = 0.55  # of words that public text hardly knows, most are names
RARE: Final = 1e-6


def is_name_like(words: Iterable[str], counts: Mapping[str, int], capitals: Mapping[str, int]) -> bool:
    """Tell a phrase with a word that nearly always has a capital, or whose words all often have one.

    A cuisine or a nation is no name: "Mexican food" stays.

    >>> is_name_like(["john", "besh"], {"john": 10, "besh": 9}, {"john": 9, "besh": 9})
    True
    """
    shares = {word: capitals.get(word, 0) / max(1, counts.get(word, 0)) for word in words if word not in PEOPLES}
    always = any(
        share >= (OFTEN_FOR_A_RARE_WORD if _is_rare(word) else ALMOST_ALWAYS) for word, share in shares.items()
    )
    return bool(shares) and (always or min(shares.values()) >= OFTEN)


def _is_rare(word: str) -> bool:
    return public_frequency(word) < RARE
