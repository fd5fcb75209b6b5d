"""From a stream of text to whole rows, in bounded memory: a row that is too long is bad, and concerns itself alone.

Whether a row is too long depends on its own length, not on where it stands.
"""

import io
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

PIECE: Final = 8 * 2**20
LONGEST_ROW: Final = 64 * 2**20
LINE_ENDS: Final = b"\r\n"
INSIDE_QUOTES: Final = re.compile(rb'[^"]*+(?:""[^"]*+)*+')


def lines(stream: io.BufferedReader) -> Iterator[bytes | None]:
    """Yield lines; None for one that is too long."""
    while line := stream.readline(LONGEST_ROW):
        if len(line) < LONGEST_ROW or line.endswith(b"\n"):
            yield line
        else:
            while (more := stream.readline(PIECE)) and not more.endswith(b"\n"):
                pass
            yield None


class Place(Enum):
    """Where in a row a reader is that skips it."""

    CELL_START = auto()
    CELL = auto()
    QUOTED = auto()
    AFTER_QUOTE = auto()
    ROW_END = auto()


class Broken(Enum):
    """What is no whole row: one that is too long, or one whose quotation mark is open where the text ends."""

    TOO_LONG = auto()
    UNCLOSED = auto()


class Grammar:
    """Where a row of delimited text ends: at a line's end outside of quotation marks, where those have a meaning.

    It is the grammar of Arrow's reader, which gets whole rows from here: a mark opens a cell only at its start. Lines
    end as the header does; in a file whose lines end with a line feed a carriage return alone is a letter of its cell.
    """

    def __init__(self, delimiter: str, *, quoted: bool, ends: bytes = LINE_ENDS) -> None:
        between = re.escape(delimiter.encode())
        plain = rb"[^%b%b]*+" % (between, ends)
        cell = rb'(?:"[^"]*+(?:""[^"]*+)*+"%b|(?!")%b)' % (plain, plain) if quoted else plain
        # Not (?:…)*+, which means the same: before 3.11.5 Python forgets to go back where a last repetition fails.
        cells = rb"(?>(?:%b%b)*)" % (cell, between)
        self._quoted = quoted
        self._ends = ends
        self._row = re.compile(cells + cell + rb"(?=[%b]|\Z)" % ends)
        end = rb"(?:\n|\r\n|\r(?!\Z))" if b"\r" in ends else rb"\n"
        self._rows = re.compile(rb"(?>(?:%b%b%b)*)" % (cells, cell, end))
        self._cells = re.compile(cells)
        self._plain = re.compile(plain)

    def first_row(self, held: bytes) -> bytes | None:
        """Return the row with which the text begins, without its line's end; None for one that is not whole."""
        found = self._row.match(held)
        return found.group() if found else None

    def end_of_rows(self, held: bytes) -> int:
        """Return where the last whole row ends in text that begins with a row; 0 if there is none."""
        if self._quoted and b'"' in held:
            found = self._rows.match(held)
            return found.end() if found else 0
        size = len(held) - held.endswith(b"\r")  # a line feed may follow
        return max(held.rfind(b"\n", 0, size), held.rfind(b"\r", 0, size) if b"\r" in self._ends else -1) + 1

    def skip_row(self, held: bytes, stream: io.BufferedReader) -> bytes | None:
        """Read on to the end of the row with which the text begins; return what was read beyond it.

        None: the text ends first, and inside of quotation marks.
        """
        place, at = Place.CELL_START, 0
        while place is not Place.ROW_END:
            if at == len(held):
                held, at = stream.read(PIECE), 0
                if not held:
                    return None if place is Place.QUOTED else b""
            place, at = self._step(place, held, at)
        return held[at:]

    def _step(self, place: Place, held: bytes, at: int) -> tuple[Place, int]:
        match place:
            case Place.QUOTED:
                at = _end(INSIDE_QUOTES, held, at)
                return (Place.QUOTED, at) if at == len(held) else (Place.AFTER_QUOTE, at + 1)
            case Place.AFTER_QUOTE:
                return (Place.QUOTED, at + 1) if held[at] == ord('"') else (Place.CELL, at)
            case Place.CELL:
                return self._after_cell(held, _end(self._plain, held, at))
            case _:
                at = _end(self._cells, held, at)  # as many whole cells as there are
                quoted = self._quoted and held[at : at + 1] == b'"'
                return (Place.QUOTED, at + 1) if quoted else (Place.CELL if at < len(held) else Place.CELL_START, at)

    def _after_cell(self, held: bytes, at: int) -> tuple[Place, int]:
        if at == len(held):
            return Place.CELL, at
        return Place.ROW_END if held[at] in self._ends else Place.CELL_START, at + 1


def blocks(held: bytes, stream: io.BufferedReader, grammar: Grammar) -> Iterator[bytes | Broken]:
    """Yield text of whole rows, beginning with what is held already; or what is wrong with a row that is not whole."""
    while True:
        end = grammar.end_of_rows(held)
        if end:
            yield held[:end]
            held = held[end:]
        if len(held) >= LONGEST_ROW:
            yield Broken.TOO_LONG
            beyond = grammar.skip_row(held, stream)
            if beyond is None:
                yield Broken.UNCLOSED
                return
            held = beyond
            continue
        piece = stream.read(min(PIECE, LONGEST_ROW - len(held)))
        if not piece:
            break
        held += piece
    if held:
        yield held if grammar.end_of_rows(held + b"\n") > len(held) else Broken.UNCLOSED


def _end(pattern: re.Pattern[bytes], held: bytes, at: int) -> int:
    found = pattern.match(held, at)
    return at if found is None else found.end()
