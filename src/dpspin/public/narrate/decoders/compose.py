"""From a model's draft to a text: what does not hold or was told already goes, what was left out comes in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.orders import MarginOrder
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.themes import Unclear, WholeBin
from dpspin.public.narrate.claims.wholes import NotRead
from dpspin.public.narrate.decoders.menu import Chosen, Draft
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language


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
    """Write the text of a draft. Every listed theme is in it with its bin, whatever the draft left out."""
    told: dict[Claim, None] = {}
    dropped: list[Claim] = []

    def news(items: Sequence[Chosen]) -> Iterator[Chosen]:
        for item in items:
            if not _may_stand(item.claim, language):
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


def _may_stand(claim: Claim, language: Language) -> bool:
    return claim.holds(language.facts) and (language.shows_exact_values or not claim.audit_only)


def _left_out(told: Sequence[Claim], facts: Facts) -> Iterator[Claim]:
    """Say what no text may leave out: what was not read, every theme with its bin, what is not clear or not certain."""
    unclear = Unclear(tuple(theme for theme, entry in facts.listed.items() if not entry.clears_noise))
    names = dict.fromkeys(entry.bin for entry in facts.plan.entries)
    opening = PublicSentence(Saying.PRIVATE if facts.plan.is_private else Saying.SIMULATED)
    wanted = (*map(WholeBin, names), NotRead(), unclear, MarginOrder(), opening)
    for claim in (each.filled(facts) for each in wanted):
        if claim.holds(facts) and claim not in told:
            yield claim


def _text(paragraph: Sequence[Chosen], bullets: Sequence[Chosen], language: Language) -> str:
    turns: dict[str, int] = {}

    def sentence(chosen: Chosen) -> str:
        turns[chosen.claim.kind] = turn = turns.get(chosen.claim.kind, -1) + 1
        return language.written(chosen.claim, turn, chosen.connective)

    first = " ".join(map(sentence, paragraph))
    listed = "\n".join(f"- {sentence(chosen)}" for chosen in bullets)
    return "\n\n".join(filter(None, (first, listed)))
