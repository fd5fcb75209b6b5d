"""Records that Spark holds: its workers map and sum them where they lie, and the driver gets one sketch.

To a release they are what a corpus is. They are known to the ledger by the name that was declared for their state, not
by their content: nobody hashes terabytes. What is given up by that is said in the plan's account. That one person has
no second budget under another name still rests on the keyed samples of texts and users, drawn by Spark.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from logging import LogRecord
from threading import get_ident
from typing import TYPE_CHECKING, Final, TypeVar

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import Everyone, RecordUnit
from dpspin.boundary.statement import WITH_THE_RECORDS
from dpspin.curator.aggregate.likeness import Likeness, SampleInParts
from dpspin.curator.aggregate.local import Diagnostics, Records
from dpspin.curator.aggregate.pseudonyms import KEY_BYTES, Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.spark_parts import TOLD_COLUMNS, Tally, nothing_of, part_in
from dpspin.curator.aggregate.spark_tasks import (
    SUMS_COLUMNS,
    AtWork,
    ClipAndSum,
    DrawSample,
    MapAndSum,
    MergeParts,
    Packed,
    Rules,
)
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.paper_map import NgramMap
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.spark_lineage import steps_that_mix_rows
from dpspin.curator.records.spark_places import plainly_read
from dpspin.curator.records.spark_selection import rests_on_the_clock, selection_of
from dpspin.errors import RequestError, SourceAway, SourceError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NOT_SHOWN: Final = (
    "What Spark said may quote records, so it is not shown here: its own logs have it. Nothing was charged"
)
OF_DATA: Final = "22"  # the class of SQL's states in which a value cannot be what it is asked to be
QUOTING: Final = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")  # PySpark's own
WITHOUT_US: Final = ("No module named 'dpspin", "No module named 'pyarrow'")

MOST_SAMPLES: Final = 1024  # of a collection, each of at most 64 KiB, so that the driver can hold all of them

Asked = TypeVar("Asked")


def _tell_nobody(records: int) -> None:
    del records


@dataclass(frozen=True, slots=True)
class SparkTable:
    """The named columns of a table of a classic Spark session; each row is one record's own, as seen or as declared."""

    frame: "DataFrame" = field(repr=False)
    declared: str | None = None  # of rows that are made of others

    def __post_init__(self) -> None:
        for files in _asked(lambda: plainly_read(self.frame)):
            files.require_no_lake()
        _require_no_clock(self.frame)
        if self.declared is None:
            _require_row_by_row(self.frame)

    @classmethod
    def of(cls, frame: "DataFrame", columns: Columns, declared: str | None) -> "SparkTable":
        """Take the named columns only: no other one reaches a Python worker."""
        quoted = ["`" + name.replace("`", "``") + "`" for name in columns.names]
        return cls(_asked(lambda: frame.select(*quoted)), declared)


@dataclass(frozen=True, slots=True)
class NamedState:
    """The names by which the ledger knows records that nobody hashes: of the dataset, and of this state of it."""

    dataset: str
    state: str

    def __post_init__(self) -> None:
        if not self.dataset or not self.state:
            raise RequestError(
                "records that Spark holds are known to the ledger by names, not by their content: name the dataset "
                "(`account.dataset`) and the state of its data, such as the table's version (`account.snapshot`)",
                code="request.spark-unnamed",
                field="account.snapshot" if self.dataset else "account.dataset",
            )


