"""What private work tells the pages: plain values, as private as the page that shows them."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a job could not be done, in words that may be shown."""

    why: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its name, and what its first cells look like."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file, how it seems to be written, and which of them seem to hold the words and the users."""

    columns: tuple[Column, ...]
    encoding: str
    text: str
    user: str
    doubts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at all records found: for the curator's eyes."""

    facts: tuple[tuple[str, str], ...] = field(repr=False)
    doubts: tuple[tuple[str, str], ...] = field(repr=False)
    languages: tuple[tuple[str, float], ...] = field(repr=False)  # code and share


@dataclass(frozen=True, slots=True)
class AccountState:
    """What the ledger says of a dataset: what is left, and which releases were charged."""

    dataset: str
    ledger: str
    left: str  # empty: no budget was decided yet
    spent: str
    cap: str
    charges: tuple[tuple[str, str, str], ...]  # day, what, how much
    officers: str = ""  # whose approval every release needs
    guarded: tuple[tuple[str, str], ...] = ()  # where it has none: accounts with officers, beside which none is opened


@dataclass(frozen=True, slots=True)
class Order:
    """What a reader wants at the desk, for the record at a place (None: the next one that is not read)."""

    reader: int
    place: int | None
    what: Literal["show", "save", "none", "undo", "back"]
    words: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme on the reading desk: its number, its name and what it means."""

    id: int
    label: str
    description: str
    area: str


@dataclass(frozen=True, slots=True)
class DeskView:
    """The record that lies on the desk (place None: all are read), and the themes. No other page shows a record."""

    place: int | None
    text: str = field(repr=False)
    read_as: str = field(repr=False)
    number: int
    read: int
    themes: tuple[Theme, ...]
    found: frozenset[int]  # themes that have the words which were looked for
    said: str = field(repr=False)
    can_undo: bool
    agreement: str
