"""Public patterns of what a summary never holds: pieces of records, identifiers of people, and claims of importance."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_HOLDER = r"(?:account|acct|case|order|ticket|invoice|claim|policy|booking|transaction|tracking|card|customer|patient)"
RAW_RECORDS: Final[Mapping[str, re.Pattern[str]]] = {
    "an e-mail address": re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    "a user handle": re.compile(r"(?<![\w.])@\w{2,}"),
    "a web address": re.compile(r"(?i:\bhttps?://\S+|\bwww\.\S+)"),
    "a social security number": re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
    "a phone number": re.compile(r"(?<![\w.,])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,4}\)|\d{2,4})[\s.-]\d{3}[\s.-]\d{3,4}\b"),
    "an identifier": re.compile(
        rf"(?i:\b{_HOLDER}s?\s*(?:number|no\.?|id)?\s*[:#]?\s*#?[a-z]{{0,4}}-?\d[\w-]{{2,}})|\b[A-Z]{{2,}}-?\d{{3,}}\b"
    ),
    "a date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b{_MONTH}\.?\s+\d{{1,4}}(?:st|nd|rd|th)?\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b"
    ),
    "a day": re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"),
    "a long number": re.compile(r"(?<![\d.,])\d{7,}(?!\d|[.,]\d)"),
    "a person's name": re.compile(
        r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam)\b\.?\s+[A-Z]\w+|\b(?:named|called|by the name of)\s+[A-Z]\w+"
    ),
    "a quotation": re.compile(r"[“\"«](?:[^\s“”\"«»]+\s+){4,}[^\s“”\"«»]+[”\"»]"),
}
IMPORTANCE: Final = re.compile(
    r"\b(?:more|most|less|least|very|highly|equally)\s+(?:significant|serious|pressing|relevant|severe)\b"
    r"|\b(?:un)?importan(?:t|ce)\b(?!\s+to\s+note\b)|\bmatters?\s+(?:the\s+)?(?:most|more|less|least)\b"
    r"|\bpriorit(?:y|ies)\b|\b(?:crucial|critical|paramount)\b",
    re.IGNORECASE,
)
COMPARISON: Final = re.compile(
    r"\b(?P<up>higher|greater|larger|stronger|more)?(?P<down>lower|smaller|weaker|less)?(?<=\w)"
    r"(?:\s+(?:released|semantic|noisy|overall))*\s+(?:support|mass|rank|weight)\s+than\b|"
    r"\bis\s+(?:(?P<is_up>higher|larger|greater)|(?P<is_down>lower|smaller))\s+than\b",
    re.IGNORECASE,
)
SUPERLATIVE: Final = re.compile(
    r"\b(?:highest|largest|greatest|strongest|most)(?:\s+(?:released|semantic|noisy|overall))*"
    r"\s+(?:support|mass|rank|weight|theme)\b|\btop-ranked\b|\branks?\s+(?:first|highest)\b|\branked\s+(?:first|highest)\b",
    re.IGNORECASE,
)
FIGURE: Final = re.compile(r"(?<![\w.,])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<percent>\s?%|\s+percent\b)?(?!\w)")


def raw_records_in(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what looks like a piece of a record, and where it stands."""
    for what, pattern in RAW_RECORDS.items():
        yield from ((what, found.span()) for found in pattern.finditer(text))
