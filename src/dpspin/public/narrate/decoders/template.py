"""The template decoder: claims that hold, in the order of the outline, each written by one of its forms."""

from dataclasses import dataclass
from itertools import count

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.history import History
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.outline import Outline, full_outline, short_outline
from dpspin.public.narrate.policy import Length, Mode

NO_HISTORY = History()


@dataclass(frozen=True, slots=True)
class TemplateDecoder:
    """Deterministic: the same plan gives the same text."""

    mode: Mode = Mode.DISPLAY
    length: Length = Length.FULL

    def __call__(self, facts: Facts, _history: History = NO_HISTORY, /) -> str:
        """Write the text of a plan."""
        outline = full_outline(facts) if self.length is Length.FULL else short_outline(facts)
        return composed(outline, Language(facts, self.mode))


def composed(outline: Outline, language: Language) -> str:
    """Write an outline; in a paragraph, a kind of claims that comes again is worded in another way."""
    seen: dict[str, count[int]] = {}

    def sentence(claims: tuple[Claim, ...]) -> str:
        return language.joined(claims, [next(seen.setdefault(claim.kind, count())) for claim in claims])

    paragraphs = [" ".join(sentence(claims) for claims in paragraph) for paragraph in outline.paragraphs]
    lines = "\n".join(f"- {language.written(claim)}" for claim in outline.lines)
    return "\n\n".join(filter(None, (*paragraphs, lines)))
