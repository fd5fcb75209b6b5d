"""JSONL: a line is a record, and is read on its own.

There is no header. So that a misspelt field does not cost a whole budget, it must occur in one of the first lines. This
is the one place where rows decide whether a file is read at all: whether the release starts, which the curator alone
sees, and never how another row is read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Final

import pyarrow as pa

from dpspin.curator.records.columns import (
    BadRows,
    Columns,
    batch_of,
    looks_like_a_name,
    no_such_column,
    strictly_refused,
)
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.formats.bytes_in import utf8_of
from dpspin.curator.records.formats.file_format import BATCH_ROWS, DataFile, Format, LeftOut, Row
from dpspin.curator.records.formats.whole_rows import lines
from dpspin.errors import SourceError

MARK: Final = "\ufeff"
SPACE: Final = " \t\n\r"  # around a value, in JSON
DECODE: Final = json.JSONDecoder().raw_decode  # json.loads calls it, and spends a third of its time around it
BATCH_BYTES: Final = 32 * 2**20
LINES_LOOKED_AT: Final = 100  # for the fields of a file
DEEPEST: Final = 64
STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"')
BRACKETS: Final = re.compile(rb"[\[\]{}]")
FEWEST_TO_SHOW: Final = 10  # lines behind the names in a message: those of one record are not shown


def _check(file: DataFile, columns: Columns, dialect: Dialect) -> None:
    """Refuse a file whose first lines have no such field."""
    objects = _first_objects(file, dialect, LINES_LOOKED_AT)
    present = Counter(name for each in objects for name in each)
    for name in columns.required:
        if name not in present:
            usual = [each for each, times in present.items() if 2 * times > len(objects) >= FEWEST_TO_SHOW]
            raise no_such_column(repr(file.name), name, [each for each in usual if looks_like_a_name(each)], present)


def _first_objects(file: DataFile, dialect: Dialect, most: int) -> list[dict[str, object]]:
    with utf8_of(file, dialect.encoding, has_header=False) as stream:
        found = [_object_in(line) for line in islice(lines(stream), most)]
    objects = [each for each in found if each is not None]
    if not objects:
        raise SourceError(
            f"none of the first lines of {file.name!r} is a JSON object: JSONL has one in each line, in UTF-8 unless "
            "another encoding is declared (`records.dialect.encoding`)",
            code="source.empty",
        )
    return objects


def _first_rows(file: DataFile, dialect: Dialect, most: int) -> list[Row]:
    objects = _first_objects(file, dialect, most)
    names = list(dict.fromkeys(name for each in objects for name in each))
    return [names, *([each.get(name) for name in names] for each in objects)]


def _stream(
    file: DataFile, columns: Columns, bad_rows: BadRows, dialect: Dialect, left_out: LeftOut
) -> Iterator[pa.RecordBatch]:
    """Read the named fields of each object; a line that is none is left out, or refused."""
    with utf8_of(file, dialect.encoding, has_header=False) as stream:
        for some in _bounded(lines(stream)):
            rows = [_object_in(line) for line in some]
            if bad_rows is BadRows.REFUSE and None in rows:
                raise strictly_refused(f"{file.name!r} has a line that is no JSON object")
            left_out(rows.count(None))
            yield batch_of(columns, [row for row in rows if row is not None])  # the rest contributes zero


def _bounded(every: Iterable[bytes | None]) -> Iterator[list[bytes | None]]:
    """Group lines, blank ones left out, into batches that are bounded in rows and in bytes."""
    some: list[bytes | None] = []
    held = 0
    for line in every:
        if line is None or line.strip():
            some.append(line)
            held += len(line or b"")
        if len(some) >= BATCH_ROWS or held >= BATCH_BYTES:
            yield some
            some, held = [], 0
    yield some


def _object_in(line: bytes | None) -> dict[str, object] | None:
    """Read a line; None for one that is no JSON object, which is UTF-8 by definition, or nests deeper than any has to.

    A mark before any line is passed over: which line is the first is not a line's business. How deep Python can read
    depends on who called it, and no row may be read by that, so the depth has a limit of its own.
    """
    if line is None or _nests_too_deep(line):
        return None
    try:
        words = line.decode().removeprefix(MARK).strip(SPACE)
        value, end = DECODE(words)
    except ValueError:
        return None
    return value if isinstance(value, dict) and end == len(words) else None


def _nests_too_deep(line: bytes) -> bool:
    """Tell whether a line's objects and lists nest deeper than is read.

    >>> _nests_too_deep(b"[" * 70), _nests_too_deep(b'{"text": "' + b"[" * 70 + b'"}')
    (True, False)
    """
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    brackets = BRACKETS.findall(STRINGS.sub(b"", line))
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > DEEPEST


def _write(path: Path, rows: Sequence[Row]) -> None:
    names, *cells = rows
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in cells), "utf-8")


JSONL: Final = Format(
    "jsonl",
    "JSONL",
    (".jsonl", ".ndjson"),
    _check,
    _stream,
    _first_rows,
    _write,
    told_by=frozenset({"encoding"}),
    names_apart=True,
)
