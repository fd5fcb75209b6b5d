"""How a text is set out: sentences in paragraphs, then bullets; what is said again in kind is said in other words."""

from collections.abc import Iterable, Sequence
from itertools import count

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.language import Language


def laid_out(paragraphs: Iterable[Iterable[str]], bullets: Iterable[str]) -> str:
    r"""Set out sentences.

    >>> laid_out([["One.", "Two."], []], ["Three."])
    'One. Two.\n\n- Three.'
    """
    listed = "\n".join(f"- {sentence}" for sentence in bullets)
    return "\n\n".join(filter(None, (*map(" ".join, paragraphs), listed)))


class Pen:
    """Writes the sentences of one text: a kind of claims that comes again is worded in another way."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._turns: dict[str, count[int]] = {}

    def sentence(self, claims: Sequence[Claim]) -> str:
        """Write the next sentence."""
        turns = [next(self._turns.setdefault(claim.kind, count())) for claim in claims]
        return self.language.joined(claims, turns)
