"""``importance-ordering``: the plan holds no importance score, so no text may order or stress themes by importance."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "importance-ordering"

_IMPORTANCE = re.compile(
    r"\b(?:more|most|less|least|very|highly|equally|particularly|especially)\s+"
    r"(?:significant|serious|pressing|relevant|concerning|valuable|worrying|severe|consequential)\b"
    r"|\b(?:un)?importan(?:t|ce|tly)\b(?!\s+to\s+(?:note|remember))"
    r"|\b(?:key|critical|crucial|vital|essential|urgent|urgency|paramount|pivotal)\b"
    r"|\bpriorit(?:y|ies|i[sz]e[sd]?)\b"
    r"|\bmatters?\s+(?:the\s+)?(?:most|more|less|least)\b"
    r"|\b(?:main|biggest|greatest|top|primary|chief)\s+(?:concern|problem|issue|worry|driver|pain\s+point)s?\b",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report every phrase that weighs themes by importance."""
    for match in _IMPORTANCE.finditer(text.whole.masked):
        message = f"{match[0]!r} claims importance, which the plan does not measure: speak of support instead."
        yield Violation(rule=RULE, message=message, span=match.span())
