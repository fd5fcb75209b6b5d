"""``overclaimed-precision``: every released value carries noise, so none of them is exact or true."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import Public
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "overclaimed-precision"

_EXACT = re.compile(
    r"(?<!same\s)\b(?:is|are|was|were|gives?|shows?|represents?|reports?|states?)\s+(?:the\s+|all\s+)*(?:true|exact|actual|real|precise|accurate|certain|correct)\b"
    r"(?:\s+(?:counts?|numbers?|values?|figures?|frequenc\w+|shares?|masses|totals?))?(?!\s+(?:values?\s+)?(?:may|might|could|can|lies?|differ|unknown))",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report claims that values are exact."""
    for read in text.reads:
        denials = [statement.span[0] for statement in read.statements if isinstance(statement, Public)]
        for match in _EXACT.finditer(read.passage.masked):
            start, end = read.passage.at(match)
            if not any(at < end for at in denials):
                message = "Released values carry noise: call them approximate, or remove this."
                yield Violation(rule=RULE, message=message, span=(start, end))
