"""``marker-in-display``: display text is for readers and shows no markers."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "marker-in-display"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report every canonical marker in a display text."""
    if text.mode is not Mode.DISPLAY:
        return
    for marker in text.markers:
        message = f"Remove [atom:{marker.atom_id}]: display text names a theme by its label only."
        yield Violation(rule=RULE, message=message, span=marker.span)
    for none in text.nones:
        if none.is_marker:
            message = "Remove [none]: display text says in words what belongs to no theme."
            yield Violation(rule=RULE, message=message, span=none.span)
