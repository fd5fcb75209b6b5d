"""From a model's draft to a text: what is told twice or does not hold goes, what was left out comes in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.claim import Claim, rendered
from dpspin.public.stage3_narrate.claims.orders import MarginOrder
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.themes import BinGroup, InBin, Mention, Unclear
from dpspin.public.stage3_narrate.claims.values import OtherLanguages, OutsideDictionary
from dpspin.public.stage3_narrate.decoders.claim_forms import Draft, Drafted
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.stated import stated_sentences


@dataclass(frozen=True, slots=True)
class Composition:
    """The text, and what was done to the draft."""

    text: str
    kept: tuple[Claim, ...]
    dropped: tuple[Claim, ...]
    filled: tuple[Claim, ...]
    repeats: int
    malformed: int


@dataclass(slots=True)
class _Told:
    """What the text says already."""

    claims: set[Claim] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    binned: set[int] = field(default_factory=set)
    unclear: set[int] = field(default_factory=set)

    def news_in(self, claim: Claim, plan: SemanticPlan) -> Claim | None:
        """Return the part of a claim that was not told yet, and remember it."""
        match claim:
            case BinGroup():
                news = self.news_in(InBin(claim.atoms(plan), claim.bin), plan)
                return claim if news == InBin(claim.atoms(plan), claim.bin) else news
            case InBin(atoms=atoms) | Unclear(atoms=atoms) | Mention(atoms=atoms):
                known = self._known(claim)
                fresh = tuple(atom for atom in atoms if atom not in known)
                known.update(fresh)
                self.named.update(fresh)
                return replace(claim, atoms=fresh) if fresh else None
            case _ if claim in self.claims:
                return None
            case _:
                self.claims.add(claim)
                return claim

    def _known(self, claim: InBin | Unclear | Mention) -> set[int]:
        match claim:
            case InBin():
                return self.binned
            case Unclear():
                return self.unclear
            case Mention():
                return self.named


def compose(draft: Draft, plan: SemanticPlan, mode: Mode) -> Composition:
    """Write the text of a draft. Every theme of the plan is in it with its bin, whatever the draft left out."""
    told = _Told(claims={PublicText(Saying.OPENING)})
    dropped = tuple(item.claim for item in (*draft.paragraph, *draft.bullets) if not item.claim.holds(plan))
    paragraph, bullets = ([*_news(part, told, plan)] for part in (draft.paragraph, draft.bullets))
    filled = tuple(_left_out(told, plan))
    kept = [*paragraph, *bullets]
    first = [*_opening(plan, mode), *_sentences(paragraph, plan, mode, turn=0)]
    listed = _sentences([*bullets, *map(Drafted, filled)], plan, mode, turn=len(paragraph))
    lines = [" ".join(first), *(["", *(f"- {sentence}" for sentence in listed)] if listed else [])]
    return Composition(
        text="\n".join(lines),
        kept=tuple(item.claim for item in kept),
        dropped=dropped,
        filled=filled,
        repeats=len(draft.paragraph) + len(draft.bullets) - len(dropped) - len(kept),
        malformed=draft.malformed,
    )


def _news(items: Sequence[Drafted], told: _Told, plan: SemanticPlan) -> Iterator[Drafted]:
    for item in items:
        news = told.news_in(item.claim, plan) if item.claim.holds(plan) else None
        if news is not None:
            yield Drafted(news, item.connective)


def _left_out(told: _Told, plan: SemanticPlan) -> Iterator[Claim]:
    """Name each theme whose bin was not told, the best bin first, and what the noise leaves open."""
    unclear = Unclear(tuple(entry.atom_id for entry in plan.entries if not entry.clears_noise))
    bins = (BinGroup(support_bin.name) for support_bin in plan.rules.bins)
    wanted: tuple[Claim, ...] = (*bins, unclear, MarginOrder())
    for claim in wanted:
        news = told.news_in(claim, plan) if claim.holds(plan) else None
        if news is not None:
            yield news


def _opening(plan: SemanticPlan, mode: Mode) -> Iterator[str]:
    """Say what the text is, what it measures, what was not read and not covered: no draft can leave it out."""
    yield rendered(PublicText(Saying.OPENING), plan, mode)
    yield from stated_sentences(plan)
    for claim in (OtherLanguages(), OutsideDictionary()):
        if claim.holds(plan):
            yield rendered(claim, plan, mode)


def _sentences(items: Sequence[Drafted], plan: SemanticPlan, mode: Mode, turn: int) -> list[str]:
    return [
        _connected(item.connective, rendered(item.claim, plan, mode, turn + place)) for place, item in enumerate(items)
    ]


def _connected(connective: str, sentence: str) -> str:
    """Lead over to a sentence.

    >>> _connected("Also", "The plan lists “long wait”.")
    'Also, the plan lists “long wait”.'
    """
    return f"{connective}, {sentence[0].lower()}{sentence[1:]}" if connective else sentence
