"""Every reader, fed with generated rows under a fixed schema: what the law of reading is tried on."""

import datetime as dt
import io
import json
import uuid
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
from hypothesis import strategies as st

from dpspin.boundary.accounting import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import Dialect
from xlsx_files import Error, write_workbook

NAMES = ("body", "who", "what", "when")
JANUARY = Window("when", "2024-01-01")


class Shouting(str):
    """A string that says something else when it is asked."""

    __slots__ = ()

    def __str__(self):
        return "shouted"

    def __getitem__(self, _part):
        return "shouted"


class Silent:
    """A value that cannot be spelt."""

    def __str__(self):
        raise RuntimeError("cannot be spelt")


BERLIN, NEW_YORK = dt.timezone(dt.timedelta(hours=1)), dt.timezone(dt.timedelta(hours=-5))
NOON = dt.datetime(2024, 1, 1, 12)  # noqa: DTZ001  a wall clock
ANYTHING = [
    *(
        "u1",
        "17",
        " ",
        "",
        "late parcel",
        'he said "no"',
        "a\nb",
        "x,y;z|w\tv",
        "\ud800",
        "ä€🙂",
        "json:[1]",
        "x" * 300,
    ),
    *(b"u1", b"late parcel", b"\xff\xfe", bytearray(b"u1"), memoryview(b"u1"), Shouting("u1"), np.str_("u1"), Silent()),
    *(17, 17.0, -0.0, 1.5, float("nan"), float("inf"), True, False, 2**53 + 1, 10**5000, np.int64(17), np.float32(0.1)),
    *(Decimal("1.50"), Decimal("1.5"), Decimal(17), Decimal("NaN"), Decimal("sNaN"), Decimal("1E+999999999")),
    *(dt.date(2024, 1, 1), NOON, NOON.replace(tzinfo=BERLIN), NOON.replace(hour=6, tzinfo=NEW_YORK), dt.time(1, 2)),
    *(dt.timedelta(days=1), pd.Timedelta(days=1), pd.Timedelta(1), pd.Timestamp(NOON), pd.Timestamp(NOON, tz="UTC")),
    *(pd.NaT, pd.NA, None, np.datetime64("NaT"), np.datetime64("2024-01-01"), np.timedelta64(1, "D"), np.bool_(True)),
    *(uuid.UUID(int=5), object(), [1, 2], (1, 2), {"a": 1}, {1: 2, "a": 3}, {"b", "a"}, np.array([1, 2]), 1 + 2j),
    *(pd.Period("2024-01"), pd.Interval(0, 1), Exception, len),
]
WORDS = [
    "late parcel",
    'he said "no"',
    "a\nb",
    "a\rb",
    "x,y;z|w\tv",
    "",
    " ",
    "ä€",
    "\ufeffmark",
    '"',
    "json:[1]",
    "u1",
]
IDS = ["u1", "u2", "17", "17.0", "", " ", "bytes:00", "\ufeffu1", "ä", "x" * 300, "2024-01-01"]


@dataclass(frozen=True)
class Reader:
    """A schema and a cell for each column (strategies), and how rows become something that can be read."""

    schemas: st.SearchStrategy
    row: object  # schema -> strategy of a row
    make: object  # (schema, rows, folder) -> (source, Dialect)
    closing: int = 0  # rows of its own that it puts last

    def read(self, schema, rows, folder, columns):
        """Read rows; the pairs, and whatever else was named, in order."""
        source, dialect = self.make(schema, rows, folder)
        corpus = open_corpus(source, columns, RowPolicy(missing_users=MissingUsers.OWN_UNIT), dialect)
        first, again = [list(rows_in(corpus)) for _ in range(2)]
        assert first == again
        return first[: len(first) - self.closing]


def rows_in(corpus):
    for batch in corpus.batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def columns_for(labelled, windowed):
    return Columns("body", "who", "what" if labelled else None, window=JANUARY if windowed else None)


# Delimited text: what a program writes, and rows that are broken.


def _quoted(cell, special):
    return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in special) else cell


def _written(row, delimiter, special):
    return delimiter.join(_quoted(cell, delimiter + special) for cell in row)


def _csv_row(schema):
    encoding, delimiter = schema
    known = [word for word in WORDS if encoding != "cp1252" or word.isascii() or word == "ä€"]
    ids = [word for word in IDS if encoding != "cp1252" or word.isascii() or word == "ä"]
    cells = st.tuples(
        st.sampled_from(known), st.sampled_from(ids), st.sampled_from(["3", "3;17", ""]), st.sampled_from(ids)
    )
    good = cells.map(lambda row: _written(row, delimiter, '"\r\n').encode(encoding))
    careless = cells.map(lambda row: _written(row, delimiter, '"\n').encode(encoding))  # as some libraries write
    bad = st.sampled_from([delimiter.join("abc"), delimiter.join("abcde"), ""]).map(lambda row: row.encode(encoding))
    broken = {"utf-8": b"\xff", "cp1252": b"\x81", "utf-16-le": b"\x00\xd8"}[encoding]
    spoilt = good.map(lambda row: broken + row if row[:1] != b'"' else row)
    return st.one_of(good, careless, spoilt, bad)


