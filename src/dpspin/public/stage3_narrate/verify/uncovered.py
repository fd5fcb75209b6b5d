"""Find where a text speaks of what belongs to no theme: the marker ``[none]``, or words for it.

The words are taken for a reference, like a label: they are blotted out before claims are looked for, and numbers beside
them must be the released ones. Whatever other words a text finds for it, other rules refuse.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.public.stage3_narrate.verify.verdict import Span

NONE = -1  # stands for "none of these" among references; an atom's id is never negative
_MENTION = re.compile(
    r"(?P<marker>\[none\])"
    r"|\b(?:fits?|fitting|match(?:es|ing)?|belong(?:s|ing)?\s+to|covered\s+by|assigned\s+to)\s+(?:none\s+of|no(?=\s+themes?\b))"
    r"|(?<=[“\"])none\s+of\s+these(?=[”\"])",
    re.IGNORECASE,
)
_CANONICAL = "[none]"


@dataclass(frozen=True, slots=True)
class NoneMention:
    """A place that speaks of what belongs to no theme."""

    span: Span
    is_marker: bool


def none_mentions(raw: str, labels: list[Span]) -> Iterator[NoneMention]:
    """Yield the mentions outside labels; a marker in another spelling is malformed, and none."""
    for match in _MENTION.finditer(raw):
        inside = any(start < match.end() and match.start() < end for start, end in labels)
        if not inside and (match["marker"] is None or match[0] == _CANONICAL):
            yield NoneMention(match.span(), is_marker=match["marker"] is not None)
