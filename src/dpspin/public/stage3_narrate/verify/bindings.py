"""Numbers bound to their word: "epsilon is 1", "three themes are listed" name the one value a number may have."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dpspin.boundary.certify import CertifiedMargins
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import departures_of
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.released import denominator_values

_IS = r"(?:\s+(?:of|is|was|are|at|about|approximately|roughly|equals?|epsilon|delta|value|level))*[\s:=(]*$"
_REACH = 80  # characters: farther words bind no number, and a long sentence stays cheap
_THEMES = r"(?:themes?|entries|entry|atoms?)"
_LISTED = r"(?:listed|released|reported|admitted|named|included|shown|highlighted|identified)"
_LISTS = (
    r"(?:list|release|report|name|include|contain|show|admit|cover|highlight)(?:s|ing)?|identif(?:y|ies)|has|have|with"
)


@dataclass(frozen=True, slots=True)
class Binding:
    """Words before and after a number, and the values the plan has for it (shares for percentages)."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    values: Callable[[SemanticPlan], tuple[float, ...]]

    def binds(self, quantity: Quantity, masked: str) -> bool:
        """Tell whether these words stand around the number."""
        before = self.before.search(masked, max(0, quantity.start - _REACH), quantity.start)
        return before is not None and self.after.match(masked, quantity.end) is not None


def bound_values(quantity: Quantity, sentence: Passage, plan: SemanticPlan) -> tuple[float, ...] | None:
    """Return the values that the words around a number allow, or None where they bind it to nothing."""
    if quantity.kind in {Kind.ORDINAL, Kind.VAGUE}:
        return None
    found = (binding.values(plan) for binding in _BINDINGS if binding.binds(quantity, sentence.masked))
    return next(found, None)


def fits(quantity: Quantity, values: tuple[float, ...]) -> bool:
    """Tell whether a number is one of the values, as a percentage or as it is, at the precision written."""
    if quantity.kind is Kind.PERCENT:
        return any(quantity.rounds(100 * value) for value in values)
    return any(quantity.equals(value) for value in values)


def _detection_limit(plan: SemanticPlan) -> tuple[float, ...]:
    threshold = plan.rules.certificates.admission_threshold
    return threshold, threshold / plan.denominator.value


def _confidence(plan: SemanticPlan) -> tuple[float, ...]:
    return (1 - plan.rules.beta,) if isinstance(plan.rules.margin, CertifiedMargins) else ()


def _clear(plan: SemanticPlan) -> tuple[float, ...]:
    return (sum(entry.clears_noise for entry in plan.entries),)


def _unclear(plan: SemanticPlan) -> tuple[float, ...]:
    return (sum(not entry.clears_noise for entry in plan.entries),)


def _told_apart(plan: SemanticPlan) -> tuple[float, ...]:
    return (sum(each.differs for each in departures_of(plan)),)


def _listed(plan: SemanticPlan) -> tuple[float, ...]:
    return (len(plan.entries),)


def _binding(values: Callable[[SemanticPlan], tuple[float, ...]], *, before: str = "", after: str = "") -> Binding:
    return Binding(re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE), values)


_BINDINGS = (
    _binding(lambda plan: (plan.statement.loss.delta,), before=rf"(?:\bdelta|δ){_IS}"),
    _binding(lambda plan: (plan.statement.loss.epsilon,), before=rf"(?:\bepsilon|ε|\bprivacy\s+(?:loss|budget)){_IS}"),
    _binding(denominator_values, before=rf"\b(?:denominator|total\s+mass){_IS}"),
    _binding(_confidence, after=r"\s+(?:confidence|probability)\b"),
    _binding(_detection_limit, before=rf"\b(?:detection\s+limit|admission\s+threshold){_IS}"),
    _binding(
        lambda plan: (plan.dictionary.size,),
        after=rf"\s+(?:\w+\s+){{0,2}}?{_THEMES}\s+(?:in|of)\s+the\s+(?:\w+\s+){{0,2}}?dictionary\b",
    ),
    _binding(  # "belongs to none of the 54 themes": of the dictionary, not of those listed
        lambda plan: (plan.dictionary.size,), before=rf"{BLOT}\s+(?:the\s+|these\s+)?$", after=rf"\s+{_THEMES}\b"
    ),
    _binding(_told_apart, after=r"\s+(?:is|are)\s+told\s+apart\s+from\s+the\s+public\s+baseline\b"),
    _binding(_unclear, after=r"\s+(?:\w+\s+){0,4}?(?:does|do|is|are)\s+not\s+(?:stand\s+)?clear\b"),
    _binding(_clear, after=r"\s+(?:\w+\s+){0,4}?(?:stands?|is|are)\s+clear\b"),
    _binding(_listed, after=rf"\s+(?:\w+\s+){{0,2}}?{_THEMES}\s+(?:is|are|was|were)\s+{_LISTED}\b"),
    _binding(_listed, after=rf"\s+{_LISTED}\s+{_THEMES}\b"),
    _binding(
        _listed,
        before=rf"\b(?:{_LISTS})\s+(?:only\s+|the\s+)?$",
        after=rf"\s+(?:of\s+the\s+[\d,]+\s+{_THEMES}|(?:\w+\s+){{0,1}}?{_THEMES})\b",
    ),
)
