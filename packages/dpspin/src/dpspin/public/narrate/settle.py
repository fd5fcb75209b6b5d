"""Settling free prose: what reads back as claims that hold is kept as it was written, and nothing else.

A sentence that cannot be read is replaced by claims that its writer names for it, if those hold, or is left out. What
is left is verified; how much of the wording survived is told. What no text may leave out is added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.duties import unsaid
from dpspin.public.narrate.language import BULLET, Language
from dpspin.public.narrate.layout import laid_out
from dpspin.public.narrate.verdict import Status
from dpspin.public.narrate.verify import judged

Naming = Callable[[Sequence[str]], Sequence[Sequence[Claim]]]  # of sentences: the claims that each was meant to make


@dataclass(frozen=True, slots=True)
class Settled:
    """The text that stands, and what became of the sentences: kept as written, replaced, or left out."""

    text: str
    kept: int
    replaced: int
    left_out: int

    @property
    def survived(self) -> float:
        """The share of the sentences that stand as they were written."""
        return self.kept / max(1, self.kept + self.replaced + self.left_out)


def settle(text: str, language: Language, named: Naming | None = None) -> Settled:
    """Keep what is verified; replace the rest by the claims that are named for it, each once, or leave it out."""
    verdicts = [judged(sentence, language) for sentence in language.read(text)]
    refused = [each for each in verdicts if each.status is not Status.VERIFIED]
    meant = iter(named([each.text for each in refused]) if named and refused else [()] * len(refused))
    lines: list[tuple[bool, str]] = []
    told: set[str] = set()
    replaced = 0
    for verdict in verdicts:
        bare = verdict.text.removeprefix(BULLET) if verdict.bullet else verdict.text
        own = [bare] if verdict.status is Status.VERIFIED else _written(next(meant), language)
        fresh = [sentence for sentence in own if sentence not in told]
        told.update(fresh)
        replaced += bool(fresh) and verdict.status is not Status.VERIFIED
        lines += [(verdict.bullet and verdict.status is Status.VERIFIED, sentence) for sentence in fresh]
    kept = len(verdicts) - len(refused)
    paragraph, listed = ([sentence for bullet, sentence in lines if bullet is wanted] for wanted in (False, True))
    bullets = _by_rank(listed, language)
    claims = {claim for line in (*paragraph, *bullets) for each in language.read(line) for claim in each.claims or ()}
    added = map(language.written, unsaid(claims, language.facts))
    return Settled(laid_out([[*paragraph, *added]], bullets), kept, replaced, len(refused) - replaced)


def _by_rank(lines: Sequence[str], language: Language) -> list[str]:
    """Put the lines of a list in the order of ranks, the first one of each theme: so a list must stand."""
    read = [(line, claim) for line in reversed(lines) for each in language.read(line) for claim in each.claims or ()]
    of = {theme: line for line, claim in read for theme in claim.rows}
    return [of[theme] for theme in language.facts.listed if theme in of]


def _written(claims: Sequence[Claim], language: Language) -> list[str]:
    return [language.written(claim) for claim in claims if language.may_say(claim)]
