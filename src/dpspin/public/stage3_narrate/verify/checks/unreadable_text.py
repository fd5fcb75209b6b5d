"""A text must be of a size that can be read: no summary is longer than a few pages, no number longer than 18 digits."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unreadable-text"
LONGEST = 20_000  # characters
_TOO_MANY_DIGITS = re.compile(r"\d{19,}")


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report a text that is too long to be read, or a number that is none."""
    del plan
    yield from found_in(text.raw)


def found_in(raw: str) -> Iterator[Violation]:
    """Look at the bare text, so that the verifier need not parse what it cannot read."""
    if len(raw) > LONGEST:
        message = f"Write a summary of at most {LONGEST:,} characters."
        yield Violation(rule=RULE, message=message, span=(LONGEST, len(raw)))
    for match in _TOO_MANY_DIGITS.finditer(raw[:LONGEST]):
        yield Violation(
            rule=RULE, message="Remove this run of digits: no released value has so many.", span=match.span()
        )
