"""``unsupported-coverage``: what belongs to no theme is a released share, given as it is, or it is not spoken of.

A plan has it only if the map answers "none of these". It has no bin, no rank and no margin: those are for themes. How
much the dictionary does cover is not released at all: the denominator need not be the mass that was measured.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.bins import bin_claims
from dpspin.public.stage3_narrate.verify.clearance import clearances_of
from dpspin.public.stage3_narrate.verify.comparisons import comparisons_in
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, quantities_of
from dpspin.public.stage3_narrate.verify.released import is_value_of
from dpspin.public.stage3_narrate.verify.superlatives import superlatives_in
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.uncovered import NONE
from dpspin.public.stage3_narrate.verify.verdict import Span, Violation

RULE = "unsupported-coverage"

_COVERS = re.compile(r"\b(?:covers?|covered|covering)\b", re.IGNORECASE)
_COVERS_RECORDS = re.compile(
    r"\bcover(?:s|ing)?\s+(?:the\s+|protected\s+)*(?:records?|text|collection|corpus|data)\b"
    r"|\b(?:records?|text|collection|corpus|data)\s+(?:is|are|was|were)\s+covered\b",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report statements on coverage that the plan does not support."""
    for sentence in text.sentences:
        if NONE in sentence.atom_ids:
            message = _problem(sentence, plan)
            if message:
                yield Violation(rule=RULE, message=message, span=sentence.span)
        for span in _claims_of_covering(sentence):
            message = "How much the dictionary covers is not released: remove this, or say what belongs to no theme."
            yield Violation(rule=RULE, message=message, span=span)


def _problem(sentence: Passage, plan: SemanticPlan) -> str | None:
    uncovered = plan.uncovered
    if uncovered is None:
        return "This plan did not measure what belongs to no theme: remove the sentence."
    if _weighs(sentence, plan):
        return "Bins, ranks, noise and comparisons are for themes: give only the released share of none of these."
    if not any(is_value_of(quantity, [uncovered]) for quantity in quantities_of(sentence)):
        return f"Give the released share of what belongs to no theme, {100 * uncovered.support:.1f}%, or remove this."
    return None


def _weighs(sentence: Passage, plan: SemanticPlan) -> bool:
    return bool(
        bin_claims(sentence, plan)
        or comparisons_in(sentence, plan)
        or superlatives_in(sentence, plan)
        or any(clearances_of(sentence, plan))
    )


def _claims_of_covering(sentence: Passage) -> Iterator[Span]:
    """Yield "covers 87.6%" and "covers the records" where no theme is meant."""
    if any(atom_id != NONE for atom_id in sentence.atom_ids):
        return
    shares = any(quantity.kind is Kind.PERCENT for quantity in quantities_of(sentence))
    for match in (_COVERS if shares else _COVERS_RECORDS).finditer(sentence.masked):
        yield sentence.at(match)
