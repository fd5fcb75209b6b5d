"""``unsupported-baseline``: a theme lies above or below its public baseline only where its interval excludes it.

Whatever else is said of a baseline must be the plan's own sentence, which counts the themes that are told apart.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import baseline_sentence
from dpspin.public.stage3_narrate.claims.baseline import departure_of
from dpspin.public.stage3_narrate.verify.statements import Beside
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-baseline"

_BASELINE = re.compile(r"\b(?:base[-\s]?lines?|public[-\s]only)\b", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report what does not follow about a baseline."""
    for read in text.reads:
        if not _BASELINE.search(read.passage.masked):
            continue
        beside = [statement for statement in read.statements if isinstance(statement, Beside)]
        start, end = read.passage.span
        if beside:
            yield from (_violation(each.span, plan) for each in beside if not _follows(each, plan))
        elif " ".join(text.raw[start:end].split()) != baseline_sentence(plan):
            yield _violation((start, end), plan)


def _follows(claim: Beside, plan: SemanticPlan) -> bool:
    for atom in claim.atoms:
        departure = departure_of(plan, atom)
        if departure is None or not departure.differs or claim.denied:
            return False
        if (departure.share > departure.baseline) != claim.above:
            return False
    return bool(claim.atoms)


def _violation(span: tuple[int, int], plan: SemanticPlan) -> Violation:
    supported = baseline_sentence(plan)
    remedy = f"write {supported!r}, or remove it" if supported else "this plan has no comparison: remove it"
    return Violation(rule=RULE, message=f"What is said of a baseline does not follow: {remedy}.", span=span)
