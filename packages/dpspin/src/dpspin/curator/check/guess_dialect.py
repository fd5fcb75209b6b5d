"""A guess at how a file is written, for a person to look at and declare. No release uses it.

It looks at the records themselves, which a reader must not: one record would change how all others are read.
"""

from dataclasses import dataclass
from typing import Final

from charset_normalizer import from_bytes

from dpspin.curator.records.bytes_in import opened, require_text, told_by_first_bytes
from dpspin.curator.records.dialect import Delimiter, Encoding
from dpspin.curator.records.files import DataFile, Format
from dpspin.curator.records.guard import guarded

LOOKED_AT: Final = 2**20
MOSTLY_WRITTEN: Final = 0.98
IN_USE: Final = (  # beside Unicode; of pages that no program writes any more, one or the other would always fit better
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1255", "cp1256", "koi8_r"),
    *("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"),
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """How a text file seems to be written. It depends on the records: for the curator's eyes only."""

    encoding: Encoding | None = None  # None: none that can be read here, or no text
    delimiter: Delimiter | None = None
    told_by_the_file: bool = False  # its first bytes say the encoding, so it need not be declared

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields to add to a request where the file's first line does not tell by itself.

        >>> Suggestion(Encoding.WINDOWS_1252, Delimiter.SEMICOLON).fields
        ('`records.dialect.encoding: windows-1252`',)
        """
        told = self.told_by_the_file or self.encoding in {None, Encoding.UTF_8}
        return () if told else (f"`records.dialect.encoding: {self.encoding}`",)


def suggested_dialect(file: DataFile) -> Suggestion:
    """Guess encoding and delimiter from the first megabyte of a file; nothing for one that is not text."""
    if file.format not in {Format.CSV, Format.TSV, Format.JSONL}:
        return Suggestion()
    return guarded(lambda: _suggested(file), f"{file.name!r} cannot be looked at", "it is damaged or cut short")


def _suggested(file: DataFile) -> Suggestion:
    with opened(file) as stream:
        start = stream.read(LOOKED_AT)
    told = None if file.format is Format.JSONL else told_by_first_bytes(start)
    require_text(file, start)
    encoding = told or _guessed(start[: start.rfind(b"\n") + 1] or start)
    delimiter = _delimiter(start, encoding) if file.format is Format.CSV and encoding is not None else None
    return Suggestion(encoding, delimiter, told_by_the_file=told is not None)


def _guessed(start: bytes) -> Encoding | None:
    for encoding, feed in ((Encoding.UTF_16_LE, b"\n\x00"), (Encoding.UTF_16_BE, b"\x00\n")):
        if feed in start and _is_written(start.decode(encoding, "replace")):
            return encoding
    if b"\x00" in start:
        return None
    try:
        start.decode()
    except UnicodeDecodeError:
        pass
    else:
        return Encoding.UTF_8
    found = list(from_bytes(start, cp_isolation=list(IN_USE)))
    coherent = max((each.coherence for each in found), default=0.0)  # words of a language tell more than odd signs
    best = [each for each in found if (each.coherence >= coherent if coherent else each.chaos <= found[0].chaos)]
    western = any("cp1252" in {each.encoding, *each.could_be_from_charset} for each in best)
    return Encoding.WINDOWS_1252 if western else None


def _is_written(text: str) -> bool:
    """Tell words from noise: nearly all of them are letters, signs and spaces that can be printed."""
    seen = sum(letter.isprintable() or letter.isspace() for letter in text)
    return seen >= MOSTLY_WRITTEN * len(text)


def _delimiter(start: bytes, encoding: Encoding) -> Delimiter | None:
    """Return the delimiter that stands most often in the first line."""
    line = next(iter(start.decode(encoding, "replace").lstrip("\ufeff\r\n").splitlines()), "")
    counts = {delimiter: line.count(delimiter) for delimiter in Delimiter}
    return max(Delimiter, key=lambda each: counts[each]) if any(counts.values()) else None
