"""The pieces of a text: sentences, headings, bullets and table rows, with the atoms they refer to.

Claims are looked for in ``masked``, where every label and marker is blotted out: a label may itself contain digits,
"more than" or a full stop, and none of these is a claim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from dpspin.public.stage3_narrate.verify.verdict import Span

BLOT = "\ue000"  # private use: neither a word character nor a space

_BULLET = re.compile(r"[ \t]*(?:[-*•–—+]|\d{1,2}[.)])[ \t]+")
_HASHES = re.compile(r"[ \t]*#{1,6}[ \t]+")
# A paragraph line with the lines it was wrapped into: a break ends a sentence only where the sentence is complete, or
# before a line that begins something new.
_NEW_LINE = r"(?:[-*•–—+→][ \t]|\d{1,2}[.)][ \t]|#{1,6}[ \t]|\||\*\*|__|[^\n:.,;]{1,40}:(?=\s|$))"
_LINE = re.compile(
    rf"[ \t]*#{{1,6}}[ \t][^\n\r]*"
    rf"|[^\n\r]+(?:(?<![.!?:…|*])(?<![.!?:…|*][ \t])\r?\n(?![ \t]*{_NEW_LINE})(?=[ \t]*\S)[^\n\r]+)*+"
)
_TABLE_LINE = re.compile(r"[ \t]*\|.*\|[ \t]*|[^|\n]+\|[^|\n]+(?:\|[^|\n]*)+")
_RULE = re.compile(r"[\s|:\-–—=+*_]*")
_SENTENCE_END = re.compile(r"[.!?…]++[\"”’')\]*_]*(?=\s)")
_LONGEST_ABBREVIATION = 12
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|no|cf|incl|resp|mr|mrs|ms|dr|prof|st))\.$", re.IGNORECASE)
_ENDED = re.compile(r"[.!?…][\"”’')\]*_]*\s*$")


class Role(Enum):
    """What a passage is in its text."""

    SENTENCE = "sentence"
    BULLET = "bullet"
    HEADING = "heading"  # what it says holds for the bullets under it
    HEADER = "header"  # of a table
    ROW = "row"  # of a table


@dataclass(frozen=True, slots=True)
class Reference:
    """A place that names an atom: a label, a marker, or a label with its marker; or words for "none of these"."""

    atom_id: int
    span: Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text; spans inside it are absolute positions in the whole text."""

    start: int
    text: str
    masked: str
    references: tuple[Reference, ...]
    role: Role = Role.SENTENCE
    header: "Passage | None" = None  # of a row

    @property
    def span(self) -> Span:
        """Where the passage stands in the whole text."""
        return self.start, self.start + len(self.text)

    @property
    def bullet(self) -> bool:
        """Whether it is an item of a list."""
        return self.role in {Role.BULLET, Role.ROW}

    @property
    def atom_ids(self) -> tuple[int, ...]:
        """The atoms named here, each once, in the order of the text."""
        return tuple(dict.fromkeys(reference.atom_id for reference in self.references))

    def at(self, match: re.Match[str], group: int | str = 0) -> Span:
        """Translate a match in ``masked`` into a span of the whole text."""
        return self.start + match.start(group), self.start + match.end(group)

    def cut(self, start: int, end: int) -> "Passage":
        """Return the part between two positions of this passage."""
        low, high = self.start + start, self.start + end
        inside = tuple(reference for reference in self.references if low <= reference.span[0] < high)
        return replace(self, start=low, text=self.text[start:end], masked=self.masked[start:end], references=inside)

    def clauses(self) -> list["Passage"]:
        """Return the parts between semicolons, for what is judged by its words alone."""
        edges = [-1]
        for index, sign in enumerate(self.masked):
            if sign == ";" and self.masked.count("(", 0, index) == self.masked.count(")", 0, index):
                edges.append(index)
        return [self.cut(low + 1, high) for low, high in pairwise([*edges, len(self.masked)])]

    def cells(self) -> list["Passage"]:
        """Return the cells of a table row."""
        edges = [-1, *(index for index, sign in enumerate(self.masked) if sign == "|"), len(self.masked)]
        cells = [self.cut(low + 1, high) for low, high in pairwise(edges)]
        if self.masked.lstrip().startswith("|"):
            cells = cells[1:]
        return cells[:-1] if self.masked.rstrip().endswith("|") else cells


def sentences_of(whole: Passage) -> Iterator[Passage]:
    """Split at lines and sentence ends; leave decimals, abbreviations and everything inside a label alone."""
    lines = list(_LINE.finditer(whole.masked))
    header: Passage | None = None
    for position, line in enumerate(lines):
        words = whole.masked[slice(*line.span())]
        if _TABLE_LINE.fullmatch(words):
            if not _RULE.fullmatch(words):
                row = replace(whole.cut(*line.span()), role=Role.ROW if header else Role.HEADER, header=header)
                header = header or row
                yield row
            continue
        header = None
        following = lines[position + 1] if position + 1 < len(lines) else None
        yield from _of_line(whole, line, following)


def _of_line(whole: Passage, line: re.Match[str], following: re.Match[str] | None) -> Iterator[Passage]:
    bullet = _BULLET.match(whole.masked, *line.span()) or _HASHES.match(whole.masked, *line.span())
    start = bullet.end() if bullet else line.start()
    if _is_heading(whole.masked, line, following):
        yield replace(whole.cut(start, line.end()), role=Role.HEADING)
        return
    for end in (*_sentence_ends(whole.masked, start, line.end()), line.end()):
        start += len(whole.text[start:end]) - len(whole.text[start:end].lstrip())
        if start < end:
            piece = whole.cut(start, end)
            listing = following is not None and _BULLET.match(whole.masked, following.start()) is not None
            heads = (
                listing and end == line.end() and BLOT not in piece.masked and piece.masked.rstrip(" *_").endswith(":")
            )
            yield replace(piece, role=Role.HEADING if heads else Role.BULLET if bullet else Role.SENTENCE)
        start = end


def _heads_a_list(piece: Passage, following: re.Match[str] | None) -> bool:
    """Tell "… In the low bin are:" over a list."""
    listing = following is not None and _BULLET.match(following[0]) is not None
    return listing and BLOT not in piece.masked and piece.masked.rstrip(" *_").endswith(":")


def _is_heading(masked: str, line: re.Match[str], following: re.Match[str] | None) -> bool:
    """Tell a heading: a line with hashes, or one that ends in a colon, or is unfinished and stands over a list."""
    words = line[0].rstrip().rstrip("*_ ")
    if BLOT in words:
        return False
    if _HASHES.match(line[0]) or words.endswith(":"):
        return True
    if _BULLET.match(line[0]) or _ENDED.search(words):
        return False
    return following is None or line.end() + 1 < following.start() or bool(_BULLET.match(masked, following.start()))


def _sentence_ends(masked: str, start: int, end: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(masked, start, end):
        if not _ABBREVIATION.search(masked, max(start, match.start() - _LONGEST_ABBREVIATION), match.start() + 1):
            yield match.end()
