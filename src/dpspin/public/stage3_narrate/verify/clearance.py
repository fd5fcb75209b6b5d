"""Read who is said to stand clear of the noise, and judge it by the released ``clears_noise``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.passages import Passage, clauses_of
from dpspin.public.stage3_narrate.verify.quantities import COUNT
from dpspin.public.stage3_narrate.verify.verdict import Span

_NOISE = r"\s+(?:the\s+)?noise\b"
_LIMIT = r"the\s+(?:noise|detection\s+limit|admission\s+threshold)\b"
_CLEAR = re.compile(
    rf"(?P<buried>\bindistinguishable\s+from{_NOISE}|\b(?:is|are|be)\s+noise\b|\bbelow\s+{_LIMIT})"
    rf"|\babove\s+{_LIMIT}|\bstand(?:s|ing)?\s+clear\b(?:\s+(?:of|from){_NOISE})?|\bclear\s+(?:of|from){_NOISE}|\bclears?{_NOISE}"
    rf"|\b(?:told|separated|distinguished|distinguishable|separable)\s+(?:apart\s+)?from{_NOISE}",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|none|no|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_COUNTED = re.compile(rf"\b{COUNT}\s+(?:\w+\s+){{0,5}}$|\bsome\b[^,;]*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clearance:
    """One statement about the noise, with the negation that belongs to it; ``problem`` is None where it holds."""

    span: Span
    problem: str | None


def clearances_of(sentence: Passage, plan: SemanticPlan) -> Iterator[Clearance]:
    """Yield what a sentence says about standing clear of the noise."""
    for clause in clauses_of(sentence):
        for match in _CLEAR.finditer(clause.masked):
            denial = _DENIED.search(clause.masked, 0, match.start())
            start = denial.start() if denial else match.start()
            span = clause.start + start, clause.start + match.end()
            yield Clearance(span, _problem(clause, match, plan, up=(denial is None) != bool(match["buried"])))


def _problem(clause: Passage, match: re.Match[str], plan: SemanticPlan, *, up: bool) -> str | None:
    if not clause.references and _COUNTED.search(clause.masked, 0, match.start()):
        return None  # "three of these stand clear": the number is judged as a number
    general = not clause.references or _speaks_of_all(clause, match)
    entries = plan.entries if general else entries_named(clause.atom_ids, plan)
    wrong = [entry for entry in entries if entry.clears_noise != up]
    if up and general and not plan.entries:
        return "No theme stands clear of the noise in this plan: say so."
    state = "does not stand" if up else "stands"
    return f"{named(wrong[0])} {state} clear of the noise in the plan: say so, or remove this." if wrong else None


def _speaks_of_all(clause: Passage, match: re.Match[str]) -> bool:
    return bool(re.search(r"\b(?:all|every|each|none|no)\b", clause.masked[: match.start()], re.IGNORECASE))
