"""``malformed-marker``: a marker is written ``[atom:17]`` or ``[none]``; in another form no machine can follow it."""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "malformed-marker"

# Canonical markers are masked before this is applied, so whatever still looks like a marker is malformed.
_LIKE_A_MARKER = re.compile(r"\[\s*(?:atoms?|none)\b[^\]\n]*\]?|\batom\s*[:#]\s*\w+|\batoms?\s+\d+", re.IGNORECASE)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:  # noqa: ARG001  all checks have one shape
    """Report what looks like a marker but is not canonical."""
    for match in _LIKE_A_MARKER.finditer(text.whole.masked):
        message = (
            f"{text.raw[slice(*match.span())]!r} is not a canonical marker: write [atom:<id>], one id each, or [none]."
        )
        yield Violation(rule=RULE, message=message, span=match.span())
