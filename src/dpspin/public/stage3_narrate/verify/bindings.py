"""Numbers bound to their word: "epsilon is 1", "three themes are listed" name the one value a number may have."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dpspin.boundary.certify import FixedMargin
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import departures_of
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.released import denominator_values

_IS = (
    r"(?:[\s,]+(?:of|is|was|are|at|to|about|approximately|roughly|equals?|epsilon|delta|value|level|parameter|set|size|with|being|and|the|a))*"
    r"[\s:=(≈]*$"
)
_REACH = 80  # characters: farther words bind no number, and a long sentence stays cheap
_RULE = re.compile(r"\b(?:bins?|thresholds?|rules?|needed|required|boundary|boundaries|cut-?offs?)\b", re.IGNORECASE)
_FLOOR = re.compile(
    r"\b(?:from|start\w*|begin\w*|threshold\w*|rules?|under|over|than|needs?|needed|the|required|cut-?offs?|boundar\w+|limits?|at)"
    r"\W+(?:(?:of|at|is|the|to|and|from|\d+%?|\w+\s+at)\W+){0,4}$",
    re.IGNORECASE,
)
_HAS_CONFIDENCE = re.compile(r"\b(?:intervals?|between|clear|level)\b", re.IGNORECASE)
_UNITS = r"(?:records?|users?|units?|persons?|people)"


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
    ruled = _RULE.search(sentence.masked) and _FLOOR.search(sentence.masked, 0, quantity.start)
    if quantity.kind is Kind.PERCENT and ruled and fits(quantity, _floors(plan)):
        return _floors(plan)
    binding = next((each for each in _BINDINGS if each.binds(quantity, sentence.masked)), None)
    if binding is not None and binding.values is _confidence and _orders_by_a_margin(sentence, plan):
        return ()  # a public margin bounds no error: only intervals have a confidence then
    return None if binding is None else binding.values(plan)


def _orders_by_a_margin(sentence: Passage, plan: SemanticPlan) -> bool:
    return isinstance(plan.rules.margin, FixedMargin) and not _HAS_CONFIDENCE.search(sentence.masked)


def fits(quantity: Quantity, values: tuple[float, ...]) -> bool:
    """Tell whether a number is one of the values, as a percentage or as it is, at the precision written."""
    if quantity.kind is Kind.PERCENT:
        return any(quantity.rounds(100 * value) for value in values)
    return any(quantity.equals(value) for value in values)


def _detection_limit(plan: SemanticPlan) -> tuple[float, ...]:
    threshold = plan.rules.certificates.admission_threshold
    return threshold, threshold / plan.denominator.value


def _confidence(plan: SemanticPlan) -> tuple[float, ...]:
    return (1 - plan.rules.beta,)


def _told_apart(plan: SemanticPlan) -> tuple[float, ...]:
    return (sum(each.differs for each in departures_of(plan)),)


def _margins(plan: SemanticPlan) -> tuple[float, ...]:
    return plan.rules.comparison_margin, plan.rules.superlative_margin


def _floors(plan: SemanticPlan) -> tuple[float, ...]:
    return tuple(support_bin.at_least for support_bin in plan.rules.bins)


def _binding(values: Callable[[SemanticPlan], tuple[float, ...]], *, before: str = "", after: str = "") -> Binding:
    return Binding(re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE), values)


_BINDINGS = (
    _binding(_confidence, after=r"[\s-]+(?:confidence|probability|level|certified|intervals?|certainty)\b"),
    _binding(_confidence, before=rf"\b(?:confidence|probability|certainty){_IS}"),
    _binding(_confidence, before=r"\bintervals?\s*(?:at\s*)?\(?$", after=r"\s*(?:\)|\||$)"),
    _binding(lambda plan: (plan.statement.loss.delta,), before=rf"(?:\bdelta|δ){_IS}"),
    _binding(lambda plan: (plan.statement.loss.epsilon,), before=rf"(?:\bepsilon|ε|\bprivacy\s+(?:loss|budget)){_IS}"),
    _binding(denominator_values, before=rf"\b(?:denominator|total\s+mass){_IS}"),
    _binding(denominator_values, after=rf"\s+(?:as\s+(?:the\s+)?(?:public\s+)?denominator|{_UNITS}\b)"),
    _binding(_detection_limit, before=rf"\b(?:detection\s+limit|admission\s+threshold|noise\s+threshold){_IS}"),
    _binding(_margins, before=rf"\bdiffer(?:s|ing)?\s+by\s+less\s+than(?:\s+the)?(?:\s+\w+)?{_IS}"),
    _binding(_margins, before=rf"\bmargin{_IS}"),
    _binding(_floors, before=rf"\b(?:begins?|starts?|starting|beginning|threshold|floor){_IS}"),
    _binding(_floors, after=r"[\s-]+(?:floor|threshold|cut-?off|boundary|mark)\b"),
    _binding(lambda plan: (plan.rules.size,), before=rf"\b(?:plan\s+size|size){_IS}"),
    _binding(_told_apart, after=r"\s+(?:is|are)\s+told\s+apart\s+from\s+the\s+public\s+baseline\b"),
    _binding(
        lambda plan: (plan.statement.unit.bound,),
        before=rf"\b(?:bound|contribution|contributes|at\s+most|mass\s+of\s+at\s+most){_IS}",
    ),
)
