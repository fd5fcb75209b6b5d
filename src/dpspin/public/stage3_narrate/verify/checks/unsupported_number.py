"""``unsupported-number``: every number must be a released value or public post-processing of released values.

A mass, support or interval must belong to an atom the sentence names; ranks and public constants stay allowed, unless
the words before the number say that it is a mass or a support. A number that its words bind ("epsilon is", "themes are
listed") must be that value.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.public.stage3_narrate.verify.bindings import bound_values, fits
from dpspin.public.stage3_narrate.verify.bins import BinClaim, bin_claims
from dpspin.public.stage3_narrate.verify.check import entries_named, measured
from dpspin.public.stage3_narrate.verify.passages import REFERENCE, Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity, quantities_of
from dpspin.public.stage3_narrate.verify.released import (
    bin_count,
    is_outward_end_of,
    is_public_constant,
    is_rank_of,
    is_value_of,
)
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.uncovered import NONE
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-number"

_IS = r"(?:\s+(?:of|is|was|at|about|around|approximately|roughly|equal\s+to|equals))*"
_CALLED_A_MASS = re.compile(rf"\b(?:mass|masses|support){_IS}[\s:=(]*$", re.IGNORECASE)
_RIGHT_AFTER_ATOM = re.compile(rf"{REFERENCE}\s*[(:=,]?\s*(?:(?:with|at|a|noisy|mass|support|of)\s+)*$", re.IGNORECASE)
_NEAR = 80  # characters: farther words do not belong to a number
_UP_TO = re.compile(r"\s*(?:to|and|–|—|-)\s*\d", re.IGNORECASE)
_FROM = re.compile(r"\d\s*(?:%|percent)?\s*(?:to|and|–|—|-)\s*$", re.IGNORECASE)
_THEMES = r"(?:themes?|entries|entry|atoms?)"
_COUNTS_A_BIN = re.compile(
    rf"(?:\s+\w+){{0,2}}?\s+{_THEMES}\s+(?:has|have|with|at|in|of|shows?)\s+(?:a\s+|the\s+)?|\s+"
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report numbers that the plan does not support."""
    for sentence in text.sentences:
        claims = bin_claims(sentence, plan)
        for quantity in quantities_of(sentence):
            if not _is_supported(quantity, sentence, claims, plan):
                start, end = sentence.start + quantity.start, sentence.start + quantity.end
                yield Violation(rule=RULE, message=_advice(text.raw[start:end], sentence, plan), span=(start, end))


def _is_supported(quantity: Quantity, sentence: Passage, claims: tuple[BinClaim, ...], plan: SemanticPlan) -> bool:
    counted = _bins_counted(quantity, sentence, claims)
    if counted:
        return quantity.value == bin_count(counted, plan)
    bound = bound_values(quantity, sentence, plan)
    if bound is not None:
        return fits(quantity, bound)
    candidates = _candidates(quantity, sentence, plan)
    if is_value_of(quantity, candidates) or _is_interval_end(quantity, sentence, candidates):
        return True
    if not sentence.references:
        return is_rank_of(quantity, plan.entries) or is_public_constant(quantity, plan)
    if _must_be_a_value(quantity, sentence):
        return False
    return is_rank_of(quantity, entries_named(sentence.atom_ids, plan)) or is_public_constant(quantity, plan)


def _must_be_a_value(quantity: Quantity, sentence: Passage) -> bool:
    """Tell whether a number can be nothing but a released value of what is named: beside "none", 5% is never beta."""
    called_a_mass = _CALLED_A_MASS.search(sentence.masked, max(0, quantity.start - _NEAR), quantity.start)
    return bool(called_a_mass) or quantity.value == 0 or NONE in sentence.atom_ids


def _is_interval_end(quantity: Quantity, sentence: Passage, candidates: list[PlanEntry | Uncovered]) -> bool:
    """Accept "14.8% to 17.2%", rounded outward as the report prints it."""
    if _UP_TO.match(sentence.masked, quantity.end):
        return is_outward_end_of(quantity, candidates, low=True)
    return bool(_FROM.search(sentence.masked, max(0, quantity.start - _NEAR), quantity.start)) and is_outward_end_of(
        quantity, candidates, low=False
    )


def _candidates(quantity: Quantity, sentence: Passage, plan: SemanticPlan) -> list[PlanEntry | Uncovered]:
    """Return the values whose masses the number may be: the one right before it, or those the sentence names."""
    if not sentence.references:
        return list(plan.entries)
    if _RIGHT_AFTER_ATOM.search(sentence.masked, 0, quantity.start):
        before = [r.atom_id for r in sentence.references if r.span[0] < sentence.start + quantity.start]
        return measured((before[-1],), plan)
    return measured(sentence.atom_ids, plan)


def _bins_counted(quantity: Quantity, sentence: Passage, claims: tuple[BinClaim, ...]) -> frozenset[str]:
    """Return the bins of "two themes with high support" or "two high-support themes", else nothing."""
    if quantity.kind not in {Kind.DIGITS, Kind.WORD} or quantity.decimals:
        return frozenset()
    for claim in claims:
        if _COUNTS_A_BIN.fullmatch(sentence.masked, quantity.end, claim.start):
            return claim.bins
    return frozenset()


def _advice(written: str, sentence: Passage, plan: SemanticPlan) -> str:
    released = [f"{entry.noisy_mass:.1f} for {entry.label!r}" for entry in entries_named(sentence.atom_ids, plan)[:3]]
    if NONE in sentence.atom_ids and plan.uncovered:
        released.append(f"{plan.uncovered.noisy_mass:.1f} for none of these")
    examples = f" ({', '.join(released)})" if released else ""
    return f"The number {written!r} is not a released value here: write a released value{examples}, or remove it."
