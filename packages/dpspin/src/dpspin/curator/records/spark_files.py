"""Files that Spark reads, for the command line: a session is started, or the running one is used.

Only formats whose cells have types: how Spark reads the cells of CSV and JSON depends on its options and on other rows,
so that one record could change how others are read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from dpspin.curator.records.formats.file_format import guarded
from dpspin.curator.records.places import is_table
from dpspin.curator.records.spark_lineage import INFERENCE
from dpspin.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

UNTYPED: Final = frozenset((".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".xlsx", ".gz", ".zst"))
NO_SESSION: Final = "it needs Java 17 or 21 (JAVA_HOME), and the right address of the cluster"
NO_TABLE: Final = "is it there, is it Parquet or ORC, and may Spark's workers read it?"


@contextmanager
def read_by_spark(place: str, master: str | None) -> Iterator["DataFrame"]:
    """Let Spark read Parquet or ORC at a place that all its workers see; a session that was started here is stopped."""
    if find_spec("pyspark") is None:
        raise MissingExtra("reading with Spark", "spark")
    if is_table(place):
        raise SourceError(
            "Spark reads files of Parquet and ORC here, and no address of a table: let the local engine read it, or "
            "let Spark read the table in Python and give it to dpspin.release",
            code="source.spark-table",
        )
    suffix = PurePosixPath(place).suffix.lower()
    if suffix in UNTYPED:
        raise SourceError(
            f"Spark reads Parquet and ORC here, and not {suffix}: write the records as Parquet, or build the table in "
            "Python and give it to dpspin.release"
        )
    from pyspark.sql import SparkSession  # noqa: PLC0415  an optional extra

    running = SparkSession.getActiveSession()
    session = running or guarded(lambda: _started(master), "Spark cannot be started", NO_SESSION)
    try:
        read = session.read.orc if suffix == ".orc" else session.read.parquet
        yield guarded(lambda: read(place), "Spark cannot read the place that was named", NO_TABLE)
    finally:
        if running is None:
            session.stop()


def _started(master: str | None) -> "SparkSession":
    from pyspark.sql import SparkSession  # noqa: PLC0415

    settings = {"spark.ui.showConsoleProgress": "false", INFERENCE: "false"}  # folders' names are taken as they are
    named = SparkSession.builder.appName("dpspin").config(map=settings)
    return (named if master is None else named.master(master)).getOrCreate()
