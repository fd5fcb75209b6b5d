"""``unsupported-completeness``: a plan lists what stood out from the noise, and never all that the records say."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.statements import Public
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-completeness"

_ALL = r"(?:all|everything|every|any|the\s+(?:full|entire|whole|complete)|most)"
_COMPLETE = re.compile(
    r"\b(?:full|complete|entire|whole|comprehensive|exhaustive)\s+(?:picture|view|account|list|summary|coverage|range|set|story|overview)\b"
    rf"|\baccounts?\s+for\s+{_ALL}\b|\b(?:cover|capture|represent|describe|explain|exhaust)(?:s|ed|ing)?\s+{_ALL}\b"
    r"|\b(?:list|plan|summary|overview|picture)\s+(?:is|was)\s+(?:\w+\s+)?(?:complete|exhaustive|comprehensive|full)\b"
    r"|\b(?:all|every)\s+(?:of\s+)?(?:the\s+)?(?:themes?|topics?|concerns?|issues?)\s+(?:in|of|from|that)\s+(?:(?:the|this|its)\s+)?+(?!plan|public|dictionary|list|table|summary|release|report|overview|bullet|high|low|moderate|medium)\w+"
    r"|\b(?:lists?|names?|contains?|includes?|reports?|shows?|holds?)\s+everything\b"
    r"|\beverything\b(?!\s+(?:listed|shown|released|in\s+the\s+(?:plan|table|list)))[^.;]{0,40}\b(?:data|records|texts|shown|listed|here)\b"
    r"|\b(?:themes?|topics?)\b[^.;]*\b(?:do|does|did)\s+not\s+(?:occur|exist|appear\s+in\s+the\s+(?!plan|list|table|summary))"
    r"|\b(?:anything|everything|whatever|what)\b[^.;]{0,40}\b(?:not|un)\s?(?:listed|named|released|mentioned)\b[^.;]{0,30}\b(?:does|do|did)\s+not\s+(?:occur|exist|appear|arise|come)\b"
    r"|\b(?:none|no)\b[^.;]{0,40}\b(?:themes?|topics?|concepts?|entries)\b[^.;]{0,20}\b(?:occurs|exists|appears\s+in\s+the\s+(?!plan|list|table)|arises|is\s+present)\b"
    r"|\bno\s+(?:matter|topic|subject|concern|issue|theme)s?\s+(?:outside|beyond|other\s+than)\b"
    r"|\bnothing\s+(?:of\s+note|of\s+importance|else\s+(?:was|is|came|matters))\b"
    r"|\b(?:theme|topic|concern|issue)s?\b[^.;]*\b(?:is|are|was|were)\s+(?:\w+\s+)?absent\b",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(r"\s+(?:cannot|can\s+not|could\s+not|is\s+not|should\s+not)\b", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:mean|impl(?:y|ies)|show|evidence|proof|says?|indicate|prove|necessarily|may|might|suggest|conclu|infer|thereby|taken|assum|follow)",
    re.IGNORECASE,
)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report claims that the listed themes are all there is."""
    for read in text.reads:
        denials = [statement.span[0] for statement in read.statements if isinstance(statement, Public)]
        for match in _COMPLETE.finditer(read.passage.masked):
            start, end = read.passage.at(match)
            said = match[0].casefold()
            hedged = said.endswith(("absent", "occur", "exist")) and _HEDGED.search(read.passage.masked)
            denied = (
                not said.endswith("absent") and not said.startswith("nothing") and any(at < start for at in denials)
            )
            if hedged or denied or _DENIED_AFTER.match(read.passage.masked, match.end()):
                continue
            message = "The plan does not tell whether this is all: remove the claim."
            yield Violation(rule=RULE, message=message, span=(start, end))
