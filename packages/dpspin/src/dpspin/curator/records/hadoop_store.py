"""A file system of Hadoop's, as a Spark session reaches it: what lies in a folder, and what it is called itself.

Java is asked through a socket, one question at a time. So names of files are fetched all at once, as one text.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from dpspin.curator.records.lake_files import MARKS, NamesIn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BETWEEN: Final = "\0"  # in no name of a file
ESCAPED: Final = re.compile(rb"%([0-9a-fA-F]{2})")
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
        self._hadoop = _hadoop(session)
        self._store = store
        settings = session._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001
        self._system = self._path(PurePosixPath("/")).getFileSystem(settings)

    @property
    def name(self) -> str:
        """The name by which Hadoop knows it, however it was addressed; where it has none, its address."""
        return str(self._system.getCanonicalServiceName() or self._store)

    def names_in(self, walked: Collection[PurePath]) -> NamesIn:
        """Name what lies in a folder; in those that may be listed, as Spark does, all marks are looked for at once."""
        shown = self._marks_in(walked)
        return lambda folder: () if folder.parent in walked and folder not in shown else self._names(folder)

    def _marks_in(self, folders: Collection[PurePath]) -> set[PurePath]:
        if not folders:
            return set()
        several = BETWEEN.join(f"{self._store}{folder}" for folder in folders)
        texts = self._hadoop.util.StringUtils
        called = self._hadoop.fs.GlobFilter(f"{{{','.join(mark.folder for mark in MARKS)}}}")
        found = self._system.listStatus(texts.stringToPath(texts.getStrings(several, BETWEEN)), called)
        return {path for each in found for path in _paths(each)}

    def _names(self, folder: PurePath) -> Iterator[str]:
        at = self._path(folder)
        found = self._system.listStatus(at) if self._system.exists(at) else ()
        return (path.name for each in found for path in _paths(each))  # one by one: the first often is enough

    def _path(self, folder: PurePath) -> Any:  # noqa: ANN401  an object of Hadoop's, in Java
        return self._hadoop.fs.Path(f"{self._store}{folder}")


def joined(session: "SparkSession", names: Any) -> str:  # noqa: ANN401  an array of texts, in Java
    """Fetch many texts at once."""
    return str(_hadoop(session).util.StringUtils.join(BETWEEN, names))


def unescaped(addresses_of_files: str) -> str:
    """Write addresses as the files are named: Spark tells those of files with escapes.

    >>> unescaped("file:/a%20folder/100%25/%C3%A9t%C3%A9+1.parquet")
    'file:/a folder/100%/été+1.parquet'
    """
    named = ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), addresses_of_files.encode())
    return named.decode(errors="surrogateescape")


def _hadoop(session: "SparkSession") -> Any:  # noqa: ANN401  a package, in Java
    return session.sparkContext._gateway.jvm.org.apache.hadoop  # noqa: SLF001  PySpark has no public way to files


def _paths(found: Any) -> Iterator[PurePath]:  # noqa: ANN401
    return (each.path for each in addresses(str(found.getPath().toString())))
