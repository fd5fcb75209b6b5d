"""Public patterns of what points at a person: addresses, names with a title, numbers and codes."""

import re
from collections.abc import Mapping
from typing import Final

Patterns = Mapping[str, re.Pattern[str]]  # by what is found, in words

TITLED_NAME: Final = r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Madam)\b\.?\s+[A-Z]\w+"
ADDRESSES: Final[Patterns] = {
    "an e-mail address": re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+"),
    "a user handle": re.compile(r"(?<![\w.])@\w{2,}"),
    "a web address": re.compile(r"(?i:\bhttps?://\S+|\bwww\.\S+)"),
}
# In a dictionary, which needs no figures: the finest mesh that leaves "24/7" and "4K60" alone.
IDENTIFYING: Final[Patterns] = {
    **ADDRESSES,
    "a long number": re.compile(r"(?:\d[ -]?){5,}\d"),
    "a code": re.compile(r"\b(?=\w*[^\W\d_])(?=(?:\w*\d){3})\w{6,}"),
    "a person's name": re.compile(TITLED_NAME),
}
# In a sentence that somebody wrote and that would be published: any trace is enough to pass it over.
TELLTALE: Final = re.compile(r"@|https?:|www\.|\.(?:com|net|org)\b|#|(?:\d[ .\-/()]*){4,}")
