"""Which columns are read, and what happens to rows that cannot be: chosen by the caller, before any row is seen."""

from dataclasses import dataclass
from enum import StrEnum

from dpspin.boundary.accounting import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.errors import RecordsRefused, RequestError

TEACHER_COLUMN = "dpspin_teacher"  # written by `dpspin atoms teach`, and read wherever labels are


class BadRows(StrEnum):
    """A row without readable text (malformed line, wrong type, broken encoding, null).

    ``zero`` maps it to the zero vector, so it changes nothing but itself. ``refuse`` stops: that is an observable
    event that depends on the data, so it has to be asked for.
    """

    ZERO = "zero"
    REFUSE = "refuse"


def strictly_refused(what: str) -> RecordsRefused:
    """Return the refusal of a bad row, with what to do about it."""
    return RecordsRefused(
        f"{what}, and strict rows were asked for: correct the data, or leave `records.bad_rows` out, and such a row "
        "counts as zero"
    )


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read; all others are never touched."""

    text: str
    user: str | None = None
    label: str | None = None  # of auxiliary data: the atoms that a text expresses
    teacher: str | None = None  # of auxiliary data, where it is there: which language model labelled a text
    window: Window | None = None  # only records with this value in this column count

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text:  # type: ignore[redundant-expr]  # else nothing is read
            raise RequestError("name the column with the records' words: text takes the name of a column")
        if len(set(self.names)) < len(self.names):
            raise RequestError(
                f"{self.text!r} is named for two purposes; text, user id, label and window are four columns"
            )

    @property
    def names(self) -> list[str]:
        """The named columns, text first."""
        window = None if self.window is None else self.window.partition
        return [name for name in (self.text, self.user, self.label, self.teacher, window) if name is not None]

    @property
    def required(self) -> list[str]:
        """The named columns that data must have."""
        return [name for name in self.names if name != self.teacher]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that cannot be used."""

    bad_rows: BadRows = BadRows.ZERO
    missing_users: MissingUsers = MissingUsers.REFUSE

    def __post_init__(self) -> None:
        if self.bad_rows not in set(BadRows):  # from Python anything can be given
            raise RequestError(f"bad_rows is one of {', '.join(map(repr, map(str, BadRows)))}")
        object.__setattr__(self, "bad_rows", BadRows(self.bad_rows))
