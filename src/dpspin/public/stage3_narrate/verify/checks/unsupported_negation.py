"""``unsupported-negation``: a text may deny only what the plan denies, so each "not" must belong to a judged claim."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import NoTheme, Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-negation"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report denials of what the plan does not deny."""
    for statement in text.statements:
        match statement:
            case Unexplained(span=span, kind="not", text=words):
                message = f"{words!r} denies something the plan does not deny: say what the plan lists instead."
                yield Violation(rule=RULE, message=message, span=span)
            case NoTheme(span=span, clear=False) if plan.entries:
                yield Violation(rule=RULE, message="The plan lists themes: do not deny it.", span=span)
            case _:
                pass
