"""A corpus in shards: each is measured where it lies, and the totals are brought together before a release.

The shards must be disjoint parts of the corpus: a record in two of them counts twice, and nobody can notice it from
sums. A file that is part of two shards is noticed, and refused; records that stand in two different files are not.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dpspin.boundary.atoms import Provenance
from dpspin.boundary.facets import columns_of
from dpspin.boundary.folders import require_no_lab
from dpspin.boundary.privacy import Everyone, UserUnit
from dpspin.boundary.statement import WITH_THE_RECORDS, Apart
from dpspin.curator.aggregate.local import Diagnostics, Records, read_into, require_countable
from dpspin.curator.aggregate.pseudonyms import THIS_RUN, Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin, require_same_origin
from dpspin.curator.aggregate.sketch_file import (
    ShardFacts,
    SketchHeader,
    read_header,
    read_sketch,
    write_sketch,
)
from dpspin.curator.aggregate.storage import Storage, user_sums
from dpspin.curator.aggregate.totals import finished, totals_for
from dpspin.curator.records.auxiliary import require_recognisable
from dpspin.curator.records.columns import TEXT, USER, Columns, RowPolicy, facet_column
from dpspin.curator.records.corpus import digest_of_parts
from dpspin.curator.records.disjoint import Compared, Unseen, require_few_in_common
from dpspin.errors import RecordsChanged, RecordsRefused, RequestError


def sketch_shard(
    path: Path, records: Records, *, pseudonyms: Pseudonyms | None = None, storage: Storage | None = None
) -> Diagnostics:
    """Measure one shard and write its totals; at user level all shards need the same pseudonyms."""
    require_no_lab(path.parent)
    if isinstance(records.origin.unit, UserUnit) and pseudonyms is None:
        raise RequestError("shards must name users alike: give all of them the same user key")
    _require_everyone(records.origin)
    _require_kept(records.columns)
    parts = records.content_parts()
    check = records.prepare()
    with closing(user_sums(storage)) as sums:
        totals = totals_for(records.origin, pseudonyms=pseudonyms or THIS_RUN, sums=sums)
        seen = read_into(totals, records.corpus, records.contribution_map, records.finders)
        if records.content_parts() != parts:
            raise RecordsChanged("the data changed while they were being read; nothing was written, run it again")
        write_sketch(path, totals, _facts(records, parts, check, seen))
    return seen


def _require_everyone(origin: SketchOrigin) -> None:
    """Refuse a kept sample: amplification is for one release of fresh coins, and a file could be released again."""
    if not isinstance(origin.sampling, Everyone):
        raise RequestError("a random sample is drawn anew for every release, so it cannot be kept: sketch everyone")


def _require_kept(columns: Columns) -> None:
    """Refuse a column that no sketch file keeps: the second that it names is the user's."""
    if columns.window is not None:
        raise RequestError("a sketch file is of all its records: release a window from the records themselves")
    if unkept := set(columns.by_kind) - {TEXT, USER, *map(facet_column, columns.facets)}:
        raise RequestError(f"a sketch file keeps no column of this kind: {', '.join(sorted(unkept))}")


def _facts(records: Records, parts: tuple[str, ...], check: Unseen, seen: Diagnostics) -> ShardFacts:
    return ShardFacts(
        columns=tuple(name for name in (records.columns.text, records.columns.user) if name is not None),
        bad_rows=records.policy.bad_rows,
        dialect=records.declared,
        parts=parts,
        auxiliary=check.by_map,
        behind_dictionary=check.by_dictionary,
        records=seen.records,
        without_text=seen.without_text,
        without_atom=seen.without_atom,
        not_read=seen.not_read,
    )


def _tell_nobody(records: int) -> None:
    del records


