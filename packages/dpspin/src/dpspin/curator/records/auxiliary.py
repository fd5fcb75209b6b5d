"""The texts behind a map and a dictionary: public, or of people who are not protected.

A map's is named where it is fitted; a dictionary's when it is built, and it is found and compared at every release.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from dpspin.boundary.atoms import AuxiliaryText, Provenance
from dpspin.boundary.crosswalk import read_crosswalk
from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
from dpspin.curator.records.columns import TEACHER_COLUMN, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.errors import RequestError

SALT_BYTES = 32
OR_DECLARE = "or declare them public (`records.atoms_auxiliary_is_public`)"


@dataclass(frozen=True, slots=True)
class Auxiliary:
    """Public or separate text on which the map is fitted: never the protected records."""

    source: object
    text: str
    user: str | None = None
    label: str | None = None  # the atoms that each text expresses: ids or labels
    dialect: Dialect = FROM_THE_HEADER
    # a CSV file of labels that were renamed (old, new); not written where there is none, as before there could be one
    crosswalk: Annotated[str | Path | None, Field(exclude_if=lambda file: file is None)] = None


def open_auxiliary(auxiliary: Auxiliary | None, *, with_users: bool) -> ProtectedCorpus | None:
    """Open auxiliary text; its user ids are read only to be compared with protected ones."""
    if auxiliary is None:
        return None
    if auxiliary.crosswalk is not None and auxiliary.label is None:
        raise RequestError("a crosswalk renames labels: it goes with `records.auxiliary.label`")
    columns = Columns(
        auxiliary.text,
        auxiliary.user if with_users else None,
        auxiliary.label,
        None if auxiliary.label is None else TEACHER_COLUMN,
        crosswalk=None if auxiliary.crosswalk is None else read_crosswalk(auxiliary.crosswalk),
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


def open_for_dictionary(source: object, text: str, user: str | None = None) -> ProtectedCorpus:
    """Open auxiliary records that a dictionary is built from, or was."""
    return open_corpus(source, Columns(text, user), RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def auxiliary_text(corpus: ProtectedCorpus) -> AuxiliaryText:
    """Say which records a dictionary is built from, so that a release knows them again."""
    columns = corpus.columns
    return AuxiliaryText.hidden_by(
        os.urandom(SALT_BYTES), corpus.content_digest(), text=columns.text, user=columns.user
    )


def require_recognisable(provenance: Provenance) -> AuxiliaryText:
    """Return which records a dictionary was built from; refuse one by which they cannot be known again in private.

    Without a salt its digest is a published copy's, which fits no records, or the bare one of an earlier version, which
    would tell readers of the report whether a guess about those records is right.
    """
    built_from = provenance.auxiliary
    if built_from is None:
        raise RequestError(
            "the dictionary says that it was built from auxiliary records, but not from which: build it again, "
            f"{OR_DECLARE}"
        )
    if built_from.salt is None:
        raise RequestError(
            "this copy of the dictionary cannot tell the auxiliary records that it was built from. If it is the one "
            "that a release published, use the file that was built. If an earlier version of dpspin built it, build it "
            "again: its digest of those records would be published, and readers could test guesses about them by it. "
            f"{OR_DECLARE.capitalize()}"
        )
    return built_from


def records_behind(
    provenance: Provenance, source: object | None, unit: RecordUnit | UserUnit
) -> ProtectedCorpus | None:
    """Open the auxiliary records that the dictionary was built from; None where it was built from none.

    They must be the very ones: the comparison with the protected records is worth nothing with any others.
    """
    if not provenance.needs_comparison:
        return None
    built_from = require_recognisable(provenance)
    if isinstance(unit, UserUnit) and built_from.user is None:
        raise RequestError(
            "users are protected, and this dictionary does not say who wrote the auxiliary records that it was built "
            f"from: build it again with its user column, {OR_DECLARE}"
        )
    if source is None:
        raise RequestError(
            "this dictionary was built from auxiliary records: name them again (`records.atoms_auxiliary`), so that "
            f"they can be compared with the protected ones, {OR_DECLARE}"
        )
    _require_the_same(source, built_from)
    return open_for_dictionary(source, built_from.text, built_from.user if isinstance(unit, UserUnit) else None)


def _require_the_same(source: object, built_from: AuxiliaryText) -> None:
    if not built_from.is_of(open_for_dictionary(source, built_from.text, built_from.user).content_digest()):
        raise RequestError(
            "these are not the auxiliary records that the dictionary was built from: name those "
            f"(`records.atoms_auxiliary`), {OR_DECLARE}"
        )
