"""From a model's draft to a text: what does not hold or was told already goes, what was left out comes in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf
from dpspin.public.narrate.decoders.menu import Chosen, Draft
from dpspin.public.narrate.duties import duties
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.layout import Pen, laid_out


@dataclass(frozen=True, slots=True)
class Composition:
    """The text, and what was done to the draft."""

    text: str
    kept: tuple[Claim, ...]
    dropped: tuple[Claim, ...]
    filled: tuple[Claim, ...]
    repeats: int
    malformed: int


def compose(draft: Draft, language: Language) -> Composition:
    """Write the text of a draft. Every listed theme is in it, whatever the draft left out."""
    told: dict[Claim, None] = {}
    dropped: list[Claim] = []

    def news(items: Sequence[Chosen]) -> Iterator[Chosen]:
        for item in items:
            if not language.may_say(item.claim):
                dropped.append(item.claim)
            elif item.claim not in told:
                told[item.claim] = None
                yield item

    paragraph, bullets = [*news(draft.paragraph)], [*news(draft.bullets)]
    kept = tuple(told)
    filled = tuple(_left_out(kept, language.facts))
    return Composition(
        text=_text(paragraph, [*bullets, *map(Chosen, filled)], language),
        kept=kept,
        dropped=tuple(dropped),
        filled=filled,
        repeats=len(draft.paragraph) + len(draft.bullets) - len(dropped) - len(kept),
        malformed=draft.malformed,
    )


def _left_out(told: Sequence[Claim], facts: Facts) -> Iterator[Claim]:
    """Say what no text may leave out, that this is private, and every listed theme that was not named."""
    named = {theme for claim in told for theme in claim.rows}
    themes = holding((IntervalOf(theme) for theme in facts.listed if theme not in named), facts)
    private = holding([PublicSentence(Saying.PRIVATE)], facts)
    return (claim for claim in (*themes, *duties(facts), *private) if claim not in told)


def _text(paragraph: Sequence[Chosen], bullets: Sequence[Chosen], language: Language) -> str:
    pen = Pen(language)
    first, listed = ([pen.sentence((each.claim,), each.connective) for each in part] for part in (paragraph, bullets))
    return laid_out([first], listed)
