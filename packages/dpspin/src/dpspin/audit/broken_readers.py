"""Readers that are broken on purpose: each decides by all rows how one of them is read, and must be caught.

No release can reach this module (an import contract), and nothing is patched. A broken reader stands before the shipped
one: it reads the same file or frame and hands over an Arrow table, which is then released as any other. The first two
were in the shipped code once.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.audit.corpora import RECORD
from dpspin.audit.file_trial import ONE_EACH, Hand
from dpspin.audit.readers import (
    ARROW_FILE,
    ARROW_TABLE,
    CSV,
    JSONL,
    NAMES,
    OTHER_FILES,
    PANDAS_FRAME,
    PARQUET,
    POLARS_FRAME,
    POLARS_GROUPED,
    POLARS_SHUFFLED,
    TEXT,
    TSV,
    USER,
    XLSX,
    Reader,
)
from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus

Cells = list[Any]


def collected_by_column(frame: Any) -> pa.Table:  # noqa: ANN401  polars is not imported here
    """Collect a lazy frame once for each column: texts and users then come in different orders."""
    return pa.table({name: frame.collect().get_column(name).to_arrow() for name in NAMES})


def texts_as_a_whole(source: object) -> pa.Table:
    """Let Arrow find one type for all texts; where there is none, take the strings and leave the rest."""
    users, texts = _cells(source)
    try:
        column = pa.array(texts)
    except pa.ArrowException:
        column = pa.array([text if isinstance(text, str) else None for text in texts], pa.string())
    return _table(_spelt(users), column)


def ids_as_a_whole(source: object) -> pa.Table:
    """Take user ids for numbers where all of them are, and else for words: 7 and 7.0 are then two users."""
    users, texts = _cells(source)
    try:
        column = pa.array([float(user) for user in users], pa.float64())
    except (TypeError, ValueError):
        column = _spelt(users)
    return _table(column, _strings([_readable(text) for text in texts]))


def delimiter_guessed(path: Any) -> pa.Table:  # noqa: ANN401
    """Split rows by the delimiter that occurs most often."""
    lines = path.read_text("utf-8").splitlines()[1:]
    between = max(",;\t|", key="".join(lines).count)
    rows = [line.split(between, 1) for line in lines]
    return _table(_spelt([row[0] for row in rows]), _strings([row[1] if len(row) > 1 else None for row in rows]))


def quoting_guessed(path: Any) -> pa.Table:  # noqa: ANN401
    """Take quotation marks for quotes where a cell begins with one: what follows, to the next mark, is one cell."""
    content = path.read_text("utf-8").partition("\n")[2]
    if '\t"' in content:
        head, _, quoted = content.partition('\t"')
        content = head + "\t" + quoted.replace("\n", " ")
    rows = [line.split("\t", 1) for line in content.splitlines()]
    return _table(_spelt([user for user, _ in rows]), _strings([text for _, text in rows]))


def encoding_guessed(source: object) -> pa.Table:
    """Take all texts for UTF-8 where one of them looks so, and else for Latin-1."""
    users, texts = _cells(source)
    encoding = "utf-8" if any(not text.isascii() and _decoded(text, "utf-8") for text in texts) else "latin-1"
    return _table(_spelt(users), _strings([_decoded(text, encoding) for text in texts]))


def texts_in_an_order_of_their_own(source: object) -> pa.Table:
    """Hand over texts in another order than users: each goes to somebody else when one record more comes in."""
    batches = open_corpus(source, Columns(TEXT, USER), RowPolicy(missing_users=MissingUsers.OWN_UNIT)).batches()
    users, texts = zip(
        *(row.values() for batch in batches for row in batch.select(["user", "text"]).to_pylist()), strict=True
    )
    return _table(_strings(list(users)), _strings(sorted(texts)))


@dataclass(frozen=True, slots=True)
class BrokenReader:
    """A fault, and where it must be caught."""

    fault: str
    hand: Hand
    cells: tuple[tuple[Reader, RecordUnit | UserUnit], ...]


BROKEN_READERS: Final = (
    BrokenReader(
        "lazy frame collected by column", collected_by_column, ((POLARS_SHUFFLED, ONE_EACH), (POLARS_GROUPED, ONE_EACH))
    ),
    BrokenReader("texts converted as a column", texts_as_a_whole, ((PANDAS_FRAME, RECORD), (POLARS_FRAME, RECORD))),
    BrokenReader(
        "user ids converted as a column",
        ids_as_a_whole,
        ((PANDAS_FRAME, ONE_EACH), (POLARS_FRAME, ONE_EACH), (JSONL, ONE_EACH), (XLSX, ONE_EACH)),
    ),
    BrokenReader("delimiter guessed from the rows", delimiter_guessed, ((CSV, RECORD),)),
    BrokenReader("quoting guessed from the rows", quoting_guessed, ((TSV, RECORD),)),
    BrokenReader(
        "encoding guessed from the rows",
        encoding_guessed,
        ((PARQUET, RECORD), (ARROW_FILE, RECORD), (ARROW_TABLE, RECORD)),
    ),
    *(
        BrokenReader("texts in an order of their own", texts_in_an_order_of_their_own, ((reader, ONE_EACH),))
        for reader in OTHER_FILES
    ),
)


def _cells(source: Any) -> tuple[Cells, Cells]:  # noqa: ANN401  of every library
    """Return users and texts as they are, by the simplest means."""
    if isinstance(source, Path):
        columns = OPENED[source.suffix](source)
        return columns[USER], columns[TEXT]
    found = [source[name] for name in NAMES]
    users, texts = (each.to_list() if hasattr(each, "to_list") else each.to_pylist() for each in found)
    return users, texts


def _jsonl_cells(path: Path) -> dict[str, Cells]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {name: [row[name] for row in rows] for name in NAMES}


def _xlsx_cells(path: Path) -> dict[str, Cells]:
    from python_calamine import CalamineWorkbook  # noqa: PLC0415  an optional extra

    _, *rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
    return {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}


def _arrow_cells(path: Path) -> dict[str, Cells]:
    with pa_ipc.open_file(str(path)) as file:
        return dict(file.read_all().to_pydict())


OPENED: Final[dict[str, Callable[[Path], dict[str, Cells]]]] = {
    ".jsonl": _jsonl_cells,
    ".xlsx": _xlsx_cells,
    ".arrow": _arrow_cells,
    ".parquet": lambda path: dict(pq.read_table(path).to_pydict()),
}


def _readable(text: object) -> str | None:
    return text.decode() if isinstance(text, bytes) else text if isinstance(text, str) else None


def _decoded(text: bytes, encoding: str) -> str | None:
    try:
        return text.decode(encoding)
    except UnicodeDecodeError:
        return None


def _table(users: pa.Array, texts: pa.Array) -> pa.Table:
    return pa.table({USER: users, TEXT: texts})


def _spelt(cells: Cells) -> pa.Array:
    return pa.array([str(cell) for cell in cells], pa.string())


def _strings(cells: list[str | None]) -> pa.Array:
    return pa.array(cells, pa.string())
