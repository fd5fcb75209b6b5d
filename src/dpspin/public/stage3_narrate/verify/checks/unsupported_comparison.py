"""``unsupported-comparison``: "A has more support than B" must hold on noisy masses by more than the public margin."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.comparisons import comparisons_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-comparison"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report the pairwise comparisons that the plan does not support."""
    for comparison in comparisons_of(text, plan):
        if comparison.problem:
            yield Violation(rule=RULE, message=comparison.problem, span=comparison.span)
