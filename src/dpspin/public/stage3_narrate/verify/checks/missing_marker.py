"""``missing-marker``: in audit mode every label mention carries its canonical marker."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.checks.marker_label_mismatch import carries_foreign_marker
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "missing-marker"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report admitted labels without a marker (a foreign marker has its own rule)."""
    if text.mode is not Mode.AUDIT:
        return
    for mention in text.mentions:
        marked = mention.marker is not None and mention.marker.atom_id == mention.atom_id
        if mention.admitted and not marked and not carries_foreign_marker(mention):
            message = f"Put [atom:{mention.atom_id}] directly after {mention.label!r}."
            yield Violation(rule=RULE, message=message, span=mention.span)
