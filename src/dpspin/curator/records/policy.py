"""Which columns are read, and what happens to rows that cannot be: chosen by the caller, before any row is seen."""

from dataclasses import dataclass
from enum import StrEnum

from dpspin.errors import RequestError


class BadRows(StrEnum):
    """A row without readable text (malformed line, wrong type, broken encoding, null).

    ``zero`` maps it to the zero vector, so it changes nothing but itself. ``refuse`` stops: that is an observable
    event that depends on the data, so it has to be asked for.
    """

    ZERO = "zero"
    REFUSE = "refuse"


class MissingUsers(StrEnum):
    """A row without a user id, where users are protected.

    ``refuse`` stops before anything is charged. ``drop`` leaves the row out. ``own_unit`` protects it as if its
    writer had no other record; that is a weaker promise to a person who left several such rows.
    """

    REFUSE = "refuse"
    DROP = "drop"
    OWN_UNIT = "own_unit"


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read; all others are never touched."""

    text: str
    user: str | None = None

    def __post_init__(self) -> None:
        if self.text == self.user:
            raise RequestError(f"text and user id are both read from the column {self.text!r}; name two columns")

    @property
    def names(self) -> list[str]:
        """The named columns, text first."""
        return [self.text] if self.user is None else [self.text, self.user]


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that cannot be used."""

    bad_rows: BadRows = BadRows.ZERO
    missing_users: MissingUsers = MissingUsers.REFUSE
