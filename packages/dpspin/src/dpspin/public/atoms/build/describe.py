"""Descriptions of built atoms: what the builder knows of them, as one plain sentence.

A description holds the atom's own public words and nothing else: the levels of a path, or a phrase and the ways to say
it, never text of a single record. What bounds its exposure is what bounds a label's: the auxiliary text is public or of
other people than the protected, and each way to say a phrase has the minimum support by itself. No privacy loss is
spent, and no noise covers it.

Between the atom's words stand stop words alone. By that a map knows a description that is for readers only, and does
not count the same words twice.
"""

from collections.abc import Sequence
from typing import Final

OF_PATHS: Final = "the levels of the path, the narrowest first"
OF_PHRASES: Final = "the phrase, and its variants that have the minimum support by themselves"


def of_path(levels: Sequence[str]) -> str:
    """Say a path of a taxonomy; the broadest level comes first in a path and last in a sentence.

    >>> of_path(["Debt collection", "Attempts to collect debt not owed", "Debt is not yours"])
    'Anything about “Debt is not yours”, part of “Attempts to collect debt not owed”, part of “Debt collection”.'
    >>> of_path(["Mortgage"])
    'Anything about “Mortgage”.'
    """
    return f"Anything about {', part of '.join(map(_quoted, reversed(levels)))}."


def of_phrase(label: str, variants: Sequence[str]) -> str:
    """Say a phrase with the other ways to say it.

    >>> of_phrase("dry skin", ["skin dry", "dryness of skin"])
    'Anything about “dry skin”, also as “skin dry” or “dryness of skin”.'
    """
    others = " or ".join(map(_quoted, variants))
    return f"Anything about {_quoted(label)}{f', also as {others}' if others else ''}."


def _quoted(words: str) -> str:
    return f"“{words}”"
