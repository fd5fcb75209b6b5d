"""How the files are written: declared by the caller or told by the header line, never found out from the rows.

A guess from the rows would let one record change how all others are read. ``check`` may guess, for a person.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dpspin.errors import RequestError


class Encoding(StrEnum):
    """How characters are written as bytes."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS_1252 = "windows-1252"
    LATIN_1 = "latin-1"


class Delimiter(StrEnum):
    """What stands between two cells of a CSV row."""

    COMMA = ","
    SEMICOLON = ";"
    TAB = "\t"
    PIPE = "|"

    @property
    def word(self) -> str:
        """What it is called."""
        return self.name.lower()


OTHER_NAMES: Final = {
    "utf8": "utf-8",
    "cp1252": "windows-1252",
    "windows1252": "windows-1252",
    "ansi": "windows-1252",
    "iso-8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "latin1": "latin-1",
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """What the caller declares about the files; None leaves it to the file's first line (or its only sheet).

    >>> Dialect(encoding="cp1252", delimiter=";").declared
    {'encoding': 'windows-1252', 'delimiter': ';'}
    """

    encoding: Encoding | None = None
    delimiter: Delimiter | None = None
    sheet: str | None = None

    @classmethod
    def named(cls, encoding: str | None, delimiter: str | None, sheet: str | None) -> "Dialect":
        """Read a declaration by any usual name: utf8, cp1252, semicolon or ;."""
        return cls(_encoding(encoding), _delimiter(delimiter), sheet)

    def __post_init__(self) -> None:
        object.__setattr__(self, "encoding", _encoding(self.encoding))
        object.__setattr__(self, "delimiter", _delimiter(self.delimiter))

    @property
    def declared(self) -> dict[str, str]:
        """What is declared, by name: it decides what is read, so it is part of a request."""
        parts = {"encoding": self.encoding, "delimiter": self.delimiter, "sheet": self.sheet}
        return {name: str(value) for name, value in parts.items() if value is not None}


def _encoding(name: str | None) -> Encoding | None:
    if name is None:
        return None
    plain = name.lower().replace("_", "-")
    try:
        return Encoding(OTHER_NAMES.get(plain, plain))
    except ValueError:
        pass
    raise RequestError(f"the encoding {name!r} is not known here: use {', '.join(Encoding)}")


def _delimiter(name: str | None) -> Delimiter | None:
    if name is None:
        return None
    known = {called: each for each in Delimiter for called in (each.value, each.word, repr(each.value)[1:-1])}
    if name.lower() not in known:
        words = ", ".join(each.word for each in Delimiter)
        raise RequestError(f"the delimiter {name!r} is not known here: use {words}")
    return known[name.lower()]


FROM_THE_HEADER: Final = Dialect()
