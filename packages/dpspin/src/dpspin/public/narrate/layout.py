"""How a text is set out: sentences in paragraphs, then a list; what is said again in kind is said in other words."""

from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from typing import Final

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.language import BULLET, HEADING, Language, Sentence

# What may stand between two sentences, by whether the first and the second are lines of a list.
BETWEEN: Final = {
    (False, False): (" ", "\n\n"),
    (False, True): (f"\n\n{HEADING}\n",),
    (True, True): ("\n",),
    (True, False): ("\n\n",),
}


def laid_out(paragraphs: Iterable[Iterable[str]], bullets: Iterable[str]) -> str:
    r"""Set out sentences.

    >>> laid_out([["One.", "Two."], []], ["Three."])
    'One. Two.\n\nAmong the listed themes:\n- Three.'
    """
    lines = [BULLET + sentence for sentence in bullets]
    listed = "\n".join((HEADING, *lines)) if lines else ""
    return "\n\n".join(filter(None, (*map(" ".join, paragraphs), listed)))


def is_laid_out(text: str, sentences: Sequence[Sentence], ranked: Sequence[int]) -> bool:
    """Tell whether nothing but its own layout stands between sentences: lines below one would seem to belong to it.

    The themes of a list stand there by rank, each once.
    """
    lines = [theme for each in sentences if each.bullet for claim in each.claims or () for theme in claim.rows]
    if not sentences or lines != [theme for theme in ranked if theme in lines]:
        return False
    first, last = sentences[0], sentences[-1]
    inside = all(
        text[one.span[1] : other.span[0]] in BETWEEN[one.bullet, other.bullet] for one, other in pairwise(sentences)
    )
    before = f"{HEADING}\n" if first.bullet else ""
    return inside and text[: first.span[0]] == before and text[last.span[1] :].strip("\n") == ""


class Pen:
    """Writes the sentences of one text: a kind of claims that comes again is worded in another way."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._turns: dict[str, count[int]] = {}

    def sentence(self, claim: Claim) -> str:
        """Write the next sentence."""
        return self.language.written(claim, next(self._turns.setdefault(claim.kind, count())))
