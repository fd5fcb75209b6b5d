"""``importance-ordering``: the plan holds no importance score, so no text may order or stress themes by importance."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import Public
from dpspin.public.stage3_narrate.verify.text import Read, Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "importance-ordering"

_IMPORTANCE = re.compile(
    r"\b(?:more|most|less|least|very|highly|equally|particularly|especially)\s+"
    r"(?:significant|serious|pressing|relevant|concerning|valuable|worrying|severe|consequential)\b"
    r"|\b(?:un)?importan(?:t|ce|tly)\b(?!\s+to\s+(?:note|remember|stress|bear|keep|recall|mention|emphasi[sz]e)\b)"
    r"|\bkey\b(?!\s+(?:observations?|findings?|points?|takeaways?|results?|messages?|facts?|figures?|insights?|themes)\b)"
    r"|\b(?:critical|crucial|vital|essential)\b(?!\s+to\s+(?:note|remember|stress|bear|keep|recall)\b)"
    r"|\b(?:urgent|urgency|paramount|pivotal)\b"
    r"|\bpriorit(?:y|ies|i[sz]e[sd]?)\b"
    r"|\bmatters?\s+(?:the\s+)?(?:most|more|less|least)\b"
    r"|\b(?:main|biggest|greatest|top|primary|chief)\s+(?:concern|problem|issue|worry|driver|pain\s+point)s?\b",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report every phrase that weighs themes by importance."""
    denied = [read.passage.span for read in text.reads if _only_denies(read)]
    for match in _IMPORTANCE.finditer(text.whole.masked):
        if any(start <= match.start() < end for start, end in denied):
            continue
        message = f"{match[0]!r} claims importance, which the plan does not measure: speak of support instead."
        yield Violation(rule=RULE, message=message, span=match.span())


def _only_denies(read: Read) -> bool:
    """Tell "bins do not express importance" from a claim of it."""
    return not read.passage.references and any(isinstance(statement, Public) for statement in read.statements)
