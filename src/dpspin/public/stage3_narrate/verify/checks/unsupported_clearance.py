"""``unsupported-clearance``: who stands clear of the noise is a released field of each entry."""

from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.statements import Clear, NoTheme, Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-clearance"


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report false claims about standing clear of the noise."""
    for statement in text.statements:
        match statement:
            case Clear(span=span, atoms=atoms, up=up, only=only):
                yield from _wrong(span, atoms, plan, up=up)
                if only and any(e.clears_noise == up for e in plan.entries if e.atom_id not in atoms):
                    yield Violation(rule=RULE, message="This is so of other themes too: do not say 'only'.", span=span)
            case NoTheme(span=span, clear=True) if any(entry.clears_noise for entry in plan.entries):
                yield Violation(rule=RULE, message="Some themes stand clear of the noise: say so.", span=span)
            case Unexplained(span=span, kind="clear" | "buried"):
                message = "Name the themes that stand clear of the noise, or remove this."
                yield Violation(rule=RULE, message=message, span=span)
            case _:
                pass


def _wrong(span: tuple[int, int], atoms: tuple[int, ...], plan: SemanticPlan, *, up: bool) -> Iterator[Violation]:
    if up and not plan.entries:
        yield Violation(rule=RULE, message="No theme stands clear of the noise in this plan: say so.", span=span)
    entries = entries_named(atoms, plan)
    if plan.entries and not entries:
        yield Violation(rule=RULE, message="Name the themes that stand clear of the noise, or remove this.", span=span)
    for entry in entries:
        if entry.clears_noise != up:
            state = "does not stand" if up else "stands"
            message = f"{named(entry)} {state} clear of the noise in the plan: say so, or remove this."
            yield Violation(rule=RULE, message=message, span=span)
            return
