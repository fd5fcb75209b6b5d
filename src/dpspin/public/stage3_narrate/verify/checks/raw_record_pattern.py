"""``raw-record-pattern``: nothing in a text may look like a piece of a record or an identifier of a person.

The decoder never sees a record, so such a piece is invented; a reader cannot know that. These are public regular
expressions; they are applied to the masked text, because a public label may well contain an at-sign.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.passages import BLOT
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Span, Violation

RULE = "raw-record-pattern"

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_HOLDER = r"(?:account|acct|case|order|ticket|invoice|claim|policy|booking|transaction|tracking|card|customer|patient)"

_PATTERNS: dict[str, re.Pattern[str]] = {
    "an e-mail address": re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    "a user handle": re.compile(r"(?<![\w.])@\w{2,}"),
    "a web address": re.compile(r"(?i:\bhttps?://\S+|\bwww\.\S+|\b[\w-]+\.(?:com|org|net|io|gov|edu)\b)"),
    "a network address": re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"),
    "a social security number": re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
    "a phone number": re.compile(r"(?<![\w.,])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,4}\)|\d{2,4})[\s.-]\d{3}[\s.-]\d{3,4}\b"),
    "an international phone number": re.compile(r"(?<!\w)\+\d[\d\s-]{6,}\d\b"),
    "an identifier": re.compile(
        rf"(?i:\b{_HOLDER}s?\s*(?:number|no\.?|id)?\s*[:#]?\s*#?[a-z]{{0,4}}-?\d[\w-]{{2,}})|\b[A-Z]{{2,}}-?\d{{3,}}\b"
        rf"|(?i:\b(?:id|ref(?:erence)?)\s*(?:number|no\.?)?\s*[:#]\s*[\w-]*\d[\w-]*)"
    ),
    "a date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b{_MONTH}\.?\s+\d{{1,4}}(?:st|nd|rd|th)?\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b|\b(?:[Ii]n|[Ss]ince|[Dd]uring|[Ll]ast)\s+{_MONTH}\b"
    ),
    "a day": re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"),
    "a time of day": re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE),
    "a street address": re.compile(
        r"\b\d+\s+(?:[A-Z]\w+\s+){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Drive|Boulevard|Blvd)\b"
    ),
    "a person's name": re.compile(
        r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam|Officer|Judge|Captain|Nurse|Sergeant)\b\.?\s+[A-Z]\w+"
        r"|\b(?:named|called|by the name of)\s+[A-Z]\w+"
    ),
}
_LONG_DIGITS = re.compile(r"(?<![\d.,])\d{7,}(?!\d|[.,]\d)")
_QUOTATION = re.compile(r"“[^“”\n]*”|\"[^\"\n]*\"|«[^«»\n]*»|‘[^‘’\n]*’|(?<!\w)'[^'\n]*'(?!\w)")
_LONG_QUOTATION = 5  # words


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report identifiers, dates, names and quotations."""
    for what, span in _found(text.whole.masked, plan):
        message = f"This looks like {what}: remove it, a summary holds no details of any record."
        yield Violation(rule=RULE, message=message, span=span)


def _found(masked: str, plan: SemanticPlan) -> Iterator[tuple[str, Span]]:
    for what, pattern in _PATTERNS.items():
        yield from ((what, match.span()) for match in pattern.finditer(masked))
    for match in _LONG_DIGITS.finditer(masked):
        if int(match[0]) not in _released_integers(plan):
            yield "a long number", match.span()
    for match in _QUOTATION.finditer(masked):
        if len(match[0].replace(BLOT, " ").split()) >= _LONG_QUOTATION:
            yield "a quotation", match.span()


def _released_integers(plan: SemanticPlan) -> set[int]:
    return {
        round(plan.denominator.value),
        *(round(value) for e in plan.entries for value in (e.noisy_mass, e.low, e.high)),
    }
