"""Where a sentence ends: in what people write, and in what we publish."""

import re
from typing import Final

# Part of what a map measures, and of a compiled kernel: saved maps count by it. It never changes.
_ENDS: Final = re.compile(r"(?<=[.!?;])\s+|\n+|<br\s*/?>|(?<=[a-z][.!?])(?=[A-Z])")
# Of a published text, where a verdict is given sentence by sentence: nothing of a line is left out.
PUBLISHED_SENTENCE: Final = re.compile(r"(?=\S)(?:[^\n]*?[.!?](?=\s|\Z)|[^\n]+)")


def sentences_in(text: str) -> list[str]:
    r"""Cut into sentences what somebody has written; a text without any end mark is one sentence.

    >>> sentences_in("No wait at all. Great!\nWe will be back")
    ['No wait at all.', 'Great!', 'We will be back']
    """
    return [part for piece in _ENDS.split(text) if (part := piece.strip())]