@dataclass(frozen=True, slots=True)
class SparkRecords:
    """Records in a table of a Spark session, the map, and what their sketch will mean."""

    records: Records  # but for the corpus, which cannot be read here
    table: SparkTable
    named: NamedState
    tell: Callable[[int], None] = field(default=_tell_nobody, repr=False, compare=False)

    def __post_init__(self) -> None:
        _require_measurable(self.records)

    @classmethod
    def of(cls, records: Records, frame: "DataFrame", rows: str | None, named: NamedState) -> "SparkRecords":
        """Refuse what can be told at once before Spark is asked for all files of the table."""
        _require_session(frame)
        _require_measurable(records)
        return cls(records, SparkTable.of(frame, records.columns, rows), named)

    @property
    def state(self) -> str:
        """What the state of the data is called, since its content is not looked at."""
        return self.named.state

    @property
    def origin(self) -> SketchOrigin:
        """What is measured, and whom that protects."""
        return self.records.origin

    @property
    def columns(self) -> Columns:
        """The columns that are read."""
        return self.records.columns

    @property
    def policy(self) -> RowPolicy:
        """What is done with rows that cannot be used."""
        return self.records.policy

    @property
    def declared(self) -> dict[str, str]:
        """How rows and cells are chosen and made, by a digest, for a condition may quote a cell; and what is declared.

        Of files nothing: Spark has read them.
        """
        made = _asked(lambda: selection_of(self.table.frame))
        chosen = {"selection": digest_of(made)} if made else {}
        return chosen if self.table.declared is None else {**chosen, "view": self.table.declared}

    def content_digest(self) -> str:
        """Identify the state of the data by its declared name; it goes into the ledger only."""
        return digest_of(["declared state", self.named.dataset, self.named.state])

    def likeness(self, key: bytes) -> Likeness:
        """Let Spark sample texts and users for the ledger, of all records; the samples come here, and to no disk."""
        drawing = self.table.frame.coalesce(MOST_SAMPLES).mapInArrow(DrawSample(self._rules, key), TOLD_COLUMNS)
        whole = SampleInParts()
        for told in _told(drawing):
            whole.merge(SampleInParts.from_bytes(told))
        return whole.likeness()

    def watched(self, tell: Callable[[int], None]) -> "SparkRecords":
        """Return the same records; their number is told once they are measured, for a progress display."""
        return replace(self, tell=tell)

    def require_unseen(self) -> None:
        """Nothing to compare: text that would have to be is refused."""

    def measure(self) -> tuple[Sketch, Diagnostics]:
        """Map every record once where it lies, exchange per-user sums under pseudonyms of this run, clip and sum."""
        packed = Packed.of(self.records.contribution_map, self.records.finders, self.origin)
        sent = self.table.frame.sparkSession.sparkContext.broadcast(packed)
        try:
            parts = self._parts(AtWork(packed.name, sent)).repartition(1)
            merged = _told(parts.mapInArrow(MergeParts(self.origin), TOLD_COLUMNS))
        finally:
            sent.destroy()
        whole = Tally.from_bytes(merged[0]) if merged else nothing_of(self.origin)
        self.tell(whole.seen.records)
        return whole.sketch(self.origin), whole.seen

    def _parts(self, at_work: AtWork) -> "DataFrame":
        first = MapAndSum(self._rules, self.origin.unit, at_work, Pseudonyms(os.urandom(KEY_BYTES)))
        if isinstance(self.origin.unit, RecordUnit):
            return self.table.frame.mapInArrow(first, TOLD_COLUMNS)
        sums = self.table.frame.mapInArrow(first, SUMS_COLUMNS)
        return sums.repartition("high", "low").mapInArrow(ClipAndSum(self.origin), TOLD_COLUMNS)

    @property
    def _rules(self) -> Rules:
        return Rules(self.columns, self.policy)


def _told(tasks: "DataFrame") -> list[bytes]:
    """Bring what the tasks tell to the driver, or raise what one of them refused."""
    return [part_in(bytes(row.told)) for row in _asked(tasks.collect)]


def _asked(job: Callable[[], Asked]) -> Asked:
    """Ask Spark; what it says where it fails may quote a record, and is left behind, in no traceback's frame either."""
    try:
        with _unquoted():
            return job()
    except Exception as error:  # noqa: BLE001  Spark has many, and a message may come from any file or record
        failed = _failure(error)
    raise failed