@dataclass(frozen=True, slots=True)
class Shards:
    """Sketch files that belong together. To a release they are what a corpus is: columns, policy, content, sketch."""

    files: tuple[Path, ...]
    headers: tuple[SketchHeader, ...]
    tell: Callable[[int], None] = field(default=_tell_nobody, repr=False, compare=False)

    @property
    def origin(self) -> SketchOrigin:
        """What all shards measure and whom they protect."""
        return self.headers[0].origin

    @property
    def columns(self) -> Columns:
        """The columns that were read."""
        text, *user = self.headers[0].shard.columns
        return Columns(text, user[0] if user else None, facets=columns_of(self.origin.facets))

    @property
    def policy(self) -> RowPolicy:
        """What was done with rows that could not be used."""
        bad_rows, unit = self.headers[0].shard.bad_rows, self.origin.unit
        return RowPolicy(bad_rows, unit.missing) if isinstance(unit, UserUnit) else RowPolicy(bad_rows)

    @property
    def declared(self) -> dict[str, str]:
        """What was declared about how the files are written: one place's need not be another's."""
        every = [header.shard.dialect for header in self.headers]
        names = sorted({name for each in every for name in each})
        return {name: " | ".join(sorted({each.get(name, "") for each in every})) for name in names}

    @property
    def state(self) -> None:
        """No name was declared for the state of the data: it is known by its content."""

    def content_digest(self) -> str:
        """Identify the records behind all shards as a release from their files would; it goes into the ledger only."""
        return digest_of_parts(part for each in self.headers for part in each.shard.parts)

    def likeness(self, key: bytes) -> None:
        """Nothing to sample: a sketch file holds no text, and users under a key that is not the ledger's."""

    def require_unseen(self) -> None:
        """Nothing to compare: auxiliary text was compared with each shard where it lies."""

    def require_compared(self, provenance: Provenance) -> None:
        """Refuse shards that say nothing of the records that their dictionary was built from, or that are those.

        Each shard alone is only a part of such records, so that no place can notice it.
        """
        if provenance.auxiliary is not None and provenance.auxiliary.is_of(self.content_digest()):
            raise RecordsRefused("the dictionary was built from the protected data; build it from separate records")
        if not provenance.needs_comparison:
            return
        if self.origin.separation.dictionary_text in WITH_THE_RECORDS:
            require_recognisable(provenance)
        if self.origin.separation.dictionary_text is Apart.NO_TEXT:
            raise RequestError(
                "the dictionary was built from auxiliary records, and these shards were not compared with them: sketch "
                "them again with `records.atoms_auxiliary`, or declare those public "
                "(`records.atoms_auxiliary_is_public`)"
            )

    def watched(self, tell: Callable[[int], None]) -> "Shards":
        """Return the same shards; the records of each one are told as it is added, for a progress display."""
        return replace(self, tell=tell)

    def measure(self, storage: Storage | None = None) -> tuple[Sketch, Diagnostics]:
        """Add the totals of all shards, and clip each user once."""
        settled, units = np.zeros(self.origin.joint_cells, np.int64), 0
        with closing(user_sums(storage)) as sums:
            for file, expected in zip(self.files, self.headers, strict=True):
                with read_sketch(file) as saved:
                    if saved.header != expected:
                        raise RequestError("a sketch file was changed while it was read; release again")
                    settled += saved.settled
                    units += saved.header.settled_units
                    for rows in saved.user_rows:
                        sums.add(rows)
                self.tell(expected.shard.records)
            return finished(self.origin, settled, units, sums), _seen(self.headers)


def open_shards(files: Sequence[Path]) -> Shards:
    """Open sketch files that measure the same thing in the same way; no total is read yet."""
    if not files:
        raise RequestError("name at least one sketch file")
    headers = tuple(read_header(file) for file in files)
    _require_everyone(headers[0].origin)
    for header in headers[1:]:
        _require_alike(headers[0], header)
    _require_different(headers)
    stated, shards = headers[0].separation, [header.shard for header in headers]
    if stated.map_text in WITH_THE_RECORDS:
        _require_unseen("the map has learned from", "auxiliary", [shard.auxiliary for shard in shards])
    if stated.dictionary_text in WITH_THE_RECORDS:
        _require_unseen(
            "the dictionary was built from", "atoms_auxiliary", [shard.behind_dictionary for shard in shards]
        )
    require_countable(_seen(headers))
    return Shards(tuple(files), headers)


def merge_sketch_files(files: Sequence[Path], storage: Storage | None = None) -> Sketch:
    """Return the sketch of the whole corpus, the same as if it had been read at once."""
    return open_shards(files).measure(storage)[0]


def _require_alike(one: SketchHeader, other: SketchHeader) -> None:
    require_same_origin(one.origin, other.origin)
    if one.user_key != other.user_key:  # one user would be two, and count for twice the bound
        raise RequestError("these shards name users under different keys: sketch them with the same user key")
    if (one.shard.columns, one.shard.bad_rows) != (other.shard.columns, other.shard.bad_rows):
        raise RequestError("these shards were read from different columns, or with different rules for bad rows")


def _require_different(headers: Sequence[SketchHeader]) -> None:
    """Refuse a file that is part of two shards: its records would count twice.

    Only a file without records is harmless. A shard counts its records and not those of each file, so what is known to
    be empty are the files of shards without any record: whoever reads the same bytes in the same way finds none either.
    """
    empty = {part for header in headers if not header.shard.records for part in header.shard.parts}
    times = Counter(part for header in headers for part in set(header.shard.parts) - empty)
    if any(number > 1 for number in times.values()):
        raise RequestError(
            "the same file is part of two of these sketch files, so its records would count twice: name each shard "
            "once, and sketch each file in one shard only. If it is a file without records, leave it out of the shards"
        )


def _require_unseen(what: str, field: str, checks: Sequence[Compared | None]) -> None:
    """Refuse shards of which one was not compared with the auxiliary text, or that share too much together."""
    compared = [check for check in checks if check is not None]
    if len(compared) < len(checks) or len({check.content for check in compared}) > 1:
        raise RequestError(
            f"{what} auxiliary text, and these shards were not all compared with the same one: "
            f"sketch all of them with the same `records.{field}`, or all with `records.{field}_is_public`"
        )
    require_few_in_common(compared)


def _seen(headers: Iterable[SketchHeader]) -> Diagnostics:
    total = Diagnostics()
    for shard in (header.shard for header in headers):
        total.records += shard.records
        total.without_text += shard.without_text
        total.without_atom += shard.without_atom
        total.not_read += shard.not_read
    return total
