"""Heuristic redaction as people do it today, by spelling: it finds what looks like an identifier, and no more.

A name in lower case, a rare illness or a story that only one person can tell stays in the text.
"""

import re
from collections import Counter
from typing import Final

_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_WEEKDAY: Final = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_CAPITALISED: Final = r"[A-Z](?:['’][A-Z])?[a-z]+(?:['’-][A-Z]?[a-z]+)?"

# In this order: what comes first takes its characters away from what comes later.
PATTERNS: Final[dict[str, re.Pattern[str]]] = {
    "email": re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"),
    "url": re.compile(r"(?i:\bhttps?://\S+|\bwww\.\S+|\b[\w-]{1,64}\.(?:com|org|net|io|gov|edu)\b(?:/\S*)?)"),
    "handle": re.compile(r"(?<![\w.])@\w{2,}"),
    "redacted": re.compile(r"\{?\$?\bX{2,}(?:[\s/.-]+X{2,})*\b\}?"),
    "date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b"
        rf"|\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b|\b{_MONTH}\.?,?\s+\d{{4}}\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s+\d{{4}})?\b|\b{_WEEKDAY}s?\b"
    ),
    "phone": re.compile(r"(?<!\w)(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,4}\)\s?|\d{2,4}[\s.-])\d{3}[\s.-]\d{3,4}\b"),
    "address": re.compile(
        rf"\b\d+\s+(?:{_CAPITALISED}\s+){{1,3}}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Drive|Boulevard|Blvd)\b\.?"
    ),
    "name": re.compile(
        rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\b\.?\s+{_CAPITALISED}(?:\s+{_CAPITALISED})?"
        rf"|(?<=[a-z,;:] ){_CAPITALISED}(?:\s+{_CAPITALISED})*"  # a capital inside a sentence
        rf"|\b{_CAPITALISED}\s+{_CAPITALISED}\b"
    ),
    "amount": re.compile(r"\{?[$€£]\s?\d[\d.,]*\}?"),
    "identifier": re.compile(r"#\s?\w*\d\w*|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9-]{5,}\b"),
    "number": re.compile(r"\b\d[\d.,:-]*"),
}


def redacted(text: str) -> str:
    """Replace what looks like an identifier by the name of its kind.

    >>> redacted("On 03/04/2021 I wrote to jo@example.org, and Mr. Hill of Acme Bank charged {$240.00} to XXXX XXXX.")
    'On [DATE] I wrote to [EMAIL], and [NAME] of [NAME] charged [AMOUNT] to [REDACTED].'
    """
    return _replaced(text)[0]


def found(text: str) -> Counter[str]:
    """Count what would be replaced, by kind.

    >>> found("Call 555 010 9999 or ask at www.example.org")
    Counter({'url': 1, 'phone': 1})
    """
    return _replaced(text)[1]


def _replaced(text: str) -> tuple[str, Counter[str]]:
    counts: Counter[str] = Counter()
    for kind, pattern in PATTERNS.items():
        text, times = pattern.subn(f"[{kind.upper()}]", text)
        counts[kind] += times
    return text, +counts