def _make_csv(schema, rows, folder):
    encoding, delimiter = schema
    end = "\n".encode(encoding)
    path = folder / "t.csv"
    path.write_bytes(delimiter.join(NAMES).encode(encoding) + end + b"".join(row + end for row in rows))
    return path, Dialect(encoding="windows-1252") if encoding == "cp1252" else Dialect()


def _tsv_row(_schema):
    cells = st.tuples(
        *(st.sampled_from([w for w in pool if not set(w) & set("\t\r\n")]) for pool in (WORDS, IDS, ["3", ""], IDS))
    )
    good = cells.map(lambda row: "\t".join(row).encode())
    return st.one_of(good, good.map(lambda row: b"\xff" + row), st.sampled_from([b"a\tb", b'"', b"a\tb\tc\td\te"]))


def _make_tsv(_schema, rows, folder):
    path = folder / "t.tsv"
    path.write_bytes("\t".join(NAMES).encode() + b"\n" + b"".join(row + b"\n" for row in rows))
    return path, Dialect()


def _jsonl_row(_schema):
    values = st.one_of(
        st.sampled_from([*WORDS, *IDS, "\ud800", 17, 17.0, 1.5, True, None, [1], {"a": [1]}, float("nan"), 10**400]),
        st.text(max_size=5),
    )
    whole = st.fixed_dictionaries(dict.fromkeys(NAMES, values)).map(json.dumps)
    part = st.dictionaries(st.sampled_from(NAMES), values).map(json.dumps)
    broken = st.sampled_from(["", "{", "[1]", "17", '{"body": 1', "\x00", "9" * 5000])
    spoilt = st.just(b'{"body": "\xff", "who": "u1", "what": "\xff", "when": 1}')
    marked = st.sampled_from([b"\xfe\xff" + '{"body": "x"}'.encode("utf-16-be") + b"\x00", b"\xff\xfe{\x00}\x00"])
    twice = whole.map(lambda row: 2 * "\ufeff".encode() + row.encode())
    deep = st.sampled_from([60, 500, 980, 2000]).map(lambda n: b'{"body": "x", "who": ' + n * b"[" + n * b"]" + b"}")
    lines = st.one_of(whole.map(str.encode), part.map(str.encode), broken.map(str.encode))
    return st.one_of(lines, lines, spoilt, marked, twice, deep)


def _make_jsonl(_schema, rows, folder):
    path = folder / "t.jsonl"
    complete = json.dumps(dict.fromkeys(NAMES, "2024-01-01")).encode()  # so that every field occurs
    path.write_bytes(b"".join(row + b"\n" for row in [*rows, complete]))  # last: any other may be the first
    return path, Dialect()


# Typed columns: the type is the schema, the integers behind moments may be any.

