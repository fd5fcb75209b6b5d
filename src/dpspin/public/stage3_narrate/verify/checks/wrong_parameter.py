"""``wrong-parameter``: a text names the mechanism and the protected unit of its own plan, and no others."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import GaussianNoise, LaplaceNoise, PrivateTopL, SetSelection, UserUnit
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "wrong-parameter"

_UNIT = re.compile(
    r"\b(?P<level>record|user)[-\s]+level\b|\bunit(?:\s+of\s+(?:protection|privacy|(?:this|the)\s+(?:plan|release)))?\s*(?:is|being|of|:|=|,)?\s*(?:the|a|an|one|each|every|single|\s)*(?P<unit>record|user|person|customer|employee|household|patient|individual)\b"
    r"|\bprotect(?:s|ed|ing)?\s+(?:each|every|any|one|a|an|single|individual)\s+(?:single\s+|individual\s+)?(?P<protects>\w+)"
    r"|\b(?P<before>\w+)\s+(?:is|as|being)\s+(?:the\s+)?(?:protected\s+|privacy\s+)?unit\b",
    re.IGNORECASE,
)
_NO_NOUN = frozenset({"it", "this", "that", "which", "unit", "contribution", "single", "individual"})
_MECHANISM = re.compile(
    r"\b(?P<laplace>laplace|laplacian)\b|\b(?P<gaussian>gaussian)\b|\b(?P<exponential>exponential\s+mechanism)\b|\b(?P<top>private[\s_-]*top[\s_-]*l)\b|\b(?P<set>set[\s_-]em)\b",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report a wrong mechanism or a wrong protected unit."""
    unit = "user" if isinstance(plan.statement.unit, UserUnit) else "record"
    for match in _UNIT.finditer(text.whole.masked):
        said = next(group for group in match.groups() if group).casefold().removesuffix("s")
        if said != unit and said not in _NO_NOUN:
            yield Violation(rule=RULE, message=f"The protected unit of this plan is the {unit}.", span=match.span())
    for match in _MECHANISM.finditer(text.whole.masked):
        if match.lastgroup not in _names(plan):
            message = f"The mechanism of this plan is {plan.statement.mechanism.kind}: name it, or none."
            yield Violation(rule=RULE, message=message, span=match.span())


def _names(plan: SemanticPlan) -> set[str]:
    """Return the names that fit: the mechanism's own, and that of its noise."""
    names = {"laplace"} if isinstance(plan.statement.noise, LaplaceNoise) else set()
    names |= {"gaussian"} if isinstance(plan.statement.noise, GaussianNoise) else set()
    names |= {"top", "exponential"} if isinstance(plan.statement.mechanism, PrivateTopL) else set()
    return names | ({"set", "exponential"} if isinstance(plan.statement.mechanism, SetSelection) else set())
