"""What runs in the Python workers of Spark's executors: Arrow batches in, sums and keyed pseudonyms out.

The arithmetic is the local engine's. A task maps its records in chunks, each as the local engine maps a corpus, and
hands on the sums; at user level they are one row per pseudonym and cell, which Spark brings together by pseudonym, and
another task clips. Integers make the result the same for any partitioning.

No text and no user id leaves a task.
"""

import pickle
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpspin.boundary.privacy import ProtectedUnit, RecordUnit
from dpspin.boundary.software import SOFTWARE
from dpspin.curator.aggregate.joint_cells import Finders
from dpspin.curator.aggregate.likeness import SampleInParts
from dpspin.curator.aggregate.local import read_into
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.spark_parts import (
    PART,
    TOLD,
    TOLD_COLUMNS,
    Batches,
    Tally,
    nothing_of,
    sealed,
    told_in,
    told_row,
)
from dpspin.curator.aggregate.storage import Spilling, user_sums
from dpspin.curator.aggregate.totals import RecordTotals, UserTotals, finished, totals_for
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums, UserSums
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import MissingExtra, RequestError

CHUNK: Final = 131_072  # records whose sums are held in a task, and handed on together
SUMS: Final = pa.schema([*(pa.field(each.name, each.type) for each in ROWS), *TOLD])
SUMS_COLUMNS: Final = f"high long, low long, atom int, ticks long, {TOLD_COLUMNS}"


@dataclass(frozen=True, slots=True)
class Packed:
    """All that is large and learned from no record: bytes that travel once to each executor."""

    map_file: bytes = field(repr=False)
    rest: bytes = field(repr=False)

    @classmethod
    def of(cls, contribution_map: ContributionMap, finders: Finders, origin: SketchOrigin) -> "Packed":
        """Pack a map, what finds the places of views by the text, and what the sketch will mean.

        Only a map that was fitted here can be packed.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "map"
            save_map(contribution_map, file)
            return cls(file.read_bytes(), pickle.dumps((dict(finders), origin)))

    @property
    def name(self) -> str:
        """Name these very bytes, for workers that keep what they held."""
        return sha256(self.map_file + self.rest).hexdigest()

    def unpacked(self) -> "Unpacked":
        """Load them; a task has one core, so the map has one thread."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "map"
            file.write_bytes(self.map_file)
            loaded = load_map(file)
        one_thread = replace(loaded, threads=1) if isinstance(loaded, CalibratedMap) else loaded
        return Unpacked(one_thread, *pickle.loads(self.rest))  # noqa: S301  the driver's own


class Unpacked(NamedTuple):
    """What a worker needs to make sums of records."""

    contribution_map: ContributionMap
    finders: Finders
    origin: SketchOrigin


_AT_WORK: dict[str, Unpacked] = {}  # of this worker process: its tasks share it


@dataclass(frozen=True)
class AtWork:
    """What is packed on its way: ``packed.value`` is read by the first task of a worker that needs it."""

    name: str
    packed: Any = field(repr=False)  # Spark's broadcast of what is packed

    def __call__(self) -> Unpacked:
        """Return it, loaded once per worker."""
        if self.name not in _AT_WORK:
            _AT_WORK.clear()  # a worker serves one run after another
            _AT_WORK[self.name] = self.packed.value.unpacked()
        return _AT_WORK[self.name]


@dataclass(frozen=True)
class Rules:
    """How records are read."""

    columns: Columns
    policy: RowPolicy

    def corpus(self, batches: Batches) -> ProtectedCorpus:
        """Return batches of Spark as a corpus that is read once."""
        return ProtectedCorpus(lambda: batches, tuple, self.columns, self.policy)


@dataclass(frozen=True)
class Task(ABC):
    """Work of one worker on one partition, and the version that the driver has: another may read or add otherwise."""

    software: str = field(default=SOFTWARE, kw_only=True)

    def __call__(self, batches: Batches) -> Batches:
        """Yield what the task tells; nothing that an error says leaves the worker."""
        return sealed(self._by_one_version, batches, self._told)

    def _by_one_version(self, batches: Batches) -> Batches:
        if self.software != SOFTWARE:
            raise RequestError(
                f"the driver runs {self.software} and Spark's workers run {SOFTWARE}: install the same version on both"
            )
        return self._work(batches)

    @abstractmethod
    def _work(self, batches: Batches) -> Batches: ...

    def _told(self, told: bytes) -> pa.RecordBatch:
        return told_row(told)


