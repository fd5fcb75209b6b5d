"""What the cells of an Arrow column mean, a whole column at a time.

Which path is taken depends on the column's type, never on its cells; or each path gives every cell the same meaning
(``cells``) anyway. A type is part of the schema, and the schema is public.
"""

import functools
from collections.abc import Callable
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from dpspin.curator.records import cell_spelling as spelling
from dpspin.curator.records.cells import LONGEST_ID, LONGEST_TEXT, RESERVED, label_in, text_in, user_in
from dpspin.errors import SourceError

CLOCKS: Final = {"s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}


def _by_values(
    column: pa.Array, read: Callable[[pa.Array], pa.Array], *, whole: tuple[type[pa.DataType], ...] = (pa.UuidType,)
) -> pa.Array:
    """Read what a column holds: of an extension its storage, unless it is a type of its own; of a dictionary its words.

    A dictionary's words are cut before they are written out.
    """
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType) and not isinstance(kind, whole):
        return _by_values(column.storage, read, whole=whole)
    if pa.types.is_dictionary(kind):
        return _by_values(column.dictionary, read, whole=whole).take(column.indices)
    return read(column)


def texts_in(column: pa.Array, name: str) -> pa.Array:
    """Return a column as text, cut to what is read of a record; what is not text becomes null, row by row."""
    return _by_values(column, lambda values: _texts_in(values, name), whole=())


def _texts_in(column: pa.Array, name: str) -> pa.Array:
    if pa.types.is_null(column.type):
        return pa.nulls(len(column), pa.large_string())
    if not _holds_text(column.type):
        raise SourceError(f"the column {name!r} does not hold text; name the column with the records' words")
    return pc.utf8_slice_codeunits(_decoded(column), 0, LONGEST_TEXT)


def ids_in(column: pa.Array, name: str) -> pa.Array:
    """Return ids as text, each in its one spelling; only null, NaN and blank ids are missing."""
    return _by_values(column, lambda values: _ids_in(values, name))


def _ids_in(column: pa.Array, name: str) -> pa.Array:
    if pa.types.is_nested(column.type):
        raise SourceError(f"the column {name!r} holds lists or structures, and not one value per record")
    if pa.types.is_integer(column.type):
        return column.cast(pa.large_string())
    return _plain_ids(column) if _holds_text(column.type) else _spelt(column, user_in)


def labels_in(column: pa.Array, name: str) -> pa.Array:
    """Return the labels of each cell as one text."""
    return _by_values(
        column, lambda values: _texts_in(values, name) if _holds_text(values.type) else _spelt(values, label_in)
    )


def _spelt(column: pa.Array, read: Callable[[object], str | None]) -> pa.Array:
    """Spell moments from their integers, which always works, and all else from Python's values."""
    clock = _clock(column.type)
    if clock is None:
        return _as_strings([read(_python_value(cell)) for cell in column])
    whole = pa.int32() if column.type.bit_width == pa.int32().bit_width else pa.int64()
    numbers = column.view(whole).to_pylist()
    return _as_strings([None if number is None else clock(number) for number in numbers])


def _clock(kind: pa.DataType) -> Callable[[int], str] | None:
    if pa.types.is_date32(kind):
        return spelling.spelt_day
    if pa.types.is_date64(kind):
        return lambda number: spelling.spelt_day(number // 86_400_000)
    if pa.types.is_timestamp(kind):
        aware = kind.tz is not None
        return lambda number: spelling.spelt_moment(number * CLOCKS[kind.unit], aware=aware)
    if pa.types.is_time(kind):
        return lambda number: spelling.spelt_clock(number * CLOCKS[kind.unit])
    if pa.types.is_duration(kind):
        return lambda number: spelling.spelt_span(number * CLOCKS[kind.unit])
    return None


def _python_value(cell: pa.Scalar) -> object:
    try:
        return cell.as_py()
    except (ValueError, OverflowError, TypeError, ArithmeticError, pa.ArrowException):
        return None  # a moment outside the calendar, inside a structure; the error may quote it


def _plain_ids(column: pa.Array) -> pa.Array:
    """Take text ids as they are where all are plain, else cell by cell: the same either way."""
    ids = _whole(column)
    if ids is None:  # some are not UTF-8
        return _cell_by_cell(column)
    odd = pc.or_(pc.greater(pc.utf8_length(ids), LONGEST_ID), _starts_with_any(ids, RESERVED))
    if pc.any(odd).as_py():
        return _cell_by_cell(column)
    blank = pc.equal(pc.utf8_trim_whitespace(ids), "")
    return pc.if_else(pc.fill_null(blank, fill_value=True), pa.scalar(None, pa.large_string()), ids)


def _cell_by_cell(column: pa.Array) -> pa.Array:
    return _as_strings([user_in(value) for value in column.cast(pa.large_binary()).to_pylist()])


def _decoded(column: pa.Array) -> pa.Array:
    """Decode bytes at once; where some are not UTF-8, row by row, and those become null."""
    whole = _whole(column)
    if whole is not None:
        return whole
    return _as_strings([text_in(value) for value in column.cast(pa.large_binary()).to_pylist()])


def _whole(column: pa.Array) -> pa.Array | None:
    try:
        return column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:  # the error quotes the bytes, so it ends here
        return None


def _as_strings(cells: list[str | None]) -> pa.Array:
    return pa.array(cells, pa.large_string())


def _starts_with_any(texts: pa.Array, prefixes: tuple[str, ...]) -> pa.Array:
    found = [pc.starts_with(texts, prefix) for prefix in prefixes]
    return functools.reduce(pc.or_, found)


def _holds_text(kind: pa.DataType) -> bool:
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    blobs = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
    return any(is_one(kind) for is_one in (*texts, *blobs))
