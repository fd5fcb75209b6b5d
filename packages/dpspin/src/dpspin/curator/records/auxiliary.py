"""The text that a map is fitted on: public, or of people who are not protected."""

from dataclasses import dataclass

from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
from dpspin.curator.records.columns import TEACHER_COLUMN, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class Auxiliary:
    """Public or separate text on which the map is fitted: never the protected records."""

    source: object
    text: str
    user: str | None = None
    label: str | None = None  # the atoms that each text expresses: ids or labels
    dialect: Dialect = FROM_THE_HEADER


def open_auxiliary(auxiliary: Auxiliary | None, *, with_users: bool) -> ProtectedCorpus | None:
    """Open auxiliary text; its user ids are read only to be compared with protected ones."""
    if auxiliary is None:
        return None
    columns = Columns(
        auxiliary.text,
        auxiliary.user if with_users else None,
        auxiliary.label,
        None if auxiliary.label is None else TEACHER_COLUMN,
    )
    policy = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
    return open_corpus(auxiliary.source, columns, policy, auxiliary.dialect)


def require_comparable(auxiliary: Auxiliary | None, unit: RecordUnit | UserUnit) -> None:
    """Refuse auxiliary text whose users could not be told from protected ones."""
    if isinstance(unit, UserUnit) and auxiliary is not None and auxiliary.user is None:
        raise RequestError(
            "users are protected, so auxiliary users are compared with them: name the column with their ids "
            "(`records.auxiliary.user`), or declare the auxiliary text public (`records.auxiliary_is_public`)"
        )
