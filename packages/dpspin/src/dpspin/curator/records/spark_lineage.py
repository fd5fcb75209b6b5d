"""Where the rows of a Spark table come from: each of one row of one table, or through something that mixes rows.

What protects a person is that one record is one row, read by itself. A join can make many rows of one, ``distinct`` and
``limit`` let one record decide whether another is seen, a window function or a subquery lets it change another's cells.
Spark knows the steps by which a table is made, so they are looked at, before anything is read. Steps and places that
are not known to keep rows apart count as if they did not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.spark_places import OF_A_CATALOG, files_index, files_read, lists_folders, members, steps

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ORDERING: Final = frozenset(("Sort", "Repartition", "RepartitionByExpression", "RebalancePartitions"))
ROW_BY_ROW: Final = ORDERING | {"Project", "Filter", "SubqueryAlias", "View", "ResolvedHint"}
ONE_ROW_AT_A_TIME: Final = frozenset((100, 101))  # functions of Python, however their rows travel
TYPED: Final = frozenset(  # Spark's classes of tables and files whose cells have types
    (
        *("ParquetFileFormat", "ParquetTable", "OrcFileFormat", "OrcTable"),
        *("DeltaParquetFileFormat", "iceberg.spark.source.SparkTable"),  # and not their feeds of changes
    )
)
INFERENCE: Final = "spark.sql.sources.partitionColumnTypeInference.enabled"


def steps_that_mix_rows(frame: "DataFrame") -> tuple[str, ...]:
    """Name, as Spark calls them, the steps and places by which a row may be more or less than one record's own."""
    every = [*steps(frame)]
    used = {*frame.columns, *(name for step in every for name in _names(step.references().toSeq()))}
    found = (words for step in every for words in _mixing(frame.sparkSession, step, used))
    return tuple(dict.fromkeys(found))


def is_typed(kind: str) -> bool:
    """Tell whether this class of Spark, or of a library for it, holds rows whose cells have types, each row once.

    >>> is_typed("org.apache.spark.sql.delta.DeltaParquetFileFormat"), is_typed("org.apache.spark.sql.delta.Changes")
    (True, False)
    """
    return any(f".{kind}".endswith(f".{name}") for name in TYPED)


def _mixing(session: "SparkSession", step: Any, used: set[str]) -> Iterator[str]:  # noqa: ANN401  an object of Spark's
    kind = str(step.getClass().getSimpleName())
    if kind in ROW_BY_ROW:
        if step.subqueries().size():
            yield f"{kind} with a subquery"
        if not step.deterministic():
            yield f"{kind} with what is drawn or numbered anew"
        patterns = session.sparkContext._gateway.jvm.org.apache.spark.sql.catalyst.trees.TreePattern  # noqa: SLF001
        own = members(step.expressions()) if step.containsPattern(patterns.PYTHON_UDF()) else ()
        if any(_takes_many_rows(each) for each in own):
            yield f"{kind} with a function of many rows at a time"
    elif kind == "LogicalRelation" or kind.startswith("DataSourceV2"):
        yield from (f"{kind}{why}" for why in _of_a_place(session, kind, step, used))
    else:
        yield kind


def _takes_many_rows(expression: Any) -> bool:  # noqa: ANN401
    """Tell a function of pandas or Arrow, which is handed rows of several records; others are called row by row."""
    if expression.getClass().getSimpleName() == "PythonUDF" and expression.evalType() not in ONE_ROW_AT_A_TIME:
        return True
    return any(_takes_many_rows(each) for each in members(expression.children()))


def _of_a_place(session: "SparkSession", kind: str, place: Any, used: set[str]) -> Iterator[str]:  # noqa: ANN401
    """Cells of CSV and JSON are read as other rows and options say; and a place can be named twice, or told by all."""
    held = place.relation() if kind == "LogicalRelation" else place.table()
    of_files = held.getClass().getSimpleName() == "HadoopFsRelation"
    if not is_typed(str((held.fileFormat() if of_files else held).getClass().getName())):
        yield ""
        return
    if any(column.metadata().contains("__metadata_col") for column in members(place.output())):
        yield " with the place of a row among others"
    files = files_index(place)
    if files is None:
        return
    yield from files_read(session, files, place).read_otherwise_than_once()
    if _is_inferred(session, files, (held if of_files else files).partitionSchema(), used):
        yield " with types inferred from the names of all folders"


def _is_inferred(session: "SparkSession", files: Any, by_folder: Any, used: set[str]) -> bool:  # noqa: ANN401
    """Tell whether all folders decide on a column: a catalog has the types of its table, Delta and Iceberg have too."""
    finder = files.getClass()
    if finder.getSimpleName() == OF_A_CATALOG or not lists_folders(str(finder.getName())):
        return False
    told = {str(column.name()).lower(): str(column.dataType().typeName()) for column in members(by_folder)}
    as_they_are = session.conf.get(INFERENCE) == "false" and set(told.values()) <= {"string"}
    return not as_they_are and bool(told.keys() & {name.lower() for name in used})


def _names(attributes: Any) -> Iterator[str]:  # noqa: ANN401
    return (str(each.name()) for each in members(attributes))
