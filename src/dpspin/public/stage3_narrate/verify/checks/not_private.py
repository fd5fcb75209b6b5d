"""``not-private``: a text may call the numbers private only for a release, and simulated only for a simulation."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "not-private"

_PRIVATE = re.compile(
    r"\bdifferential(?:ly)?[-\s]+priva(?:te|cy)\b|(?<!\bnot\s)\bprivate\b|\bprivacy\s+(?:is\s+)?guarantee[sd]?\b|\bDP\b",
    re.IGNORECASE,
)
_SIMULATED = re.compile(r"\bsimulat(?:ed|ion)\b", re.IGNORECASE)
_DENIED = re.compile(r"\bnot\s+$", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report a privacy claim about a simulation, and a release that is called a simulation."""
    pattern, remedy = (
        (_SIMULATED, "these numbers are a release, not a simulation")
        if plan.is_private
        else (_PRIVATE, "these numbers are simulated and not private: say so")
    )
    for match in pattern.finditer(text.whole.masked):
        if not _DENIED.search(text.whole.masked, 0, match.start()):
            yield Violation(rule=RULE, message=f"{match[0]!r} is wrong here: {remedy}.", span=match.span())
