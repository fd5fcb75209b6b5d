"""Sentences and clauses: pieces of a text with the atoms they refer to.

Claims are looked for in ``masked``, where every label and marker is blotted out: a label may itself contain digits,
"more than" or a full stop, and none of these is a claim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpspin.public.stage3_narrate.verify.verdict import Span

BLOT = "\ue000"  # private use: neither a word character nor a space
# A masked label with its quotes and marker; possessive, because lists of labels would make backtracking explode.
REFERENCE = rf"[“\"‘'*_(]*+{BLOT}[{BLOT}\s”\"’'*_)]*+"

_BULLET = re.compile(r"[ \t]*(?:[-*•–—+]|\d{1,2}[.)]|#{1,6})[ \t]+")
# A paragraph line with the lines it was wrapped into: a break ends a sentence only where the sentence is complete, or
# before a bullet or a heading.
_LINE = re.compile(
    r"[^\n\r]+(?:(?<![.!?:…])(?<![.!?:…][ \t])\r?\n"
    r"(?![ \t]*(?:[-*•–—+]|\d{1,2}[.)]|#{1,6})[ \t])(?=[ \t]*\S)[^\n\r]+)*+"
)
_SENTENCE_END = re.compile(r"[.!?…]++[\"”’')\]*_]*(?=\s)")
_LONGEST_ABBREVIATION = 12
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|approx|no|cf|incl|resp|mr|mrs|ms|dr|prof|st))\.$", re.IGNORECASE)

PREDICATE = (
    r"(?:has|have|had|is|are|was|were|shows?|carr(?:y|ies)|receives?|gets?|sits?|falls?|remains?|holds?|follows?"
    r"|trails?|ranks?|comes?|stands?|reaches|reach|leads?|exceeds?)"
)
_CONJUNCTION = re.compile(r";|\s(?:while|whereas|but|although|though|however|yet)\b", re.IGNORECASE)
_NEW_SUBJECT = re.compile(
    rf",\s(?:and\s|with\s)?(?={REFERENCE}(?:(?:,\s*)?(?:and\s+)?{REFERENCE})*+{PREDICATE}\b)", re.IGNORECASE
)
_HAS_PREDICATE = re.compile(rf"\b{PREDICATE}\b|:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place that names an atom: a label, a marker, or a label with its marker; or words for "none of these"."""

    atom_id: int
    span: Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or a clause; spans inside it are absolute positions in the whole text."""

    start: int
    text: str
    masked: str
    references: tuple[Reference, ...]
    bullet: bool = False

    @property
    def span(self) -> Span:
        """Where the passage stands in the whole text."""
        return self.start, self.start + len(self.text)

    @property
    def atom_ids(self) -> tuple[int, ...]:
        """The atoms named here, each once, in the order of the text."""
        return tuple(dict.fromkeys(reference.atom_id for reference in self.references))

    def at(self, match: re.Match[str], group: int | str = 0) -> Span:
        """Translate a match in ``masked`` into a span of the whole text."""
        return self.start + match.start(group), self.start + match.end(group)

    def named(self, start: int, end: int | None = None) -> tuple[int, ...]:
        """Return the atoms named between two positions of ``masked``, each once."""
        low, high = self.start + start, self.start + (len(self.text) if end is None else end)
        return tuple(dict.fromkeys(r.atom_id for r in self.references if low <= r.span[0] < high))

    def cut(self, start: int, end: int) -> "Passage":
        """Return the part between two positions of this passage."""
        low, high = self.start + start, self.start + end
        inside = tuple(reference for reference in self.references if low <= reference.span[0] < high)
        return Passage(low, self.text[start:end], self.masked[start:end], inside, self.bullet)


def sentences_of(whole: Passage) -> Iterator[Passage]:
    """Split at lines and sentence ends; leave decimals, abbreviations and everything inside a label alone."""
    for line in _LINE.finditer(whole.masked):
        bullet = _BULLET.match(whole.masked, *line.span())
        start = bullet.end() if bullet else line.start()
        for end in (*_sentence_ends(whole.masked, start, line.end()), line.end()):
            start += len(whole.text[start:end]) - len(whole.text[start:end].lstrip())
            if start < end:
                yield replace(whole.cut(start, end), bullet=bullet is not None)
            start = end


def clauses_of(sentence: Passage) -> tuple[Passage, ...]:
    """Split a sentence where a new statement begins: at a conjunction, or where a new subject meets its verb."""
    cuts, start = [], 0
    for match in sorted(_boundaries(sentence.masked), key=re.Match.start):
        if match.re is _NEW_SUBJECT and not _HAS_PREDICATE.search(sentence.masked, start, match.start()):
            continue  # "A, B and C have …" is one list, not two statements
        cuts.append(sentence.cut(start, match.start()))
        start = match.end()
    return (*cuts, sentence.cut(start, len(sentence.masked)))


def _boundaries(masked: str) -> Iterator[re.Match[str]]:
    yield from _CONJUNCTION.finditer(masked)
    yield from _NEW_SUBJECT.finditer(masked)


def _sentence_ends(masked: str, start: int, end: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(masked, start, end):
        if not _ABBREVIATION.search(masked, max(start, match.start() - _LONGEST_ABBREVIATION), match.start() + 1):
            yield match.end()
