"""Where the rows of a Spark table come from: each of one row of one table, or through something that mixes rows.

What protects a person is that one record is one row, read by itself. A join can make many rows of one, ``distinct`` and
``limit`` let one record decide whether another is seen, a window function or a subquery lets it change another's cells.
Spark knows the steps by which a table is made, so they are looked at, before anything is read. Steps and places that
are not known to keep rows apart count as if they did not.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROW_BY_ROW: Final = frozenset(
    (
        *("Project", "Filter", "SubqueryAlias", "View", "ResolvedHint"),
        *("Sort", "Repartition", "RepartitionByExpression", "RebalancePartitions"),
    )
)
WRITTEN_DOWN: Final = "LocalRelation"
TYPED: Final = frozenset(  # Spark's classes of tables and files whose cells have types
    (
        *("ParquetFileFormat", "ParquetTable", "OrcFileFormat", "OrcTable"),
        *("DeltaParquetFileFormat", "iceberg.spark.source.SparkTable"),  # and not their feeds of changes
    )
)
INFERRED: Final = "InMemoryFileIndex"  # files whose folders tell partitions; those of a catalog have declared types
INFERENCE: Final = "spark.sql.sources.partitionColumnTypeInference.enabled"


def steps_that_mix_rows(frame: "DataFrame") -> tuple[str, ...]:
    """Name, as Spark calls them, the steps and places by which a row may be more or less than one record's own."""
    plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001  PySpark has no public way to a table's plan
    used = {*frame.columns, *(name for step in _steps(plan) for name in _names(step.references().toSeq()))}
    inferred_apart = frame.sparkSession.conf.get(INFERENCE) == "false"
    found = (words for step in _steps(plan) for words in _mixing(step, used, inferred_apart=inferred_apart))
    return tuple(dict.fromkeys(found))


def is_typed(kind: str) -> bool:
    """Tell whether this class of Spark, or of a library for it, holds rows whose cells have types, each row once.

    >>> is_typed("org.apache.spark.sql.delta.DeltaParquetFileFormat"), is_typed("org.apache.spark.sql.delta.Changes")
    (True, False)
    """
    return any(f".{kind}".endswith(f".{name}") for name in TYPED)


def _steps(plan: Any) -> Iterator[Any]:  # noqa: ANN401  an object of Spark's, in Java
    yield plan
    for child in _members(plan.children()):
        yield from _steps(child)


def _mixing(step: Any, used: set[str], *, inferred_apart: bool) -> Iterator[str]:  # noqa: ANN401
    kind = str(step.getClass().getSimpleName())
    if kind in ROW_BY_ROW:
        if step.subqueries().size():
            yield f"{kind} with a subquery"
        if not step.deterministic():
            yield f"{kind} with what is drawn or numbered anew"
    elif kind == "LogicalRelation" or kind.startswith("DataSourceV2"):
        yield from _of_a_place(kind, step, used, inferred_apart=inferred_apart)
    elif kind != WRITTEN_DOWN:
        yield kind


def _of_a_place(kind: str, place: Any, used: set[str], *, inferred_apart: bool) -> Iterator[str]:  # noqa: ANN401
    """Cells of CSV and JSON are read as other rows and options say; and a place can be named twice, or told by all."""
    held = place.relation() if kind == "LogicalRelation" else place.table()
    of_files = held.getClass().getSimpleName() == "HadoopFsRelation"
    if not is_typed(str((held.fileFormat() if of_files else held).getClass().getName())):
        yield kind
        return
    if any(column.metadata().contains("__metadata_col") for column in _members(place.output())):
        yield f"{kind} with the place of a row among others"
    if not of_files and "datasources.v2" not in str(held.getClass().getName()):
        return
    files = held.location() if of_files else held.fileIndex()
    read = [_identity(path) for path in _files_read(files, no_filters=place.children())]
    if len(set(read)) < len(read):
        yield f"{kind} of a file that is read twice"
    by_folder = _members((held if of_files else files).partitionSchema())
    is_inferred = files.getClass().getSimpleName() == INFERRED and not (
        inferred_apart and all(column.dataType().typeName() == "string" for column in by_folder)
    )
    if is_inferred and {column.name().lower() for column in by_folder} & {name.lower() for name in used}:
        yield f"{kind} with types inferred from the names of all folders"


def _files_read(files: Any, no_filters: Any) -> Iterator[str]:  # noqa: ANN401  an index of Spark's; a list of Scala's
    """Name the files that a scan reads, as often as it reads them: by each root, and by each partition of a catalog."""
    for folder in _members(files.listFiles(no_filters, no_filters)):
        for file in _members(folder.files()):
            yield str(file.getPath().toString())


def _identity(path: str) -> object:
    """Know a file by its place on this machine's disk, so that a link is what it leads to; else by its address."""
    try:
        about = Path(path.removeprefix("file:")).stat() if path.startswith("file:") else None
    except OSError:
        about = None  # a disk that only the workers see
    return path if about is None else (about.st_dev, about.st_ino)


def _names(attributes: Any) -> Iterator[str]:  # noqa: ANN401
    return (str(each.name()) for each in _members(attributes))


def _members(several: Any) -> list[Any]:  # noqa: ANN401  a sequence of Scala's
    indexed = several.toIndexedSeq()
    return [indexed.apply(place) for place in range(indexed.size())]
