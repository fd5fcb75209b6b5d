"""``marker-label-mismatch``: the marker right after a label must be that label's own."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.text import Mention, Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "marker-label-mismatch"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report labels that carry the marker of another atom."""
    if text.mode is not Mode.AUDIT:
        return
    for mention in text.mentions:
        if carries_foreign_marker(mention) and mention.marker:
            message = f"{mention.label!r} is atom {mention.atom_id}: follow it with [atom:{mention.atom_id}]."
            yield Violation(rule=RULE, message=message, span=(mention.span[0], mention.marker.span[1]))


def carries_foreign_marker(mention: Mention) -> bool:
    """Tell whether an admitted label is directly followed by the marker of another atom."""
    wrong = mention.marker is not None and mention.marker.atom_id != mention.atom_id
    return mention.admitted and mention.touching and wrong