FAR = st.one_of(st.integers(-(2**62), 2**62), st.sampled_from([0, 19_723, 1_704_110_400, -1, 10**8]))
NEAR = st.one_of(st.integers(-(2**31), 2**31 - 1), st.sampled_from([0, 19_723]))
BYTES = st.sampled_from([b"u1", b"17", b"\xff", b"", b" ", b"json:[1]", "ä".encode(), b"x" * 300])
TEXT_TYPES = {
    "string": (pa.string(), st.sampled_from(WORDS)),
    "large_string": (pa.large_string(), st.sampled_from(WORDS)),
    "view": (pa.string_view(), st.sampled_from(WORDS)),
    "binary": (pa.binary(), BYTES),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), st.sampled_from(WORDS)),
}
ID_TYPES = {
    **TEXT_TYPES,
    "fixed": (pa.binary(2), st.sampled_from([b"u1", b"\xff\xff", b"17"])),
    "int64": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "uint64": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "double": (pa.float64(), st.one_of(st.floats(), st.sampled_from([17.0, -0.0, 1e300]))),
    "float": (pa.float32(), st.floats(width=32)),
    "bool": (pa.bool_(), st.booleans()),
    "decimal": (pa.decimal128(20, 2), st.decimals(-9999, 9999, places=2)),
    "date32": (pa.date32(), NEAR),
    "date64": (pa.date64(), FAR.map(lambda n: n // 86_400_000 * 86_400_000)),
    "second": (pa.timestamp("s"), FAR),
    "nano": (pa.timestamp("ns", "Europe/Berlin"), FAR),
    "nowhere": (pa.timestamp("us", "No/Where"), FAR),
    "time": (pa.time64("ns"), FAR),
    "duration": (pa.duration("s"), FAR),
    "uuid": (pa.uuid(), st.binary(min_size=16, max_size=16)),
    "null": (pa.null(), st.none()),
}
LABEL_TYPES = {**ID_TYPES, "list": (pa.list_(pa.int64()), st.lists(st.integers(0, 5), max_size=2))}
ARROW_SCHEMAS = st.tuples(*(st.sampled_from(sorted(each)) for each in (TEXT_TYPES, ID_TYPES, LABEL_TYPES, ID_TYPES)))
KINDS = (TEXT_TYPES, ID_TYPES, LABEL_TYPES, ID_TYPES)


def _arrow_row(schema):
    cells = [kinds[name][1] for kinds, name in zip(KINDS, schema, strict=True)]
    return st.tuples(*(st.one_of(cell, cell, cell, st.none()) for cell in cells))


def arrow_column(kind, cells):
    """Build a column from the integers behind moments, so that any of them can stand there."""
    match kind:
        case pa.UuidType():
            return pa.ExtensionArray.from_storage(kind, pa.array(cells, kind.storage_type))
        case _ if pa.types.is_temporal(kind):
            whole = pa.int32() if kind.bit_width == 32 else pa.int64()
            return pa.array(cells, whole).view(kind)
        case _ if pa.types.is_dictionary(kind):
            return pa.array(cells, kind.value_type).dictionary_encode()
        case _:
            return pa.array(cells, kind)


def arrow_table(schema, rows):
    kinds = [known[name][0] for known, name in zip(KINDS, schema, strict=True)]
    cells = zip(*rows, strict=True) if rows else [()] * len(NAMES)
    columns = [arrow_column(kind, list(column)) for kind, column in zip(kinds, cells, strict=True)]
    return pa.table(dict(zip(NAMES, columns, strict=True)))


def _make_arrow_table(schema, rows, _folder):
    return arrow_table(schema, rows), Dialect()


def _make_arrow_file(schema, rows, folder):
    table = arrow_table(schema, rows)
    with pa.OSFile(str(folder / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
        out.write_table(table)
    return folder / "t.arrow", Dialect()


NOT_IN_PARQUET = {"date64", "duration", "second", "nowhere"}
PARQUET_SCHEMAS = ARROW_SCHEMAS.filter(lambda schema: not NOT_IN_PARQUET & set(schema))


def _make_parquet(schema, rows, folder):
    pq.write_table(arrow_table(schema, rows), folder / "t.parquet", store_schema=True)
    return folder / "t.parquet", Dialect()


# pandas: columns of anything, and columns of one type.

PANDAS_TYPES = {
    "object": (object, st.sampled_from(ANYTHING)),
    "str": ("str", st.sampled_from([w for w in WORDS if w.isprintable()])),
    "python": ("string[python]", st.sampled_from([*WORDS, "\ud800"])),
    "arrow": (pd.ArrowDtype(pa.string()), st.sampled_from(WORDS)),
}
PANDAS_IDS = {
    **PANDAS_TYPES,
    "Int64": ("Int64", st.integers(-(2**62), 2**62)),
    "float64": ("float64", st.one_of(st.floats(), st.sampled_from([17.0, 2.0**60]))),
    "boolean": ("boolean", st.booleans()),
    "second": ("datetime64[s]", st.integers(-(10**14), 10**14)),
    "zone": (pd.DatetimeTZDtype("ns", "Europe/Berlin"), st.integers(-(10**18), 10**18)),
    "delta": ("timedelta64[ns]", st.integers(-(10**18), 10**18)),
    "period": ("period[M]", st.sampled_from([pd.Period("2024-01"), pd.Period("1999-12")])),
    "sparse": (pd.SparseDtype(float), st.sampled_from([17.0, 1.5, float("nan")])),
}
PANDAS_SCHEMAS = st.tuples(
    st.sampled_from(sorted(PANDAS_TYPES)), *(st.sampled_from(sorted(PANDAS_IDS)) for _ in NAMES[1:])
)
WITHOUT_NULLS = {"float64", "sparse", "object"}


def _pandas_row(schema):
    kinds = [PANDAS_IDS[name][1] for name in schema]
    return st.tuples(
        *(
            kind if name in WITHOUT_NULLS else st.one_of(kind, st.none())
            for kind, name in zip(kinds, schema, strict=True)
        )
    )


def pandas_column(name, cells):
    kind = PANDAS_IDS[name][0]
    if name == "object":
        column = np.empty(len(cells), object)
        for place, cell in enumerate(cells):
            column[place] = cell
        return pd.Series(column, dtype=object)
    if name == "second":
        return pd.Series(np.array([_NAT if cell is None else cell for cell in cells], "i8").view("M8[s]"))
    if name == "zone":
        moments = np.array([_NAT if cell is None else cell for cell in cells], "i8").view("M8[ns]")
        return pd.Series(moments).dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    return pd.Series(list(cells), dtype=kind)


_NAT = np.iinfo(np.int64).min


def _make_pandas(schema, rows, _folder):
    cells = zip(*rows, strict=True) if rows else [()] * len(NAMES)
    columns = {
        column: pandas_column(name, list(values)) for column, name, values in zip(NAMES, schema, cells, strict=True)
    }
    return pd.DataFrame(columns), Dialect()


# polars

POLARS_TYPES = {
    "String": (pl.String, st.sampled_from(WORDS)),
    "Binary": (pl.Binary, BYTES),
    "Categorical": (pl.Categorical, st.sampled_from(WORDS)),
    "Object": (pl.Object, st.sampled_from(ANYTHING)),
}
POLARS_IDS = {
    **POLARS_TYPES,
    "Int128": (pl.Int128, st.integers(-(2**100), 2**100)),
    "Int64": (pl.Int64, st.integers(-(2**63), 2**63 - 1)),
    "Float64": (pl.Float64, st.floats()),
    "Boolean": (pl.Boolean, st.booleans()),
    "Decimal": (pl.Decimal(20, 2), st.decimals(-9999, 9999, places=2)),
    "Date": (pl.Date, NEAR),
    "Datetime": (pl.Datetime("us", "Europe/Berlin"), FAR),
    "Duration": (pl.Duration("ms"), FAR),
    "Null": (pl.Null, st.none()),
}
POLARS_SCHEMAS = st.tuples(
    st.sampled_from(sorted(POLARS_TYPES)), *(st.sampled_from(sorted(POLARS_IDS)) for _ in NAMES[1:])
)


def _polars_row(schema):
    kinds = [POLARS_IDS[name][1] for name in schema]
    return st.tuples(*(st.one_of(kind, kind, st.none()) for kind in kinds))


def polars_column(column, name, cells):
    kind = POLARS_IDS[name][0]
    if name in {"Date", "Datetime", "Duration"}:
        whole = pl.Int32 if name == "Date" else pl.Int64
        return pl.Series(column, cells, dtype=whole).cast(kind, wrap_numerical=True)
    if name == "Object":
        return pl.Series(column, [None if cell is None else cell for cell in cells], dtype=pl.Object)
    return pl.Series(column, cells, dtype=kind)


def _make_polars(schema, rows, _folder):
    cells = zip(*rows, strict=True) if rows else [()] * len(NAMES)
    columns = [
        polars_column(column, name, list(values)) for column, name, values in zip(NAMES, schema, cells, strict=True)
    ]
    return pl.DataFrame(columns), Dialect()


def _make_polars_lazy(schema, rows, folder):
    return _make_polars(schema, rows, folder)[0].lazy().filter(pl.lit(value=True)), Dialect()


# Excel

EXCEL = [None, "late parcel", "u1", "17", 17, 17.0, 1.5, True, "ä€", " ", Error("#DIV/0!"), dt.date(2024, 1, 1), NOON]


def _make_xlsx(_schema, rows, folder):
    content = io.BytesIO()
    write_workbook(content, {"Records": [list(NAMES), *rows]})
    (folder / "t.xlsx").write_bytes(content.getvalue())
    return folder / "t.xlsx", Dialect()


READERS = {
    "csv": Reader(
        st.tuples(st.sampled_from(["utf-8", "cp1252", "utf-16-le"]), st.sampled_from(",;|\t")), _csv_row, _make_csv
    ),
    "tsv": Reader(st.none(), _tsv_row, _make_tsv),
    "jsonl": Reader(st.none(), _jsonl_row, _make_jsonl, closing=1),
    "parquet": Reader(PARQUET_SCHEMAS, _arrow_row, _make_parquet),
    "arrow file": Reader(ARROW_SCHEMAS, _arrow_row, _make_arrow_file),
    "arrow table": Reader(ARROW_SCHEMAS, _arrow_row, _make_arrow_table),
    "pandas": Reader(PANDAS_SCHEMAS, _pandas_row, _make_pandas),
    "polars": Reader(POLARS_SCHEMAS, _polars_row, _make_polars),
    "polars lazy": Reader(POLARS_SCHEMAS, _polars_row, _make_polars_lazy),
    "xlsx": Reader(st.none(), lambda _schema: st.tuples(*[st.sampled_from(EXCEL)] * 4), _make_xlsx),
}
