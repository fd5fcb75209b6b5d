"""From a model's draft to a text: what does not hold or was told already goes, what was left out comes in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import IntervalOf, Mention
from dpspin.public.narrate.decoders.menu import Draft
from dpspin.public.narrate.duties import unsaid
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

    def news(claims: Sequence[Claim]) -> Iterator[Claim]:
        for claim in claims:
            if not language.may_say(claim):
                dropped.append(claim)
            elif claim not in told:
                told[claim] = None
                yield claim

    paragraphs = [[*news(draft.paragraph)], [*news(draft.bullets)]]
    kept = tuple(told)
    themes, names = _unnamed(kept, language.facts)
    added = [*names, *_added((*kept, *themes, *names), language.facts)]
    return Composition(
        text=_text([*paragraphs, added], themes, language),
        kept=kept,
        dropped=tuple(dropped),
        filled=(*added, *themes),
        repeats=len(draft.paragraph) + len(draft.bullets) - len(dropped) - len(kept),
        malformed=draft.malformed,
    )


def _unnamed(told: Sequence[Claim], facts: Facts) -> tuple[list[Claim], list[Claim]]:
    """Return lines with the shares of listed themes that were not named; where there are none, a sentence of names."""
    named = {theme for claim in told for theme in claim.rows}
    missing = tuple(theme for theme in facts.listed if theme not in named)
    lines: list[Claim] = list(holding(map(IntervalOf, missing), facts))
    return lines, [] if lines else list(holding([Mention(missing)], facts))


def _added(told: Sequence[Claim], facts: Facts) -> list[Claim]:
    """Return what no text may leave out, and that this is private."""
    private = holding([PublicSentence(Saying.PRIVATE)], facts)
    return [*unsaid(told, facts), *(claim for claim in private if claim not in told)]


def _text(paragraphs: Sequence[Sequence[Claim]], listed: Sequence[Claim], language: Language) -> str:
    pen = Pen(language)
    return laid_out([[pen.sentence(claim) for claim in part] for part in paragraphs], map(language.written, listed))
