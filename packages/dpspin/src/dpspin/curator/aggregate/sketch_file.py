"""The totals of one shard in a private file, so that shards can be measured apart and released together.

    PRIVATE …                one line, for whoever opens the file by chance
    {"version": 4, …}        one line of JSON: what was measured, for whom, from which content
    one int64 per cell       what is settled: all of it at record level, records without a user at user level
    Arrow stream             per-user totals before clipping, rows of (pseudonym, atom, ticks)
    32 bytes                 sha256 of everything before: against damage and cut files, not against forgers

Users are clipped when shards are merged, not before: a user in two shards would else count for twice the bound. So the
file must tell users apart, across shards. It holds pseudonyms under a key that the shards share, and not the ids: the
file is as private as the records, but a copy that goes astray does not name anybody by itself.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO, ClassVar, Final, Literal, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field, ValidationError

from dpspin.boundary.facets import Facet
from dpspin.boundary.model_base import GrownModel
from dpspin.boundary.privacy import EVERYONE, MASS, Adjacency, ProtectedUnit, Quantity, Sampling
from dpspin.boundary.safe_files import open_plain
from dpspin.boundary.software import SOFTWARE
from dpspin.boundary.statement import MapStatement, Separation
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import RecordTotals, UserTotals
from dpspin.curator.aggregate.user_sums import ROWS
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.records.columns import BadRows
from dpspin.curator.records.disjoint import Compared
from dpspin.errors import SourceError

WARNING: Final = b"PRIVATE dpspin sketch: exact sums of protected records. Do not publish.\n"
VERSION: Final = 4
LONGEST_HEADER: Final = 2**26  # a shard may be a folder of many files
DIGEST_BYTES: Final = 32
CHUNK: Final = 2**20


class ShardFacts(GrownModel):
    """What else a release has to know of a shard: how it was read and checked, its files' digests, private counts."""

    later: ClassVar = {"not_read"}
    columns: tuple[str, ...] = Field(min_length=1, max_length=2)
    bad_rows: BadRows
    dialect: dict[str, str] = Field(default_factory=dict)  # what was declared about how its files are written
    parts: tuple[str, ...] = Field(min_length=1, repr=False)  # each file's digest, by which a ledger knows the records
    auxiliary: Compared | None  # with what the map learned from, where that was not declared public
    behind_dictionary: Compared | None = None  # and with what the dictionary was built from
    records: int = Field(ge=0, repr=False)
    without_text: int = Field(ge=0, repr=False)
    without_atom: int = Field(ge=0, repr=False)
    not_read: int = Field(default=0, ge=0, repr=False)


class SketchHeader(GrownModel):
    """The second line of a sketch file."""

    later: ClassVar = {"facets"}
    version: Literal[4] = VERSION
    software: str = SOFTWARE
    universe_digest: str
    universe_size: int = Field(ge=1)
    contribution_map: MapStatement
    separation: Separation
    unit: ProtectedUnit
    adjacency: Adjacency
    quantity: Quantity = MASS
    sampling: Sampling = EVERYONE
    facets: tuple[Facet, ...] = ()
    settled_units: int = Field(ge=0, repr=False)  # units behind what is settled: records, or records without a user
    user_key: str | None  # the key's fingerprint: pseudonyms under different keys cannot be matched
    shard: ShardFacts

    @classmethod
    def of(cls, totals: RecordTotals | UserTotals, shard: ShardFacts) -> Self:
        """Describe totals."""
        return cls(
            **{each.name: getattr(totals.origin, each.name) for each in fields(SketchOrigin)},
            settled_units=totals.settled_units,
            user_key=totals.pseudonyms.fingerprint if isinstance(totals, UserTotals) else None,
            shard=shard,
        )

    @property
    def origin(self) -> SketchOrigin:
        """What the totals measure and whom they protect."""
        return SketchOrigin(**{each.name: getattr(self, each.name) for each in fields(SketchOrigin)})


