"""A file system of Hadoop's, as a Spark session reaches it: what lies in a folder, and what it is called itself.

Java is asked through a socket, one question at a time. So names of files are fetched all at once, as one text.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.lake_files import NamesIn, as_walked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BETWEEN: Final = "\0"  # in no name of a file
ADDRESS: Final = re.compile(r"\A(?:([A-Za-z][\w+.-]*):)?(?://([^/]*))?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Address:
    """A file or a folder, as Hadoop spells it."""

    scheme: str
    authority: str
    path: PurePosixPath

    @property
    def store(self) -> str:
        """Return where it lies."""
        return f"{self.scheme}://{self.authority}"


def addresses(told: str) -> Iterator[Address]:
    """Read addresses that came as one text, and are not encoded.

    >>> [address.store for address in addresses("s3a://lake/in/a b.parquet" + BETWEEN + "file:/in/a.parquet")]
    ['s3a://lake', 'file://']
    """
    for each in filter(None, told.split(BETWEEN)):
        ((scheme, authority, path),) = ADDRESS.findall(each)
        yield Address(scheme, authority, PurePosixPath(path))


class HadoopStore:
    """The file system at ``scheme://authority``."""

    def __init__(self, session: "SparkSession", store: str) -> None:
        self._gateway: Any = session.sparkContext._gateway  # noqa: SLF001  PySpark has no public way to files
        self._hadoop = self._gateway.jvm.org.apache.hadoop
        self._store = store
        settings = session._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001
        self._system = self._path(PurePosixPath("/")).getFileSystem(settings)

    @property
    def name(self) -> str:
        """The name by which Hadoop knows it, however it was addressed; where it has none, its address."""
        return str(self._system.getCanonicalServiceName() or self._store)

    def names_in(self, walked: Collection[PurePosixPath]) -> NamesIn:
        """Name what lies in a folder; all that lies in those that Spark walks, too, is listed once for each of them."""
        return as_walked(walked, (path for folder in walked for path in self._below(folder)), self._names)

    def _below(self, folder: PurePath) -> list[PurePosixPath]:
        found = self._system.listFiles(self._path(folder), True)  # noqa: FBT003  in Java: and in the folders in it
        none_yet = self._gateway.new_array(self._hadoop.fs.FileStatus, 0)
        return self._paths(self._hadoop.util.functional.RemoteIterators.toArray(found, none_yet))

    def _names(self, folder: PurePath) -> list[str]:
        path = self._path(folder)
        return [each.name for each in self._paths(self._system.listStatus(path))] if self._system.exists(path) else []

    def _path(self, folder: PurePath) -> Any:  # noqa: ANN401  an object of Hadoop's, in Java
        return self._hadoop.fs.Path(f"{self._store}{folder}")

    def _paths(self, found: Any) -> list[PurePosixPath]:  # noqa: ANN401
        several = self._gateway.jvm.java.util.Arrays.asList(self._hadoop.fs.FileUtil.stat2Paths(found))
        return [each.path for each in addresses(str(self._hadoop.util.StringUtils.join(BETWEEN, several)))]
