"""``wrong-bin``: a support bin given to an atom must be its released bin, or a public coarsening that contains it."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.bins import BinClaim, bin_claims, governed
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.passages import Passage, clauses_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "wrong-bin"

_ALL_THEMES = re.compile(r"\b(?:all|every|each|both)\b[^,;]*\b(?:themes?|entries|entry|atoms?)\b", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report atoms that are placed in a bin the plan does not give them."""
    heading: tuple[BinClaim, ...] = ()
    for sentence in text.sentences:
        own = bin_claims(sentence, plan)
        yield from _sweeping(sentence, plan)
        if not sentence.references:
            heading = own  # "High support:" alone on its line governs the bullets below it
        elif own:
            for clause in clauses_of(sentence):
                yield from _misplaced(clause, bin_claims(clause, plan), plan)
        elif sentence.bullet:
            yield from _judged(sentence, heading, sentence.atom_ids, plan)
        if sentence.references and not sentence.bullet:
            heading = ()


def _misplaced(clause: Passage, claims: tuple[BinClaim, ...], plan: SemanticPlan) -> Iterator[Violation]:
    for claim, atom_ids in governed(clause, claims):
        yield from _judged(clause, (claim,), atom_ids, plan)


def sweeping_claims(sentence: Passage, plan: SemanticPlan) -> tuple[BinClaim, ...]:
    """Return the bins that "all themes have high support" gives to every theme."""
    claims = bin_claims(sentence, plan)
    return claims if claims and _ALL_THEMES.search(sentence.masked, 0, claims[0].start) else ()


def _sweeping(sentence: Passage, plan: SemanticPlan) -> Iterator[Violation]:
    everyone = tuple(entry.atom_id for entry in plan.entries)
    for claim in sweeping_claims(sentence, plan):
        yield from _judged(sentence, (claim,), everyone, plan)


def _judged(
    passage: Passage, claims: tuple[BinClaim, ...], atom_ids: tuple[int, ...], plan: SemanticPlan
) -> Iterator[Violation]:
    for claim in claims[:1]:
        for entry in entries_named(atom_ids, plan):
            if claim.negated or entry.bin not in claim.bins:
                message = f"The released support bin of {named(entry)} is {entry.bin}: say {entry.bin} support."
                yield Violation(rule=RULE, message=message, span=passage.span)
