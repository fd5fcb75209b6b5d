"""``unknown-marker``: a canonical marker must point at an admitted atom."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_by_id
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unknown-marker"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report markers of atoms that the plan does not list."""
    admitted = entries_by_id(plan)
    for marker in text.markers:
        if marker.atom_id not in admitted:
            message = f"[atom:{marker.atom_id}] is not in the plan: remove it together with the theme it marks."
            yield Violation(rule=RULE, message=message, span=marker.span)
