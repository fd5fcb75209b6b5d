"""``unsupported-label``: a label of the public dictionary may be written only if its atom is admitted.

The check sees labels outside the plan only when the caller hands the dictionary to ``verify``.
"""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-label"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report literal labels of atoms that are not in the plan."""
    for mention in text.mentions:
        if not mention.admitted:
            message = f"The theme {mention.label!r} is not in the plan: remove it."
            yield Violation(rule=RULE, message=message, span=mention.span)
