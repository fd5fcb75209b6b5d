"""Dictionaries from auxiliary records (Stage 0): read as a release reads records, named in the dictionary.

NEVER from protected records: an atom that is there because they hold it is a release of them. The dictionary says which
records it was built from, and a release compares them with the protected ones.
"""

from collections.abc import Sequence
from pathlib import Path

from dpspin.boundary.crosswalk import Crosswalk, read_crosswalk
from dpspin.curator.records.auxiliary import auxiliary_text, open_for_dictionary
from dpspin.curator.records.columns import TEXT, USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import SourceError
from dpspin.public.atoms.build import phrases, taxonomy
from dpspin.public.atoms.build.manifest import Built
from dpspin.public.atoms.build.profile import GENERIC, Profile, read_profile


def build_taxonomy(
    auxiliary: object,
    *,
    text: str,
    size: int,
    name: str,
    levels: Sequence[str] = taxonomy.CFPB_LEVELS,
    min_support: int = 1,
    user: str | None = None,
    crosswalk: str | Path | Crosswalk | None = None,
) -> Built:
    """Build a dictionary of the ``size`` most frequent taxonomy paths; ``levels`` are columns, the broadest first.

    ``text`` and ``user`` are not read for the atoms: by them the records are compared with the protected ones.
    ``crosswalk`` (a CSV file: old, new) says how labels were renamed: records count for the new name.
    """
    renamed = read_crosswalk(crosswalk) if isinstance(crosswalk, str | Path) else crosswalk or Crosswalk({})
    corpus = open_for_dictionary(auxiliary, text, user)
    columns = [_texts(open_for_dictionary(auxiliary, level)) for level in levels]
    if len({len(column) for column in columns}) > 1:
        raise SourceError("some rows can be read in one column and not in another; mend the auxiliary file")
    return taxonomy.build_taxonomy(
        [renamed(taxonomy.path_of(values)) for values in zip(*columns, strict=True)],
        size,
        name=name,
        levels=levels,
        min_support=min_support,
        auxiliary=auxiliary_text(corpus),
    )


def build_phrases(
    auxiliary: object,
    profile: Profile | str = GENERIC,
    *,
    text: str,
    size: int | None = None,
    min_support: int | None = None,
    user: str | None = None,
    by_user: bool = False,
    name: str | None = None,
) -> Built:
    """Build a dictionary of two-word phrases under a domain profile; ``by_user`` counts users instead of records.

    The profile ``generic`` is for any English text; the others are of the paper's fields.
    """
    corpus = open_for_dictionary(auxiliary, text, user)
    texts, users = auxiliary_records(corpus)
    return phrases.build_phrases(
        texts,
        read_profile(profile) if isinstance(profile, str) else profile,
        size=size,
        min_support=min_support,
        users=users if by_user else None,
        name=name,
        auxiliary=auxiliary_text(corpus),
    )


def auxiliary_records(corpus: ProtectedCorpus) -> tuple[list[str], list[str | None] | None]:
    """Read auxiliary records as plain text, and who wrote them; what is not readable counts as empty."""
    texts: list[str] = []
    users: list[str | None] = []
    for batch in corpus.batches():
        texts += [text or "" for text in batch.column(TEXT).to_pylist()]
        users += [] if corpus.columns.user is None else batch.column(USER).to_pylist()
    return texts, None if corpus.columns.user is None else users


def _texts(corpus: ProtectedCorpus) -> list[str]:
    return auxiliary_records(corpus)[0]
