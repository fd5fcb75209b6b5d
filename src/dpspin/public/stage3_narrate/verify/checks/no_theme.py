"""``no-theme``: a text about a plan with entries names at least one of them; an empty text is no text."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_by_id
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "no-theme"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report a text that says nothing about the plan."""
    span = (0, len(text.raw))
    if not text.raw:
        yield Violation(rule=RULE, message="The text is empty: write a short summary of the plan.", span=span)
    elif plan.entries and not set(text.whole.atom_ids) & set(entries_by_id(plan)):
        message = f"The text names no theme of the plan: mention at least {plan.entries[0].label!r}."
        yield Violation(rule=RULE, message=message, span=span)
