"""``unsupported-clearance``: who stands clear of the noise must agree with the plan, for one theme or for all."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.clearance import clearances_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-clearance"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report themes that are set on the wrong side of the noise."""
    for sentence in text.sentences:
        for claim in clearances_of(sentence, plan):
            if claim.problem:
                yield Violation(rule=RULE, message=claim.problem, span=claim.span)
