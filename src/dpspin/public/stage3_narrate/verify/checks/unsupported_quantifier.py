"""``unsupported-quantifier``: "all", "every", "each", "only" and "most" must belong to a claim that can be judged."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.checks.wrong_bin import sweeping_claims
from dpspin.public.stage3_narrate.verify.clearance import clearances_of
from dpspin.public.stage3_narrate.verify.passages import Passage
from dpspin.public.stage3_narrate.verify.quantities import COUNT
from dpspin.public.stage3_narrate.verify.superlatives import superlatives_in
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Span, Violation

RULE = "unsupported-quantifier"

_QUANTIFIER = re.compile(r"\b(?P<all>all|every|each)\b|\b(?P<only>only)\b|(?<!\bat\s)\b(?P<most>most)\b", re.IGNORECASE)
_VALUES = re.compile(
    r"(?:\s+(?:the|released|noisy|listed))*\s+(?:values?|mass(?:es)?|numbers?|intervals?)\b", re.IGNORECASE
)
_COUNTED = re.compile(rf"\s+{COUNT}\s+(?:\w+\s+){{0,2}}?(?:themes?|entries|entry|atoms?)\b", re.IGNORECASE)
_OF_THE_DICTIONARY = r"\s+(?:of|in)\s+the\s+(?:public\s+)?dictionary\b"
_ALL_OF_DICTIONARY = re.compile(rf"(?:\s+[\d,]+|\s+\w+)?\s+themes{_OF_THE_DICTIONARY}", re.IGNORECASE)
_ONLY_OF_DICTIONARY = re.compile(rf"\s+theme{_OF_THE_DICTIONARY}", re.IGNORECASE)
_OF = re.compile(r"\b(?:of|among|amongst|across)\s$", re.IGNORECASE)
_ONLY_THAT = re.compile(r"\s+that\b", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report quantifiers over what the plan does not count."""
    names = {support_bin.name.casefold() for support_bin in plan.rules.bins}
    for sentence in text.sentences:
        found = [match for match in _QUANTIFIER.finditer(sentence.masked) if match[0].casefold() not in names]
        claims = _Claims.of(sentence, plan) if found else None
        for match in found:
            if claims and not _is_judged(match, claims, plan):
                message = f"The plan does not support {match[0]!r} here: name the themes and their bins instead."
                yield Violation(rule=RULE, message=message, span=sentence.at(match))


@dataclass(frozen=True, slots=True)
class _Claims:
    """What other rules judge in a sentence, as positions in its own text."""

    superlatives: tuple[Span, ...]
    last_sweep: int  # where the last claim about all themes ends: a bin, or standing clear of the noise

    @classmethod
    def of(cls, sentence: Passage, plan: SemanticPlan) -> "_Claims":
        records = (record.span for record in superlatives_in(sentence, plan))
        superlatives = tuple((start - sentence.start, end - sentence.start) for start, end in records)
        clear = [claim.span[1] - sentence.start for claim in clearances_of(sentence, plan)]
        return cls(superlatives, max([0, *clear, *(claim.start for claim in sweeping_claims(sentence, plan))]))


def _is_judged(match: re.Match[str], claims: _Claims, plan: SemanticPlan) -> bool:
    if any(start <= match.start() < end for start, end in claims.superlatives):
        return True
    if match["only"]:
        return _is_judged_only(match, plan)
    return match["most"] is None and _is_judged_all(match, claims, plan)


def _is_judged_only(match: re.Match[str], plan: SemanticPlan) -> bool:
    if _ONLY_OF_DICTIONARY.match(match.string, match.end()):
        return plan.dictionary.size == 1
    return bool(_ONLY_THAT.match(match.string, match.end()) or _COUNTED.match(match.string, match.end()))


def _is_judged_all(match: re.Match[str], claims: _Claims, plan: SemanticPlan) -> bool:
    if _ALL_OF_DICTIONARY.match(match.string, match.end()):
        return len(plan.entries) == plan.dictionary.size
    return bool(
        claims.last_sweep > match.start()
        or _VALUES.match(match.string, match.end())
        or (claims.superlatives and _OF.search(match.string, max(0, match.start() - 10), match.start()))
    )
