"""Files in an object store, through Arrow's own file systems. Credentials come from the environment of each store.

S3 (and what speaks its language): AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, ~/.aws, or the machine's
role; AWS_REGION; AWS_ENDPOINT_URL for another server. Google: GOOGLE_APPLICATION_CREDENTIALS. Azure: its default chain.
"""

import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import PurePath, PurePosixPath
from typing import Final

from pyarrow import fs

from dpspin.curator.records.formats.file_format import Passing, guarded
from dpspin.curator.records.lake_files import NamesIn
from dpspin.curator.records.places import StoredFiles
from dpspin.errors import SourceError

NOT_REACHED: Final = Passing(
    "the store does not answer, or not to these credentials. What it said may quote them, so it is not shown: check "
    "the address, and what stands in the environment"
)
PATIENCE: Final = timedelta(minutes=1)  # Google's library would ask in vain for a quarter of an hour
AZURE: Final = re.compile(r"(?P<container>[^@/]+)@(?P<account>[^./@]+)\.[^/@]*/?(?P<path>.*)")


@dataclass(frozen=True, slots=True)
class Stored:
    """The files that a file, a folder or a glob stands for, in the store that holds them."""

    store: fs.FileSystem
    paths: Sequence[PurePosixPath]
    names_in: NamesIn
    folder: PurePosixPath | None = None  # where it is one that was named


def files_in_store(place: StoredFiles) -> Stored:
    """Return the paths that a file, a folder or a glob stands for, in the store that holds them."""
    store, path = guarded(lambda: _store_of(place), f"{place.scheme}:// cannot be opened", NOT_REACHED)
    return guarded(lambda: _found(store, path.strip("/")), f"{place.dataset!r} cannot be listed", NOT_REACHED)


def _store_of(place: StoredFiles) -> tuple[fs.FileSystem, str]:
    if place.scheme == "s3":
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        return fs.S3FileSystem(endpoint_override=endpoint), place.path
    if place.scheme == "gs":
        return fs.GcsFileSystem(retry_time_limit=PATIENCE), place.path
    found = AZURE.fullmatch(place.path)
    if found is None:
        raise SourceError(
            "this address of Azure cannot be read: write abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
            code="source.address",
        )
    return fs.AzureFileSystem(found["account"]), f"{found['container']}/{found['path']}"


def _found(store: fs.FileSystem, path: str) -> Stored:
    if "*" in path:
        wanted, top = re.compile(_pattern(path)), path[: path.index("*")].rpartition("/")[0]
        below = _below(store, top)
        return Stored(store, [each for each in below if wanted.fullmatch(str(each))], _known(top, below, store))
    kind, at = store.get_file_info(path).type, PurePosixPath(path)
    if kind is fs.FileType.Directory:
        below = _below(store, path)
        return Stored(store, below, _known(path, below, store), at)
    return Stored(store, [at] if kind is fs.FileType.File else [], partial(_names, store))


def _below(store: fs.FileSystem, folder: str) -> list[PurePosixPath]:
    every = store.get_file_info(fs.FileSelector(folder, allow_not_found=True, recursive=True))
    return [PurePosixPath(path) for path in sorted(each.path for each in every if each.type is fs.FileType.File)]


def _names(store: fs.FileSystem, folder: PurePath) -> list[str]:
    return [each.base_name for each in store.get_file_info(fs.FileSelector(str(folder), allow_not_found=True))]


def _known(top: str, below: Sequence[PurePosixPath], store: fs.FileSystem) -> NamesIn:
    """Name what lies in a folder: below this one all was listed, and the store is asked for others only."""
    listed: dict[PurePath, list[str]] = defaultdict(list)
    for path in below:
        listed[path.parent].append(path.name)
    return lambda folder: listed.get(folder, ()) if folder.is_relative_to(top) else _names(store, folder)


def _pattern(glob: str) -> str:
    """Return the expression of a glob: a star stands for letters of one name, two for folders.

    >>> found = re.compile(_pattern("b/**/x-*.csv")).fullmatch
    >>> [path for path in ("b/c/d/x-1.csv", "b/x-.csv", "b/x-1/2.csv", "c/x-1.csv") if found(path)]
    ['b/c/d/x-1.csv', 'b/x-.csv']
    """
    parts = re.split(r"(\*\*/|\*)", glob)
    return "".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
