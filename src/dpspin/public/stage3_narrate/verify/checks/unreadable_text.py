"""``unreadable-text``: a text is of a size that can be read, and shows what it says.

No summary is longer than a few pages, and no number longer than 18 digits. Invisible characters and words of two
scripts could hide a claim from a reader or from the rules; a public label may hold them.
"""

import re
import unicodedata
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unreadable-text"
LONGEST = 20_000  # characters
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]"
)
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "HEBREW", "ARABIC", "CHEROKEE")
_TOO_MANY_DIGITS = re.compile(r"\d{19,}")


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report a text that is too long to be read, or a number that is none."""
    yield from found_in(text.raw, plan)


def found_in(raw: str, plan: SemanticPlan) -> Iterator[Violation]:
    """Look at the bare text, so that the verifier need not parse what it cannot read."""
    public = " ".join((plan.title, *(f"{entry.label} {entry.description}" for entry in plan.entries)))
    if len(raw) > LONGEST:
        message = f"Write a summary of at most {LONGEST:,} characters."
        yield Violation(rule=RULE, message=message, span=(LONGEST, len(raw)))
    for match in _TOO_MANY_DIGITS.finditer(raw[:LONGEST]):
        yield Violation(
            rule=RULE, message="Remove this run of digits: no released value has so many.", span=match.span()
        )
    for match in _INVISIBLE.finditer(raw[:LONGEST]):
        if match[0] not in public:
            yield Violation(rule=RULE, message="Remove this invisible character.", span=match.span())
    for match in _WORD.finditer(raw[:LONGEST]):
        if not match[0].isascii() and len(_scripts(match[0])) > 1 and match[0] not in public:
            yield Violation(rule=RULE, message="Write this word in letters of one script.", span=match.span())


def _scripts(word: str) -> set[str]:
    """Return the scripts of a word's letters, as far as they could be taken for one another.

    >>> sorted(_scripts("caf\u00e9")), sorted(_scripts("f\u043e\u043ed"))
    (['LATIN'], ['CYRILLIC', 'LATIN'])
    """
    names = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return names & set(_SCRIPTS)
