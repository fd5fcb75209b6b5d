"""From a path, a folder or a glob to the data files it means. Names and suffixes only: no row is read here."""

import glob
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dpspin.errors import SourceError


class Format(StrEnum):
    """A file format, told by the suffix."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    ARROW = "arrow"
    XLSX = "xlsx"


_FORMATS = {
    ".csv": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".jsonl": Format.JSONL,
    ".ndjson": Format.JSONL,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".arrow": Format.ARROW,
    ".feather": Format.ARROW,
    ".xlsx": Format.XLSX,
}
_COMPRESSED = {".gz", ".zst", ".bz2"}
SUPPORTED = "CSV, TSV, JSONL, Parquet, Arrow or Excel (.xlsx) files (also compressed as .gz, .zst or .bz2)"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file and how to read it."""

    path: Path
    format: Format
    compressed: bool

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return self.path.name


def format_of(path: Path) -> tuple[Format, bool] | None:
    """Tell format and compression from the suffixes, or None.

    >>> format_of(Path("tickets.csv.gz")), format_of(Path("notes.txt"))
    ((<Format.CSV: 'csv'>, True), None)
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compressed = bool(suffixes) and suffixes[-1] in _COMPRESSED
    inner = suffixes[:-1] if compressed else suffixes
    found = _FORMATS.get(inner[-1]) if inner else None
    return None if found is None else (found, compressed)


def locate(source: str | Path) -> tuple[DataFile, ...]:
    """Return the data files a path, a folder or a glob stands for, in a fixed order."""
    path = Path(source)
    if not str(source):
        raise SourceError(f"no data is named: give {SUPPORTED}, a folder of them, or a glob in quotes")
    if path.is_dir():
        found = [child for child in sorted(path.rglob("*")) if child.is_file() and not _hidden(child, path)]
        files = [file for child in found if (file := _data_file(child)) is not None]
    elif path.is_file():
        files = [_require_known(path)]
    else:
        files = [_require_known(Path(match)) for match in sorted(glob.glob(str(source), recursive=True))]  # noqa: PTH207
    _require_different(files)
    if not files:
        raise SourceError(f"no data found at {str(source)!r}: give {SUPPORTED}, a folder of them, or a glob in quotes")
    return tuple(files)


def _require_different(files: list[DataFile]) -> None:
    """Refuse one file under two names, and a file beside its own compressed copy: its records would count twice."""
    places = [file.path.resolve() for file in files]
    plain = [place.with_suffix("") if file.compressed else place for place, file in zip(places, files, strict=True)]
    held = [(about.st_dev, about.st_ino) for about in (place.stat() for place in places)]
    for file, where, called in zip(files, held, plain, strict=True):
        if held.count(where) > 1 or plain.count(called) > 1:
            raise SourceError(
                f"{file.name!r} is there twice (as a link, or plain and compressed); remove one of the two"
            )


def _hidden(child: Path, root: Path) -> bool:
    return any(part.startswith((".", "_")) for part in child.relative_to(root).parts)


def _data_file(path: Path) -> DataFile | None:
    known = format_of(path)
    return None if known is None else DataFile(path, *known)


def _require_known(path: Path) -> DataFile:
    if not path.is_file():
        raise SourceError(
            f"{path.name!r} is no file: records are read from files and folders, not from devices or pipes"
        )
    file = _data_file(path)
    if file is None:
        rename = "; call a text file .csv or .tsv, by what separates its cells" if path.suffix == ".txt" else ""
        raise SourceError(f"{path.name!r} is not a format that can be read: give {SUPPORTED}{rename}")
    return file
