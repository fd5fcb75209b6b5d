"""``unsupported-coverage``: what belongs to no theme is a released share, given as it is, or it is not spoken of.

A plan has it only if the map answers "none of these". It has no bin, no rank and no margin: those are for themes. How
much the dictionary does cover is not released at all: the denominator need not be the mass that was measured.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, quantities_of
from dpspin.public.stage3_narrate.verify.released import is_value_of
from dpspin.public.stage3_narrate.verify.statements import Clear, Extreme, InBins, Inseparable, Order, Ranked, SameBin
from dpspin.public.stage3_narrate.verify.text import Read, Text
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
    for read in text.reads:
        if NONE in read.passage.atom_ids:
            message = _problem(read, plan)
            if message:
                yield Violation(rule=RULE, message=message, span=read.passage.span)
        for span in _claims_of_covering(read.passage):
            message = "How much the dictionary covers is not released: remove this, or say what belongs to no theme."
            yield Violation(rule=RULE, message=message, span=span)


def _problem(read: Read, plan: SemanticPlan) -> str | None:
    uncovered = plan.uncovered
    if uncovered is None:
        return "This plan did not measure what belongs to no theme: remove the sentence."
    if _weighs(read):
        return "Bins, ranks, noise and comparisons are for themes: give only the released share of none of these."
    numbers = list(quantities_of(read.passage))
    if not numbers and uncovered.low > 0:
        return None  # that some text belongs to no theme is certain
    if not any(is_value_of(quantity, [uncovered]) for quantity in numbers):
        return f"Give the released share of what belongs to no theme, {100 * uncovered.support:.1f}%, or remove this."
    return None


def _weighs(read: Read) -> bool:
    for statement in read.statements:
        match statement:
            case Order(higher=higher, lower=lower) if NONE in (*higher, *lower):
                return True
            case InBins() | Extreme() | Ranked() | Clear() | Inseparable() | SameBin() if NONE in statement.atoms:
                return True
            case _:
                pass
    return False


def _claims_of_covering(sentence: Passage) -> Iterator[Span]:
    """Yield "covers 87.6%" and "covers the records" where no theme is meant."""
    if any(atom_id != NONE for atom_id in sentence.atom_ids):
        return
    shares = any(quantity.kind is Kind.PERCENT for quantity in quantities_of(sentence))
    for match in (_COVERS if shares else _COVERS_RECORDS).finditer(sentence.masked):
        yield sentence.at(match)
