"""``unsupported-number``: every number must be a released value or public post-processing of released values.

A mass, support or interval must belong to an atom the sentence names; ranks and public constants stay allowed, unless
the words before the number say that it is a mass or a support.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.public.stage3_narrate.verify.bins import bin_claims
from dpspin.public.stage3_narrate.verify.check import entries_named
from dpspin.public.stage3_narrate.verify.passages import REFERENCE, Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity, quantities_of
from dpspin.public.stage3_narrate.verify.released import bin_count, is_public_constant, is_rank_of, is_value_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-number"

_IS = r"(?:\s+(?:of|is|was|at|about|around|approximately|roughly|equal\s+to|equals))*"
_CALLED_A_MASS = re.compile(rf"\b(?:mass|masses|support){_IS}[\s:=(]*$", re.IGNORECASE)
_RIGHT_AFTER_ATOM = re.compile(rf"{REFERENCE}\s*[(:=,]?\s*(?:(?:with|at|a|noisy|mass|support|of)\s+)*$", re.IGNORECASE)
_THEMES = r"(?:themes?|entries|entry|atoms?)"
_COUNTS_A_BIN = re.compile(
    rf"(?:\s+\w+){{0,2}}?\s+{_THEMES}\s+(?:has|have|with|at|in|of|shows?)\s+(?:a\s+|the\s+)?|\s+"
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report numbers that the plan does not support."""
    for sentence in text.sentences:
        for quantity in quantities_of(sentence):
            if not _is_supported(quantity, sentence, plan):
                start, end = sentence.start + quantity.start, sentence.start + quantity.end
                yield Violation(rule=RULE, message=_advice(text.raw[start:end], sentence, plan), span=(start, end))


def _is_supported(quantity: Quantity, sentence: Passage, plan: SemanticPlan) -> bool:
    counted = _bins_counted(quantity, sentence, plan)
    if counted:
        return quantity.value == bin_count(counted, plan)
    if is_value_of(quantity, _candidates(quantity, sentence, plan), plan):
        return True
    if not sentence.references:
        return is_rank_of(quantity, plan.entries) or is_public_constant(quantity, plan)
    if _CALLED_A_MASS.search(sentence.masked, 0, quantity.start) or quantity.value == 0:
        return False
    return is_rank_of(quantity, entries_named(sentence.atom_ids, plan)) or is_public_constant(quantity, plan)


def _candidates(quantity: Quantity, sentence: Passage, plan: SemanticPlan) -> list[PlanEntry]:
    """Return the entries whose masses the number may be: the one right before it, or those the sentence names."""
    if not sentence.references:
        return list(plan.entries)
    if _RIGHT_AFTER_ATOM.search(sentence.masked, 0, quantity.start):
        before = [r.atom_id for r in sentence.references if r.span[0] < sentence.start + quantity.start]
        return [entry for entry in entries_named(sentence.atom_ids, plan) if entry.atom_id == before[-1]]
    return entries_named(sentence.atom_ids, plan)


def _bins_counted(quantity: Quantity, sentence: Passage, plan: SemanticPlan) -> frozenset[str]:
    """Return the bins of "two themes with high support" or "two high-support themes", else nothing."""
    if quantity.kind not in {Kind.DIGITS, Kind.WORD} or quantity.decimals:
        return frozenset()
    for claim in bin_claims(sentence, plan):
        if _COUNTS_A_BIN.fullmatch(sentence.masked, quantity.end, claim.start):
            return claim.bins
    return frozenset()


def _advice(written: str, sentence: Passage, plan: SemanticPlan) -> str:
    released = [f"{entry.noisy_mass:.1f} for {entry.label!r}" for entry in entries_named(sentence.atom_ids, plan)[:3]]
    remedy = f"the released noisy mass is {', '.join(released)}" if released else "use released values only"
    return f"The number {written!r} is not a released value here: {remedy}, or remove it."
