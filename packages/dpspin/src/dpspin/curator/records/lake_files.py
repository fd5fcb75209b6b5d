"""Files of a lake's table are no records by themselves: its log or its metadata says which of them count.

An update, a merge, a deletion or a compaction writes rows anew and leaves the old files where they are, until somebody
cleans up. Read as plain files, one record would count several times, and one that was deleted would come back. So a
file is refused where a folder above it shows a table. A copy at another place, without what shows it, is not noticed.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from dpspin.curator.records.formats.file_format import Passing, guarded
from dpspin.curator.records.places import LAKE_EXAMPLE, Lake
from dpspin.errors import SourceError

NamesIn = Callable[[PurePath], Iterable[str]]  # of what lies in a folder; none where there is no such folder
ANYTHING: Final = re.compile(r".+", re.DOTALL)
METADATA: Final = re.compile(r".+\.metadata\.json(\.gz)?|version-hint\.text", re.DOTALL)
NOT_LOOKED_AT: Final = "the folders above the files cannot be looked at"
NOT_SEEN: Final = Passing(
    "whether files belong to a lake's table is told by what lies there, so whoever reads them must be allowed to look. "
    "Where that cannot be, copy the files to a place of their own"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """How the folder of a table is known: by a folder in it, which holds something that is called so."""

    kind: str
    folder: str
    holds: re.Pattern[str]
    remedy: str


def _in_one_state(lake: Lake, spark: str) -> str:
    return f"give the table in one of its states, by its address ({LAKE_EXAMPLE[lake]}), or as Spark reads it ({spark})"


MARKS: Final = (
    Mark(
        "Delta",
        "_delta_log",
        ANYTHING,
        _in_one_state(Lake.DELTA, 'spark.read.format("delta").option("versionAsOf", 12).load(…), in Python'),
    ),
    Mark(
        "Iceberg",
        "metadata",  # many a folder is called so: only what Iceberg writes into it tells
        METADATA,
        _in_one_state(Lake.ICEBERG, 'spark.read.option("snapshot-id", 123).table(…), in Python'),
    ),
    Mark("Hudi", ".hoodie", ANYTHING, "write the rows of the state that you mean into files at another place"),
)


def require_no_lake(files: Iterable[PurePath], names_in: NamesIn) -> None:
    """Refuse files of which one lies, however deep, in a lake's table."""
    folders = dict.fromkeys(folder for file in files for folder in file.parents if folder.parts)
    found = guarded(lambda: _table_among(folders, names_in), NOT_LOOKED_AT, NOT_SEEN)
    if found is not None:
        table, mark = found
        raise SourceError(
            f"{table.name!r} is a table of {mark.kind}, and its files are not read by themselves: rows that were "
            "changed or deleted still lie in some of them, so that a record could count several times and a deleted "
            f"one would come back. Instead, {mark.remedy}",
            code="source.lake-files",
        )


def require_no_lake_on_disk(files: Sequence[Path]) -> None:
    """Refuse files of a lake's table on a disk of this machine: where they are named, and where a link leads."""
    named = (Path(os.path.abspath(file)) for file in files)  # noqa: PTH100  resolve() would follow the links
    require_no_lake((*named, *(file.resolve() for file in files)), _on_disk)


def _table_among(folders: Iterable[PurePath], names_in: NamesIn) -> tuple[PurePath, Mark] | None:
    shown = (
        (folder, mark)
        for folder in folders
        for mark in MARKS
        if any(mark.holds.fullmatch(name) for name in names_in(folder / mark.folder))
    )
    return next(shown, None)


def _on_disk(folder: PurePath) -> list[str]:
    try:
        return [each.name for each in Path(folder).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
