"""From a path, a folder or a glob to the data files it means. Names and suffixes only: no row is read here.

A format is registered here, by its place in ``FORMATS``, and nowhere else.
"""

import glob
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final

from pyarrow import fs

from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.formats.columnar import ARROW, PARQUET
from dpspin.curator.records.formats.delimited import CSV, TSV
from dpspin.curator.records.formats.file_format import LOCAL, DataFile, Format
from dpspin.curator.records.formats.jsonl import JSONL
from dpspin.curator.records.formats.xlsx import XLSX
from dpspin.curator.records.lake_files import require_no_lake, require_no_lake_on_disk
from dpspin.curator.records.places import LakeTable, SqlTable, StoredFiles, place_of
from dpspin.curator.records.stores import files_in_store
from dpspin.curator.records.tables.data_table import DataTable
from dpspin.curator.records.tables.open_table import opened_table
from dpspin.errors import RequestError, SourceError

FORMATS: Final = (CSV, TSV, JSONL, PARQUET, ARROW, XLSX)
COMPRESSED: Final = {".gz", ".zst", ".bz2"}


def _called(formats: Sequence[Format], last: str) -> str:
    *some, one = (each.words for each in formats)
    return f"{', '.join(some)} {last} {one}" if some else one


SUPPORTED: Final = f"{_called(FORMATS, 'or')} files (also compressed as .gz, .zst or .bz2)"


def data_file(path: PurePath, store: fs.FileSystem = LOCAL) -> DataFile | None:
    """Tell format and compression from the suffixes, or None.

    >>> data_file(Path("tickets.csv.gz")).format.name, data_file(Path("notes.txt"))
    ('csv', None)
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in COMPRESSED
    inner = suffixes[-2 if compressed else -1 :][:1]
    found = next((each for each in FORMATS if {*inner} & {*each.suffixes}), None)
    return None if found is None else DataFile(path, found, compressed, store)


def require_used(dialect: Dialect, files: Sequence[DataFile | DataTable]) -> None:
    """Refuse a declaration that none of the files is read by: it would say something that is not done."""
    for name in dialect.declared:
        if not any(name in file.format.told_by for file in files):
            about = _called([each for each in FORMATS if name in each.told_by], "and")
            raise RequestError(
                f"`records.dialect.{name}` is about {about} files, and there is none here: leave it out",
                code="request.misplaced",
                field=f"records.dialect.{name}",
            )


def locate(source: str | Path) -> tuple[DataFile | DataTable, ...]:
    """Return the data files a path, a folder or a glob stands for, in a fixed order; or the table at an address."""
    place = place_of(source)
    match place:
        case SqlTable() | LakeTable():
            return (opened_table(place),)
        case StoredFiles(scheme="file"):
            return _files(place.path)
        case StoredFiles():
            return _stored_files(place)
        case None:
            return _files(source)


def _stored_files(place: StoredFiles) -> tuple[DataFile, ...]:
    """Return the files of a store: of a folder those that can be read, else every one, or none."""
    found = files_in_store(place)
    paths, folder = found.paths, found.folder
    known = [data_file(path, found.store) for path in paths if folder is None or not _hidden(path, folder)]
    files = [file for file in known if file is not None]
    if folder is None and len(files) < len(paths):
        raise _unknown_format(next(path for path, file in zip(paths, known, strict=True) if file is None))
    names = [file.path.with_suffix("") if file.compressed else file.path for file in files]
    _require_once(files, names)
    require_no_lake(_of_a_lake(files), found.names_in)
    return _require_some(files, place.dataset)


def _files(source: str | Path) -> tuple[DataFile, ...]:
    path = Path(source)
    if not str(source):
        raise SourceError(f"no data is named: give {SUPPORTED}, a folder of them, or a glob in quotes")
    if path.is_dir():
        found = [child for child in sorted(path.rglob("*")) if child.is_file() and not _hidden(child, path)]
        files = [file for child in found if (file := data_file(child)) is not None]
    elif path.is_file():
        files = [_require_known(path)]
    else:
        files = [_require_known(Path(match)) for match in sorted(glob.glob(str(source), recursive=True))]  # noqa: PTH207
    _require_different(files)
    require_no_lake_on_disk([Path(path) for path in _of_a_lake(files)])
    return _require_some(files, str(source))


def _of_a_lake(files: Sequence[DataFile]) -> list[PurePath]:
    """Return those that a lake's table could have written."""
    return [file.path for file in files if file.format is PARQUET]


def _require_some(files: Sequence[DataFile], source: str) -> tuple[DataFile, ...]:
    if not files:
        raise SourceError(f"no data found at {source!r}: give {SUPPORTED}, a folder of them, or a glob in quotes")
    return tuple(files)


def _require_different(files: list[DataFile]) -> None:
    """Refuse one file under two names, and a file beside its own compressed copy: its records would count twice."""
    places = [Path(file.path).resolve() for file in files]
    _require_once(
        files, [place.with_suffix("") if file.compressed else place for place, file in zip(places, files, strict=True)]
    )
    _require_once(files, [(about.st_dev, about.st_ino) for about in (place.stat() for place in places)])


def _require_once(files: Sequence[DataFile], names: Sequence[object]) -> None:
    for file, name in zip(files, names, strict=True):
        if names.count(name) > 1:
            raise SourceError(
                f"{file.name!r} is there twice (as a link, or plain and compressed); remove one of the two"
            )


def _hidden(child: PurePath, root: PurePath) -> bool:
    return any(part.startswith((".", "_")) for part in child.relative_to(root).parts)


def _require_known(path: Path) -> DataFile:
    if not path.is_file():
        raise SourceError(
            f"{path.name!r} is no file: records are read from files and folders, not from devices or pipes"
        )
    file = data_file(path)
    if file is None:
        raise _unknown_format(path)
    return file


def _unknown_format(path: PurePath) -> SourceError:
    rename = "; call a text file .csv or .tsv, by what separates its cells" if path.suffix == ".txt" else ""
    return SourceError(
        f"{path.name!r} is not a format that can be read: give {SUPPORTED}{rename}", code="source.unknown-format"
    )
