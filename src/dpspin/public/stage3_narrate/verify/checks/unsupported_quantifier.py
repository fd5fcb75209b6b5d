"""``unsupported-quantifier``: "only", "most" and "no other" must belong to a claim that can be judged."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import Onlyness, Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-quantifier"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report quantifiers over what the plan does not count."""
    listed = {entry.atom_id for entry in plan.entries}
    for statement in text.statements:
        match statement:
            case Unexplained(span=span, kind="only" | "quantifier", text=words):
                message = f"The plan does not support {words!r} here: name the themes and their bins instead."
                yield Violation(rule=RULE, message=message, span=span)
            case Onlyness(span=span, atoms=atoms) if not listed <= set(atoms):
                message = "The plan lists more themes than were named: do not say that there is no other."
                yield Violation(rule=RULE, message=message, span=span)
            case _:
                pass
