"""``missing-marker``: in audit mode every label carries its canonical marker, and "none of these" has ``[none]``."""

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
    yield from _unmarked_nones(text)


def _unmarked_nones(text: Text) -> Iterator[Violation]:
    for sentence in text.sentences:
        nones = [none for none in text.nones if sentence.span[0] <= none.span[0] < sentence.span[1]]
        if nones and not any(none.is_marker for none in nones):
            message = "Put [none] into the sentence that speaks of what belongs to no theme."
            yield Violation(rule=RULE, message=message, span=nones[0].span)
