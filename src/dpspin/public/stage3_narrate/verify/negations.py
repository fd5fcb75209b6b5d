"""Negations: a text may deny only what the plan denies, so each "not" must belong to a claim that some rule judges."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.clearance import clearances_of
from dpspin.public.stage3_narrate.verify.comparisons import comparisons_in
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage
from dpspin.public.stage3_narrate.verify.verdict import Span

_NEGATION = re.compile(
    r"\b(?:not|none|never|neither|nor|nobody|nothing|nowhere|without|cannot|hardly|barely|scarcely|no(?!\.\s*\d))\b"
    r"|\b\w+n['’]t\b",
    re.IGNORECASE,
)
_UNITS = r"(?:records?|users?|people|persons?|individuals?|customers?|units?)"
# What support is not: true of every plan.
_NOT_A_COUNT = re.compile(
    rf"\b(?:not|nor|neither)\s+(?:a|an|the)\s+(?:\w+\s+)?(?:count|share|number|fraction|proportion|percentage|frequency)"
    rf"(?:\s+of\s+(?:the\s+)?{_UNITS})?\b|\bnot\s+exact\b",
    re.IGNORECASE,
)
_NOT_PRIVATE = re.compile(r"\bnot\s+(?:differentially\s+)?private\b", re.IGNORECASE)
_NOT_SAID = re.compile(
    rf"\b(?:do|does)\s+not\s+(?:say|imply|reveal|claim|state|mean)\b(?:\s+how\s+many\s+{_UNITS})?\b", re.IGNORECASE
)
_NOT_LISTED = re.compile(r"\bno\s+themes?\s+(?:is|are)\s+(?:listed|released|reported|admitted)\b", re.IGNORECASE)
_CLOSE_THEMES = re.compile(r"\bclose\b.*?\bcannot\s+be\s+told\s+apart\b", re.IGNORECASE)
_UP_TO_THE_CLAIM = re.compile(rf"(?:\s+[^\W\d{BLOT}]+){{0,3}}\s*")


def public_denials(sentence: Passage, plan: SemanticPlan) -> Iterator[Span]:
    """Yield the places, in the sentence's own text, where it denies what is not so of any plan like this one."""
    patterns = [_NOT_A_COUNT]
    if not plan.is_private:
        patterns.append(_NOT_PRIVATE)
    if not sentence.references:
        patterns += [_NOT_SAID, _CLOSE_THEMES, *([] if plan.entries else [_NOT_LISTED])]
    for pattern in patterns:
        yield from (match.span() for match in pattern.finditer(sentence.masked))


def unexplained_negations(sentence: Passage, plan: SemanticPlan) -> Iterator[re.Match[str]]:
    """Yield the negations that neither are public nor belong to a comparison, a tie or a word on the noise."""
    found = list(_NEGATION.finditer(sentence.masked))
    if not found:
        return
    explained = [*public_denials(sentence, plan), *_judged_elsewhere(sentence, plan)]
    claims = [span[0] - sentence.start for span in (record.span for record in comparisons_in(sentence, plan))]
    for match in found:
        within = any(start <= match.start() < end for start, end in explained)
        before = any(_UP_TO_THE_CLAIM.fullmatch(sentence.masked, match.end(), start) for start in claims)
        if not within and not before:
            yield match


def _judged_elsewhere(sentence: Passage, plan: SemanticPlan) -> Iterator[Span]:
    spans = [claim.span for claim in clearances_of(sentence, plan)]
    for start, end in (*spans, *(record.span for record in comparisons_in(sentence, plan))):
        yield start - sentence.start, end - sentence.start
