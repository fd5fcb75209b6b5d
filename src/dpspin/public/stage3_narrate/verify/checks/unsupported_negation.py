"""``unsupported-negation``: "not", "no" and "nobody" may deny only what the plan lets one deny.

A plan says what was found. That something is absent it never says, so a free denial is a claim without support.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.negations import unexplained_negations
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-negation"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report denials that no other rule can judge."""
    for sentence in text.sentences:
        for match in unexplained_negations(sentence, plan):
            message = f"{match[0]!r} denies something the plan does not deny: say what the plan lists instead."
            yield Violation(rule=RULE, message=message, span=sentence.at(match))
