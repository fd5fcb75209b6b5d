"""The places of a Spark plan that are files: which files are read there, how often, and whether they are a lake's."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.formats.file_format import guarded
from dpspin.curator.records.hadoop_store import BETWEEN, Address, HadoopStore, addresses, joined, unescaped
from dpspin.curator.records.lake_files import NOT_LOOKED_AT, NOT_SEEN, require_no_lake, require_no_lake_on_disk

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ON_DISK: Final = "file"
FILE_TABLE: Final = "org.apache.spark.sql.execution.datasources.v2.FileTable"
BY_LISTING: Final = "org.apache.spark.sql.execution."
OF_A_CATALOG: Final = "CatalogFileIndex"


@dataclass(frozen=True, slots=True)
class FilesRead:
    """The files that are read at one place of a plan, as often as they are, and what was named so that they are."""

    session: "SparkSession" = field(repr=False)
    files: tuple[Address, ...]
    roots: tuple[Address, ...]
    by_partition: bool  # each root is a partition of a catalog

    def read_otherwise_than_once(self) -> Iterator[str]:
        """Say why a file may be read twice: by two names, in a folder that is two partitions, or by two ways in."""
        if len({each.scheme for each in self.files}) > 1:
            yield " of files under two schemes"
        stores = {each.store for each in self.files}
        names = {store: HadoopStore(self.session, store).name for store in stores} if len(stores) > 1 else {}
        told = (self.files, self.roots if self.by_partition else ())
        if any(len({_identity(each, names) for each in several}) < len(several) for several in told):
            yield " of a file that is read twice"

    def require_no_lake(self) -> None:
        """Refuse files of a lake's table, whatever is declared of the rows in them."""
        require_no_lake_on_disk([Path(each.path) for each in self.files if each.scheme == ON_DISK])
        for store in {each.store for each in self.files if each.scheme != ON_DISK}:
            guarded(partial(self._require_no_lake_in, store), NOT_LOOKED_AT, NOT_SEEN)

    def _require_no_lake_in(self, store: str) -> None:
        files = {each.path for each in self.files if each.store == store}
        roots = {each.path for each in self.roots if each.store == store} - files
        folders = {folder for file in files for folder in file.parents}
        walked = {folder for folder in folders if roots.intersection((folder, *folder.parents))}
        require_no_lake(files, HadoopStore(self.session, store).names_in(walked))


def plainly_read(frame: "DataFrame") -> tuple[FilesRead, ...]:
    """Tell which files a table is read from, but for those that a lake's own library finds."""
    found = ((place, files_index(place)) for place in steps(frame))
    return tuple(
        files_read(frame.sparkSession, index, place)
        for place, index in found
        if index is not None and lists_folders(str(index.getClass().getName()))
    )


def lists_folders(finder: str) -> bool:
    """Tell Spark's own finders of files, by their class, from a lake's own, which asks the table.

    >>> own, deltas = "sql.execution.datasources.InMemoryFileIndex", "sql.delta.files.TahoeLogFileIndex"
    >>> lists_folders(f"org.apache.spark.{own}"), lists_folders(f"org.apache.spark.{deltas}")
    (True, False)
    """
    return finder.startswith(BY_LISTING)


def steps(frame: "DataFrame") -> Iterator[Any]:
    """Go through the steps by which a table is made, those of subqueries too, from the last one to where rows lie."""
    yield from _steps(frame._jdf.queryExecution().analyzed())  # noqa: SLF001  PySpark has no public way to a plan


def members(several: Any) -> list[Any]:  # noqa: ANN401  a sequence of Scala's
    """Return what is in a sequence, asked for one by one: not for what grows with the data."""
    indexed = several.toIndexedSeq()
    return [indexed.apply(place) for place in range(indexed.size())]


def files_index(place: Any) -> Any:  # noqa: ANN401
    """Return what finds the files of a place, which has an older and a newer form; None where it is not of files."""
    kind = str(place.getClass().getSimpleName())
    if kind == "LogicalRelation":
        held = place.relation()
        return held.location() if held.getClass().getSimpleName() == "HadoopFsRelation" else None
    held = place.table() if kind.startswith("DataSourceV2") else None
    return None if held is None or held.getClass().getSuperclass().getName() != FILE_TABLE else held.fileIndex()


def files_read(session: "SparkSession", index: Any, place: Any) -> FilesRead:  # noqa: ANN401
    """Ask what finds the files of a place; that of a catalog first finds the folders of all partitions."""
    by_partition = str(index.getClass().getSimpleName()) == OF_A_CATALOG
    listed = index.filterPartitions(place.children()) if by_partition else index  # the end of a plan has no children
    files = tuple(addresses(unescaped(joined(session, listed.inputFiles()))))
    return FilesRead(session, files, tuple(addresses(str(listed.rootPaths().mkString(BETWEEN)))), by_partition)


def _steps(plan: Any) -> Iterator[Any]:  # noqa: ANN401
    yield plan
    for beneath in (*members(plan.children()), *members(plan.subqueries())):
        yield from _steps(beneath)


def _identity(address: Address, names: dict[str, str]) -> object:
    """Know a file by its place on this machine's disk, so that a link is what it leads to; else by store and path."""
    try:
        about = Path(address.path).stat() if address.scheme == ON_DISK else None
    except OSError:
        about = None  # a disk that only the workers see
    return (names.get(address.store, address.store), address.path) if about is None else (about.st_dev, about.st_ino)
