"""``unsupported-superlative``: highest, lowest and ranks must agree with the released ranks and the public margins."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.superlatives import superlatives_of
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-superlative"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report the superlative and rank claims that the plan does not support."""
    for record in superlatives_of(text, plan):
        if record.problem:
            yield Violation(rule=RULE, message=record.problem, span=record.span)
