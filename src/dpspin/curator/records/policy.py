"""Which columns are read, and what happens to rows that cannot be: chosen by the caller, before any row is seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from dpspin.boundary.account import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.errors import RequestError

TEACHER_COLUMN = "dpspin_teacher"  # written by `dpspin atoms teach`, and read wherever labels are


class BadRows(StrEnum):
    """A row without readable text (malformed line, wrong type, broken encoding, null).

    ``zero`` maps it to the zero vector, so it changes nothing but itself. ``refuse`` stops: that is an observable
    event that depends on the data, so it has to be asked for.
    """

    ZERO = "zero"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read; all others are never touched."""

    text: str
    user: str | None = None
    label: str | None = None  # of auxiliary data: the atoms that a text expresses
    teacher: str | None = None  # of auxiliary data: what labelled a text, where that was a language model
    window: Window | None = None  # only records with this value in this column count

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise RequestError(
                f"{self.text!r} is named for two purposes; text, user id, label and window are four columns"
            )

    @property
    def names(self) -> list[str]:
        """The named columns, text first."""
        window = None if self.window is None else self.window.partition
        return [name for name in (self.text, self.user, self.label, self.teacher, window) if name is not None]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that cannot be used."""

    bad_rows: BadRows = BadRows.ZERO
    missing_users: MissingUsers = MissingUsers.REFUSE


def no_such_column(where: str, name: str, schema: Sequence[str] = ()) -> str:
    """Say that a column is missing, and name a similar one where the data have a schema.

    Text files get no such hint: one without a header would show its first record.
    """
    close = get_close_matches(name, schema, n=1)
    hint = f"did you mean {close[0]!r}?" if close else "check the spelling, and that the first line names the columns"
    return f"{where} has no column {name!r}; {hint}"