@contextmanager
def _unquoted() -> Iterator[None]:
    """Keep PySpark from writing what an error of this thread says to stderr; Java's logs have it."""
    from pyspark.logger import PySparkLogger  # noqa: PLC0415  an optional extra, and there with the frame

    loggers, here = [PySparkLogger.getLogger(name) for name in QUOTING], get_ident()

    def of_others(record: LogRecord) -> bool:
        return record.thread != here

    for each in loggers:
        each.addFilter(of_others)
    try:
        yield
    finally:
        for each in loggers:
            each.removeFilter(of_others)


def _failure(error: Exception) -> SourceError:
    """Tell what Spark cannot do from what it could not do now, without its words."""
    said, state = str(error), getattr(error, "getSqlState", str)() or ""
    if any(words in said for words in WITHOUT_US):
        return SourceError("Spark's workers cannot import dpspin: install the same version of it on every executor")
    if type(error).__name__ == "PythonException":  # ours tell what they refuse as a value
        return SourceError(
            f"a Python function failed in Spark's workers: one of your own, if the table has one. {NOT_SHOWN}",
            code="source.spark-failed",
        )
    if type(error).__name__ == "PySparkNotImplementedError":
        return SourceError(
            "Spark cannot hand a column of this type to Python workers: cast it to a string, a whole number or a date "
            "first",
            code="source.spark-failed",
        )
    failed = f"Spark could not read or measure the records. {NOT_SHOWN}"
    if type(error).__name__ == "AnalysisException" or state.startswith(OF_DATA):
        return SourceError(failed, code="source.spark-failed")
    return SourceAway(f"{failed}. Ask again; if it fails again, a file may be damaged", code="source.spark-failed")


def _require_session(frame: object) -> None:
    if ".connect." in type(frame).__module__:
        raise RequestError("this table belongs to a Spark Connect session: give one of a classic session")


def _require_row_by_row(frame: "DataFrame") -> None:
    """Refuse rows that may be more or less than one record's own: then one person could count without a bound."""
    mixing = _asked(lambda: steps_that_mix_rows(frame))
    if mixing:
        raise RequestError(
            f"a row of this table may be more or less than one record's own ({', '.join(mixing)}): one record could "
            "count many times, or decide whether others are seen, and no promise would hold. Give the table that holds "
            "the records; or, where each row comes from one record and from no other, declare that in Python "
            '(`records.rows`, "row_by_row"): the plan states it as taken on trust',
            code="request.spark-rows",
            field="records.rows",
        )


def _require_no_clock(frame: "DataFrame") -> None:
    """Refuse rows that depend on when or by whom they are asked for: the ledger knows them by one name for good."""
    if _asked(lambda: rests_on_the_clock(frame)):
        raise RequestError(
            "which rows or cells this table has depends on when, or by whom, it is asked for (`current_date()`, "
            "`now()`, 'today', a time without a day, `current_user()` and the like): under the same name of its state "
            "it would be another one tomorrow. Write the date, as 2026-01-31, or the name itself",
            code="request.spark-clock",
            field="records.rows",
        )


def _require_measurable(records: Records) -> None:
    """Refuse what Spark's workers would not do as the local engine does, before anything is charged."""
    stated = records.origin.separation
    if not isinstance(records.origin.sampling, Everyone):
        raise RequestError(
            "Spark may run a task again, and a secret coin must not be flipped twice: measure everyone "
            "(leave `records.sampling` out)",
            code="request.spark-sampling",
            field="records.sampling",
        )
    if not isinstance(records.contribution_map, CalibratedMap | NgramMap):
        raise RequestError(
            "only a map that was fitted here travels to Spark's workers: a language model, or a map of your own, "
            "reads records on this machine only",
            code="request.spark-map",
            field="records.map",
        )
    compared = {stated.map_text, stated.dictionary_text} & WITH_THE_RECORDS
    if compared or (records.auxiliary is not None and not records.auxiliary_is_public):
        raise RequestError(
            "the texts behind map and dictionary are not compared with records that Spark holds: use texts that are "
            "public and declare them so (`records.auxiliary_is_public`, `records.atoms_auxiliary_is_public`), or "
            "release from files",
            code="request.spark-compared",
        )
