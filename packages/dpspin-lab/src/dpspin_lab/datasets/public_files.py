"""The files that publishers hand out, row by row: CSV, JSON lines and Parquet, also compressed as they publish them."""

import csv
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, TextIO, cast

import pyarrow as pa
import pyarrow.parquet as pq

from dpspin.errors import SourceError

Row = dict[str, Any]
Columns = Mapping[str, type | tuple[type, ...]]  # what the publisher calls it, and what it holds where it is not empty


def found(folder: Path, names: Sequence[str], where_to_get_it: str) -> Path:
    """Return the first of the files that exists; whole public files are named before samples of them."""
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise SourceError(f"{folder / names[0]} is missing (nor is there {', '.join(names[1:])}). {where_to_get_it}")


def rows_of(file: Path, columns: Columns) -> Iterator[Row]:
    """Read some columns of a file. A column that no row has is an error; a field that one row lacks is None."""
    kind = {".gz": ".jsonl", ".json": ".jsonl", ".zip": ".csv"}.get(file.suffix, file.suffix)
    readers = {".parquet": _parquet, ".jsonl": _json_lines, ".csv": _csv}
    if not file.stat().st_size:
        raise SourceError(f"{file} is empty; fetch it again")
    try:
        yield from _checked(file, columns, readers[kind](file, list(columns)))
    except UnicodeDecodeError:
        raise SourceError(
            f"{file} is not in UTF-8, as the publisher's is; save it in UTF-8, or fetch it again"
        ) from None
    except (EOFError, csv.Error):
        raise SourceError(f"{file} ends too early or is damaged; fetch it again") from None
    except (pa.ArrowException, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error):
        raise SourceError(f"{file} cannot be read as what its name says; fetch it again") from None


def _checked(file: Path, columns: Columns, rows: Iterable[Row]) -> Iterator[Row]:
    """Pass rows on whose fields are of the published kinds; the message never shows a field."""
    for row in rows:
        for name, kinds in columns.items():
            if row[name] is not None and not isinstance(row[name], kinds):
                raise SourceError(f"{name!r} of a row in {file} is no {_named(kinds)}; keep the file as published")
        yield row


def _named(kinds: type | tuple[type, ...]) -> str:
    names = {str: "text", float: "number", int: "whole number", list: "list"}
    return names.get(kinds[-1] if isinstance(kinds, tuple) else kinds, "date")


def _parquet(file: Path, columns: Sequence[str]) -> Iterator[Row]:
    with pq.ParquetFile(file) as table:
        _require(file, columns, table.schema_arrow.names)
        for batch in table.iter_batches(columns=list(columns)):
            yield from batch.to_pylist()


def _csv(file: Path, columns: Sequence[str]) -> Iterator[Row]:
    with _opened(file) as stream:
        reader = csv.DictReader(stream, strict=True)
        _require(file, columns, reader.fieldnames or ())
        for row in reader:
            if None in row.values():  # fewer fields than the header has
                raise EOFError
            yield {name: row[name] for name in columns}


def _json_lines(file: Path, columns: Sequence[str]) -> Iterator[Row]:
    seen: set[str] = set()
    with _opened(file) as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                row = _object(file, number, line)
                seen.update(row)
                yield {name: row.get(name) for name in columns}
    _require(file, columns, seen)


def _object(file: Path, number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        row = None
    if not isinstance(row, dict):
        raise SourceError(f"line {number} of {file} is not a JSON object; fetch the file again") from None
    return _encodable(row) if "\\ud" in line.lower() else row


def _encodable(row: Row) -> Row:
    """Replace halves of characters, which JSON can spell with escapes and no text file can hold."""
    whole: Row = json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    return whole


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    """Open as text; line breaks inside quoted fields are kept, and a byte order mark is not."""
    with ExitStack() as open_files, _bytes_of(file, open_files) as content:
        yield io.TextIOWrapper(content, encoding="utf-8-sig", newline="")


def _bytes_of(file: Path, open_files: ExitStack) -> IO[bytes]:
    if file.suffix == ".gz":
        return cast("IO[bytes]", open_files.enter_context(gzip.open(file)))
    if file.suffix == ".zip":
        archive = open_files.enter_context(zipfile.ZipFile(file))
        inside = archive.namelist()
        if not inside:
            raise zipfile.BadZipFile
        return archive.open(inside[0])
    return file.open("rb")


def _require(file: Path, columns: Sequence[str], present: Sequence[str] | set[str]) -> None:
    if not present:
        raise SourceError(f"{file} holds no rows; fetch it again")
    if missing := [name for name in columns if name not in present]:
        raise SourceError(f"{file} lacks {', '.join(map(repr, missing))}; keep the publisher's own column names")
