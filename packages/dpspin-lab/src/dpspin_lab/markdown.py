"""Tables as Markdown, line by line as they are computed, ready to be pasted into the documentation."""

from collections.abc import Iterable, Iterator, Sequence


def table_lines(names: Sequence[str], rows: Iterable[Sequence[str]], *, words: int) -> Iterator[str]:
    """Write a table, of which the first columns are words and the others figures.

    >>> list(table_lines(("data", "n"), [("cfpb", "1,000")], words=1))
    ['| data | n |', '| --- | ---: |', '| cfpb | 1,000 |']
    """
    yield _row(names)
    yield _row(["---"] * words + ["---:"] * (len(names) - words))
    yield from map(_row, rows)


def decimals_of(mean: float) -> int:
    """Return how many decimals show three digits.

    >>> decimals_of(0.9123), decimals_of(15.2), decimals_of(715.2)
    (3, 1, 0)
    """
    return max(0, 3 - len(str(int(abs(mean))))) if abs(mean) >= 1 else 3


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
