"""The auxiliary records behind a dictionary: named when it is built, found again and compared at every release."""

from dpspin.boundary.atoms import AuxiliaryText, Provenance
from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.policy import Columns, RowPolicy
from dpspin.errors import RequestError

OR_DECLARE = "or declare them public (--atoms-aux-is-public)"


def open_for_dictionary(source: object, text: str, user: str | None = None) -> ProtectedCorpus:
    """Open auxiliary records that a dictionary is built from, or was."""
    return open_corpus(source, Columns(text, user), RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def auxiliary_text(corpus: ProtectedCorpus) -> AuxiliaryText:
    """Say which records a dictionary is built from, so that a release knows them again."""
    return AuxiliaryText(content=corpus.content_digest(), text=corpus.columns.text, user=corpus.columns.user)


def records_behind(
    provenance: Provenance, source: object | None, unit: RecordUnit | UserUnit
) -> ProtectedCorpus | None:
    """Open the auxiliary records that the dictionary was built from; None where it was built from none.

    They must be the very ones: the comparison with the protected records is worth nothing with any others.
    """
    if not provenance.needs_comparison:
        return None
    built_from = provenance.auxiliary
    if built_from is None:
        raise RequestError(
            "the dictionary says that it was built from auxiliary records, but not from which: build it again, "
            f"{OR_DECLARE}"
        )
    if isinstance(unit, UserUnit) and built_from.user is None:
        raise RequestError(
            "users are protected, and this dictionary does not say who wrote the auxiliary records that it was built "
            f"from: build it again with --user, {OR_DECLARE}"
        )
    if source is None:
        raise RequestError(
            "this dictionary was built from auxiliary records: name them again (--atoms-aux), so that they can be "
            f"compared with the protected ones, {OR_DECLARE}"
        )
    _require_the_same(source, built_from)
    return open_for_dictionary(source, built_from.text, built_from.user if isinstance(unit, UserUnit) else None)


def _require_the_same(source: object, built_from: AuxiliaryText) -> None:
    if open_for_dictionary(source, built_from.text, built_from.user).content_digest() != built_from.content:
        raise RequestError(
            "these are not the auxiliary records that the dictionary was built from: name those (--atoms-aux), "
            f"{OR_DECLARE}"
        )
