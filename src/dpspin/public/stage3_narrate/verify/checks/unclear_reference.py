"""``unclear-reference``: "the latter" and its like must refer to themes that were named."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unclear-reference"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report references that nothing stands before."""
    for statement in text.statements:
        match statement:
            case Unexplained(span=span, kind="reference", text=words):
                message = f"It is not clear which theme {words!r} is: name the theme."
                yield Violation(rule=RULE, message=message, span=span)
            case _:
                pass
