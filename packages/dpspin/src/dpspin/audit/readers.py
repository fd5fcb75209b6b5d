"""Everything that can be released, one line per reader: how rows become such a file or table, and which are hard."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.audit import hard_rows as hard
from dpspin.audit.hard_rows import Hard, Row

USER, TEXT = "guest", "words"
NAMES: Final = (USER, TEXT)
Make = Callable[[list[Row], Path], object]


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional part of dpspin that a reader needs, and the module by which it is known."""

    name: str
    module: str

    @property
    def is_missing(self) -> bool:
        """Whether it is not installed."""
        return find_spec(self.module) is None


@dataclass(frozen=True, slots=True)
class Reader:
    """A way in. Releases of the first hard rows are counted; all are compared exactly."""

    name: str
    make: Make  # from rows and a folder to what is released
    hard: tuple[Hard, ...]
    extra: Extra | None = None


@dataclass(frozen=True, slots=True)
class Delimited:
    """Writes rows as lines of cells."""

    suffix: str
    delimiter: bytes
    cell: Callable[[object], bytes]

    def __call__(self, rows: list[Row], folder: Path) -> Path:
        """Write a file with a header."""
        path = folder / f"records.{self.suffix}"
        lines = [self.delimiter.join(self.cell(each) for each in row) + b"\n" for row in (NAMES, *rows)]
        path.write_bytes(b"".join(lines))
        return path


def _bytes(cell: object) -> bytes:
    return cell if isinstance(cell, bytes) else str(cell).encode()


def _quoted(cell: object) -> bytes:
    plain = _bytes(cell)
    return b'"' + plain.replace(b'"', b'""') + b'"' if any(mark in plain for mark in b',"\n') else plain


def _jsonl(rows: list[Row], folder: Path) -> Path:
    path = folder / "records.jsonl"
    lines = [json.dumps(dict(zip(NAMES, row, strict=True))) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def _xlsx(rows: list[Row], folder: Path) -> Path:
    from xlsxwriter import Workbook  # noqa: PLC0415  an optional extra

    with Workbook(str(folder / "records.xlsx"), {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet("Records")
        for place, row in enumerate((NAMES, *rows)):
            sheet.write_row(place, 0, row)
    return folder / "records.xlsx"


def _table(rows: list[Row], _folder: Path) -> pa.Table:
    return pa.table({name: pa.array(cells, pa.binary()) for name, cells in _by_column(rows).items()})


def _parquet(rows: list[Row], folder: Path) -> Path:
    pq.write_table(_table(rows, folder), folder / "records.parquet")
    return folder / "records.parquet"


def _arrow(rows: list[Row], folder: Path) -> Path:
    table = _table(rows, folder)
    with pa.OSFile(str(folder / "records.arrow"), "wb") as sink, pa_ipc.new_file(sink, table.schema) as out:
        out.write_table(table)
    return folder / "records.arrow"


def _pandas(rows: list[Row], _folder: Path) -> object:
    import pandas as pd  # noqa: PLC0415  an optional extra

    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in _by_column(rows).items()})


def _polars(rows: list[Row], _folder: Path) -> object:
    import polars as pl  # noqa: PLC0415  an optional extra

    return pl.DataFrame([pl.Series(name, cells, dtype=pl.Object) for name, cells in _by_column(rows).items()])


def _polars_lazy(rows: list[Row], _folder: Path) -> object:
    """Return a plan that comes in another order each time, as ``unique`` and joins of large frames do."""
    import polars as pl  # noqa: PLC0415  an optional extra

    frame = pl.LazyFrame(_by_column(rows), schema=dict.fromkeys(NAMES, pl.String))
    return frame.select(pl.struct(pl.all()).shuffle().alias("row")).unnest("row")


def _polars_grouped(rows: list[Row], _folder: Path) -> object:
    """Return a plan that groups, whose groups come in any order."""
    import polars as pl  # noqa: PLC0415  an optional extra

    frame = pl.LazyFrame(_by_column(rows), schema=dict.fromkeys(NAMES, pl.String))
    return frame.group_by(USER).agg(pl.all()).explode(TEXT)


def _by_column(rows: list[Row]) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}


PANDAS, POLARS, EXCEL = Extra("frames", "pandas"), Extra("frames", "polars"), Extra("excel", "python_calamine")

CSV = Reader("csv", Delimited("csv", b",", _quoted), (hard.SEMICOLONS, hard.MOTLEY_TEXT))
TSV = Reader("tsv", Delimited("tsv", b"\t", _bytes), (hard.OPEN_QUOTATION, hard.MOTLEY_TEXT))
JSONL = Reader("jsonl", _jsonl, (hard.ID_IN_WORDS, hard.MOTLEY_JSON))
PARQUET = Reader("parquet", _parquet, (hard.OTHER_ENCODING, hard.MOTLEY_BYTES))
ARROW_FILE = Reader("arrow file", _arrow, (hard.OTHER_ENCODING, hard.MOTLEY_BYTES))
XLSX = Reader("xlsx", _xlsx, (hard.ID_IN_WORDS_ON_A_SHEET, hard.MOTLEY_SHEET), EXCEL)
ARROW_TABLE = Reader("arrow table", _table, (hard.OTHER_ENCODING, hard.MOTLEY_BYTES))
PANDAS_FRAME = Reader("pandas", _pandas, (hard.A_NUMBER_AMONG_BYTES, hard.MOTLEY_OBJECTS), PANDAS)
POLARS_FRAME = Reader("polars", _polars, (hard.A_NUMBER_AMONG_BYTES, hard.MOTLEY_OBJECTS), POLARS)
POLARS_SHUFFLED = Reader("polars lazy, shuffled", _polars_lazy, (hard.PLAIN,), POLARS)
POLARS_GROUPED = Reader("polars lazy, grouped", _polars_grouped, (hard.PLAIN,), POLARS)

READERS: Final = (
    CSV,
    TSV,
    JSONL,
    PARQUET,
    ARROW_FILE,
    XLSX,
    ARROW_TABLE,
    PANDAS_FRAME,
    POLARS_FRAME,
    POLARS_SHUFFLED,
    POLARS_GROUPED,
)
