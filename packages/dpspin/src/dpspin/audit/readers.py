"""Everything that can be released, one line per reader: how rows become such a file or table, and which are hard."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from dpspin.audit import hard_rows as hard
from dpspin.audit.hard_rows import Hard, Row
from dpspin.curator.records.find_files import FORMATS
from dpspin.curator.records.formats.file_format import Format

USER, TEXT = "guest", "words"
NAMES: Final = (USER, TEXT)
FORMAT: Final = {each.name: each for each in FORMATS}
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
class Written:
    """Writes rows as a file of a format."""

    format: Format

    def __call__(self, rows: list[Row], folder: Path) -> Path:
        """Write a file with a header."""
        path = folder / f"records{self.format.suffixes[0]}"
        self.format.write(path, [NAMES, *rows])
        return path


def _table(rows: list[Row], _folder: Path) -> pa.Table:
    return pa.table({name: pa.array(cells, pa.binary()) for name, cells in _by_column(rows).items()})


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


def _file(name: str, *rows: Hard, extra: Extra | None = None) -> Reader:
    return Reader(name, Written(FORMAT[name.removesuffix(" file")]), rows, extra)


PANDAS, POLARS, EXCEL = Extra("frames", "pandas"), Extra("frames", "polars"), Extra("excel", "python_calamine")

CSV = _file("csv", hard.SEMICOLONS, hard.MOTLEY_TEXT)
TSV = _file("tsv", hard.OPEN_QUOTATION, hard.MOTLEY_TEXT)
JSONL = _file("jsonl", hard.ID_IN_WORDS, hard.MOTLEY_JSON)
PARQUET = _file("parquet", hard.OTHER_ENCODING, hard.MOTLEY_BYTES)
ARROW_FILE = _file("arrow file", hard.OTHER_ENCODING, hard.MOTLEY_BYTES)
XLSX = _file("xlsx", hard.ID_IN_WORDS_ON_A_SHEET, hard.MOTLEY_SHEET, extra=EXCEL)
KNOWN_FILES: Final = (CSV, TSV, JSONL, PARQUET, ARROW_FILE, XLSX)
OTHER_FILES: Final = tuple(  # formats for which nobody has thought of harder rows yet
    _file(name, hard.PLAIN) for name in FORMAT if name not in {each.name.removesuffix(" file") for each in KNOWN_FILES}
)
ARROW_TABLE = Reader("arrow table", _table, (hard.OTHER_ENCODING, hard.MOTLEY_BYTES))
PANDAS_FRAME = Reader("pandas", _pandas, (hard.A_NUMBER_AMONG_BYTES, hard.MOTLEY_OBJECTS), PANDAS)
POLARS_FRAME = Reader("polars", _polars, (hard.A_NUMBER_AMONG_BYTES, hard.MOTLEY_OBJECTS), POLARS)
POLARS_SHUFFLED = Reader("polars lazy, shuffled", _polars_lazy, (hard.PLAIN,), POLARS)
POLARS_GROUPED = Reader("polars lazy, grouped", _polars_grouped, (hard.PLAIN,), POLARS)

READERS: Final = (
    *KNOWN_FILES,
    *OTHER_FILES,
    ARROW_TABLE,
    PANDAS_FRAME,
    POLARS_FRAME,
    POLARS_SHUFFLED,
    POLARS_GROUPED,
)