@dataclass(frozen=True)
class MapAndSum(Task):
    """The first task: map the records of a partition, and hand on their sums.

    It carries the key of the pseudonyms, and nothing whose size follows dictionary or map: Spark writes the code of a
    task to a file, beside the exchange that the key would open, where it is large.
    """

    rules: Rules
    unit: ProtectedUnit
    at_work: AtWork
    pseudonyms: Pseudonyms = field(repr=False)

    def _work(self, batches: Batches) -> Batches:
        """Yield the sums of each chunk: those of users under their pseudonyms, and what is settled."""
        contribution_map, finders, origin = self.at_work()
        for chunk in _chunks(batches):
            totals = totals_for(origin, pseudonyms=self.pseudonyms, sums=MemorySums())
            seen = read_into(totals, self.rules.corpus(chunk), contribution_map, finders)
            for rows in totals.user_rows():
                nothing = pa.nulls(rows.num_rows, pa.binary())
                yield pa.RecordBatch.from_arrays([*rows.columns, nothing], schema=SUMS)
            yield self._told(PART + Tally.of(_settled(totals), seen).to_bytes())

    def _told(self, told: bytes) -> pa.RecordBatch:
        if isinstance(self.unit, RecordUnit):
            return told_row(told)
        # The place in the exchange must be the same when a task runs again: else a part could be lost or come twice.
        return pa.RecordBatch.from_pylist([{"high": _partition(), "low": 0, "atom": 0, "ticks": 0, "told": told}], SUMS)


@dataclass(frozen=True)
class ClipAndSum(Task):
    """The second task at user level: all that the users of a partition gave is there, so each is clipped."""

    origin: SketchOrigin

    def _work(self, batches: Batches) -> Batches:
        """Yield the part of these users, and what was settled before; without a place to spill it is refused."""
        total = nothing_of(self.origin)
        with closing(_spilling_sums()) as sums:
            for batch in batches:
                for stored in told_in(batch):
                    total.merge(Tally.from_bytes(stored))
                rows = batch.filter(pc.is_null(batch.column("told"))).select(ROWS.names)
                sums.add(pa.RecordBatch.from_arrays(rows.columns, schema=ROWS))
            none_settled = np.zeros(self.origin.joint_cells, np.int64)
            total.merge(Tally.of(finished(self.origin, none_settled, 0, sums)))
        yield told_row(PART + total.to_bytes())


@dataclass(frozen=True)
class DrawSample(Task):
    """A task that draws from a partition what the ledger knows records by: the smallest keyed hashes.

    The key is the ledger's: which hashes are smallest must be the same for all collections that it compares.
    """

    rules: Rules
    key: bytes = field(repr=False)

    def _work(self, batches: Batches) -> Batches:
        """Yield the samples of the partition."""
        drawn = SampleInParts()
        for batch in self.rules.corpus(batches).batches():
            drawn.add(batch, self.key)
        yield told_row(PART + drawn.to_bytes())


@dataclass(frozen=True)
class MergeParts(Task):
    """The last task: all parts of a sketch become one."""

    origin: SketchOrigin

    def _work(self, batches: Batches) -> Batches:
        """Yield the whole."""
        whole = nothing_of(self.origin)
        for stored in (each for batch in batches for each in told_in(batch)):
            whole.merge(Tally.from_bytes(stored))
        yield told_row(PART + whole.to_bytes())


def _settled(totals: RecordTotals | UserTotals) -> Sketch:
    """Return what needs no exchange: all of it at record level, and of users the records without one."""
    if isinstance(totals, RecordTotals):
        return totals.finish()
    return finished(totals.origin, totals.settled, totals.settled_units, MemorySums())


def _spilling_sums() -> UserSums:
    """Refuse a worker that would hold all of its users in memory."""
    try:
        return user_sums(Spilling())
    except MissingExtra:
        raise MissingExtra("adding up users in Spark's workers, on every executor,", "spark") from None


def _chunks(batches: Batches) -> Iterator[Batches]:
    """Deal batches to chunks of a bounded number of records; each is read to its end before the next is taken."""
    for first in batches:
        yield _chunk(first, batches)


def _chunk(first: pa.RecordBatch, batches: Batches) -> Batches:
    yield first
    read = first.num_rows
    while read < CHUNK and (batch := next(batches, None)) is not None:
        read += batch.num_rows
        yield batch


def _partition() -> int:
    from pyspark import TaskContext  # noqa: PLC0415  an optional extra, and there wherever this runs

    context = TaskContext.get()
    return 0 if context is None else int(context.partitionId())
