"""Lists in words."""

from collections.abc import Sequence


def listing(items: Sequence[str]) -> str:
    """Join items as a sentence does.

    >>> listing(["a", "b", "c"]), listing(["a"]), listing([])
    ('a, b and c', 'a', '')
    """
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))
