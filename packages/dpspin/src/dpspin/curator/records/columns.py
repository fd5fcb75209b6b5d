"""Which cell function reads which named column: one place for all readers that have cells, not Arrow columns."""

from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa

from dpspin.curator.records.cells import SPELT, label_in, text_in, user_in
from dpspin.curator.records.policy import Columns

Read = Callable[[object], str | None]
IDS: tuple[Read, ...] = (user_in,)


def readers(columns: Columns) -> dict[str, Read]:
    """Return the cell function of each named column."""
    window = None if columns.window is None else columns.window.partition
    named = {columns.text: text_in, columns.user: user_in, columns.label: label_in, columns.teacher: label_in}
    return {name: read for name, read in {**named, window: user_in}.items() if name is not None}


def mark_of(read: Read) -> dict[bytes, bytes] | None:
    """Return the mark of a column whose ids are spelt already."""
    return SPELT if read in IDS else None


def batch_of(columns: Columns, rows: Iterable[Mapping[str, object]]) -> pa.RecordBatch:
    """Read rows of Python values, each cell by itself; a column that a row lacks is null there."""
    every, reads = list(rows), readers(columns)
    cells = [pa.array([read(row.get(name)) for row in every], pa.large_string()) for name, read in reads.items()]
    fields = [pa.field(name, pa.large_string(), metadata=mark_of(read)) for name, read in reads.items()]
    return pa.RecordBatch.from_arrays(cells, schema=pa.schema(fields))