@dataclass(frozen=True, slots=True)
class SavedTotals:
    """An open sketch file: small parts read, per-user totals still to be streamed."""

    header: SketchHeader
    settled: Ints
    user_rows: Iterator[pa.RecordBatch]


def write_sketch(path: Path, totals: RecordTotals | UserTotals, shard: ShardFacts) -> None:
    """Write totals to a file that only its owner can read; it appears under its name when it is complete."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            _write(file, totals, SketchHeader.of(totals, shard))
        unfinished.replace(path)
    except OSError as error:
        raise SourceError(f"the sketch file {str(path)!r} cannot be written: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


def read_header(path: Path) -> SketchHeader:
    """Read what a sketch file is about, and none of its numbers."""
    with _opened(path) as file:
        return _header(file, path)


@contextmanager
def read_sketch(path: Path) -> Iterator[SavedTotals]:
    """Open a sketch file after checking that it is whole."""
    with _opened(path) as file:
        header = _header(file, path)
        start = file.tell()
        _require_whole(file, path)
        file.seek(start)
        settled = np.frombuffer(file.read(8 * header.origin.joint_cells), "<i8").astype(np.int64)
        yield SavedTotals(header, settled, _user_rows(file, header, path))


class _Hashed:
    """A file that is hashed while it is written."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hasher = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._hasher.update(data)
        return self._file.write(data)

    def finish(self) -> None:
        self._file.write(self._hasher.digest())


def _write(file: BinaryIO, totals: RecordTotals | UserTotals, header: SketchHeader) -> None:
    hashed = _Hashed(file)
    hashed.write(WARNING)
    hashed.write(header.model_dump_json().encode() + b"\n")
    hashed.write(totals.settled.astype("<i8").tobytes())
    with pa.ipc.new_stream(pa.PythonFile(hashed, mode="w"), ROWS) as stream:
        for batch in totals.user_rows():
            stream.write_batch(batch)
    hashed.finish()


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        file = open_plain(path)
    except OSError as error:
        raise SourceError(f"the sketch file {str(path)!r} cannot be read: {error.strerror}") from None
    with file:
        yield file


def _header(file: BinaryIO, path: Path) -> SketchHeader:
    if file.readline(len(WARNING)) != WARNING:
        raise SourceError(f"{str(path)!r} is not a sketch file; make one with: dpspin sketch")
    try:
        return SketchHeader.model_validate_json(file.readline(LONGEST_HEADER))
    except ValidationError:
        raise SourceError(
            f"the sketch file {str(path)!r} is damaged, or was written by another version of dpspin; sketch it again"
        ) from None


def _require_whole(file: BinaryIO, path: Path) -> None:
    left = file.seek(0, os.SEEK_END) - DIGEST_BYTES
    file.seek(0)
    hasher = hashlib.sha256()
    while left > 0:
        chunk = file.read(min(CHUNK, left))
        hasher.update(chunk)
        left -= len(chunk)
    if file.read() != hasher.digest():
        raise _damaged(path)


def _user_rows(file: BinaryIO, header: SketchHeader, path: Path) -> Iterator[pa.RecordBatch]:
    """Stream per-user totals; what could not come from a map is refused, since a bound rests on it."""
    with pa.ipc.open_stream(pa.PythonFile(file, mode="r")) as stream:
        for batch in stream:
            if batch.schema != ROWS or header.user_key is None or not _possible(batch, header.origin.joint_cells):
                raise _damaged(path)
            yield batch


def _possible(batch: pa.RecordBatch, joint_cells: int) -> bool:
    if batch.num_rows == 0:
        return True
    atoms, ticks = pc.min_max(batch.column("atom")).as_py(), pc.min_max(batch.column("ticks")).as_py()
    return bool(atoms["min"] >= 0 and atoms["max"] < joint_cells and ticks["min"] >= 0)


def _damaged(path: Path) -> SourceError:
    return SourceError(f"the sketch file {str(path)!r} is damaged or cut short; sketch the shard again")
