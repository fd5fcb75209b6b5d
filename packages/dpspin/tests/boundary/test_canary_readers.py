"""A unique token in every cell, through every reader and every way it can fail: it comes out nowhere.

Looked at are what is printed (by native code too), logged and warned of, the exception with its traceback and all that
hangs on it, the plan and the ledger.
"""

import gzip
import json
import traceback
import warnings
from itertools import count, product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpspin as package
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.formats import bytes_in, delimited, whole_rows
from dpspin.errors import DpSpinError
from xlsx_files import write_workbook

CANARY = "zqxvcanary"
NAMES = ["who", "body", "when"]


def records(size=60):
    number = count()
    return [
        [f"{CANARY}u{n % 7}", f"my parcel is late {CANARY}{next(number)}, and nobody answers", f"{CANARY}w{n % 3}"]
        for n in range(size)
    ]


# How rows get into a file or a frame; cells may be anything that the format can hold.


def _text(cell):
    return "" if cell is None else cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)


def write_csv(path, names, cells, delimiter=","):
    lines = [delimiter.join('"' + _text(cell).replace('"', '""') + '"' for cell in row) for row in [names, *cells]]
    path.write_bytes(("\n".join(lines) + "\n").encode("latin-1", "replace"))


def write_tsv(path, names, cells):
    path.write_bytes("".join("\t".join(map(_text, row)) + "\n" for row in [names, *cells]).encode("latin-1", "replace"))


def write_jsonl(path, names, cells):
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=False)), default=_text) + "\n" for row in cells))


def table(names, cells):
    columns = [list(column) for column in zip(*cells, strict=True)]
    texts = [[None if cell is None else _text(cell).encode("latin-1", "replace") for cell in each] for each in columns]
    return pa.Table.from_arrays([pa.array(each, pa.binary()) for each in texts], names=names)


def write_parquet(path, names, cells):
    pq.write_table(table(names, cells), path)


def write_arrow(path, names, cells):
    held = table(names, cells)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, held.schema) as out:
        out.write_table(held)


def write_xlsx(path, names, cells):
    plain = [[cell if isinstance(cell, str | int | None) else _text(cell) for cell in row] for row in cells]
    write_workbook(path, {"Records": [names, *plain]})


FILES = {
    "csv": write_csv,
    "tsv": write_tsv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
    "arrow": write_arrow,
    "xlsx": write_xlsx,
}
FRAMES = {
    "pandas": lambda names, cells: pd.DataFrame(cells, columns=names, dtype=object),
    "polars": lambda names, cells: pl.DataFrame(
        [
            pl.Series(name, list(each), dtype=pl.Object)
            for name, each in zip(names, zip(*cells, strict=True), strict=True)
        ]
    ),
    "polars lazy": lambda names, cells: FRAMES["polars"](names, cells).lazy(),
    "arrow table": table,
}
READERS = [*FILES, *FRAMES]


def source(reader, folder, names=NAMES, cells=None):
    cells = records() if cells is None else cells
    if reader in FRAMES:
        return FRAMES[reader](names, cells)
    path = folder / f"records.{reader}"
    FILES[reader](path, names, cells)
    return path


class Loud:
    """A value that shouts its text in whatever way it is asked."""

    def __str__(self):
        warnings.warn(f"{CANARY} warned", stacklevel=1)
        raise ValueError(f"{CANARY} in an object")

    __repr__ = __str__


def odd(place):
    cells = records()
    values = [b"\xff\xfe" + CANARY.encode(), 17, None, f"{CANARY} \x00", " ", f'{CANARY}"x', f"{CANARY}" * 40]
    for n, value in enumerate(values):
        cells[n * 5][place] = value
    return cells


def loud(place):
    cells = records()
    cells[3][place], cells[4][place] = Loud(), [CANARY, Loud()]
    return cells


# What is asked of a reader, and how that fails: (arguments of the release, records, does it fail?)


def user_level(**more):
    return {"user": "who", "unit": package.UserUnit(bound=1.0), **more}


DROP = package.UserUnit(bound=1.0, missing=package.MissingUsers.DROP)
CASES = {
    "no text column": (lambda: {"text": "words"}, records, True),
    "no user column": (lambda: user_level(user="nobody"), records, True),
    "no window column": (lambda: {"window": package.Window("month", "x")}, records, True),
    "one column twice": (lambda: {"text": "who"}, lambda: [[*row, *row] for row in records()], True),
    "odd texts": (dict, lambda: odd(1), False),
    "odd texts, strict": (lambda: {"bad_rows": package.BadRows.REFUSE}, lambda: odd(1), True),
    "odd users": (user_level, lambda: odd(0), True),
    "odd users dropped": (lambda: {"user": "who", "unit": DROP}, lambda: odd(0), False),
    "odd windows": (lambda: {"window": package.Window("when", "x")}, lambda: odd(2), False),
    "the same as auxiliary": (lambda: {"auxiliary": "same"}, records, True),
    "a dialect for nothing": (lambda: {"dialect": package.Dialect(sheet="x", delimiter=";")}, records, True),
}


def ask(data, folder, *, text="body", unit=None, window=None, **more):
    if window is not None:
        open_ledger(folder / "ledger.db").set_budget("d", package.PrivacyLoss(1.0), partition=window.partition)
    return package.release(
        data,
        text=text,
        atoms=package.packs.load("support-tickets"),
        unit=unit or package.RecordUnit(),
        loss=package.PrivacyLoss(1.0),
        denominator=100,
        dataset="d",
        ledger=folder / "ledger.db",
        map=package.Recipe(package.MapKind.PAPER),
        window=window,
        **more,
    )


def chain(error):
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.fixture
def nothing_leaks(tmp_path, capfd, caplog):
    """Ask, and look everywhere; returns what was refused."""

    def look(run):
        refused, plan = None, ""
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                plan = run().to_json()
            except DpSpinError as error:
                refused = error
        printed = capfd.readouterr()
        said = [printed.out, printed.err, caplog.text, plan, *(str(each.message) for each in warned)]
        for each in chain(refused):
            assert isinstance(each, DpSpinError), type(each)
            said += [str(each), repr(each), *map(str, each.args), *traceback.format_exception(each)]
        assert CANARY not in "\n".join(said)
        ledger = tmp_path / "ledger.db"
        assert not ledger.exists() or CANARY.encode() not in ledger.read_bytes()
        return refused

    return look


@pytest.mark.parametrize(("reader", "case"), [*product(READERS, CASES)])
def test_no_cell_leaves_through_a_reader(tmp_path, nothing_leaks, reader, case):
    how, cells, fails = CASES[case]
    if case == "one column twice" and reader in {"jsonl", "polars", "polars lazy"}:
        pytest.skip("there are no two columns of one name")
    names = NAMES * 2 if case == "one column twice" else NAMES
    asked = how()
    data = source(reader, tmp_path, names, cells())
    if "auxiliary" in asked:
        asked["auxiliary"] = package.Auxiliary(data, "body")
    refused = nothing_leaks(lambda: ask(data, tmp_path, **asked))
    assert (refused is not None) is fails, refused


@pytest.mark.parametrize(("reader", "place"), [*product(["pandas", "polars", "polars lazy"], range(3))])
def test_no_value_that_shouts_is_heard(tmp_path, nothing_leaks, reader, place):
    asked = user_level(unit=DROP) if place == 0 else {"window": package.Window("when", "x")} if place == 2 else {}
    assert nothing_leaks(lambda: ask(source(reader, tmp_path, cells=loud(place)), tmp_path, **asked)) is None


PLANS = {
    "cast": lambda: pl.col("body").cast(pl.Int64),
    "parse": pl.col("body").str.to_datetime,
    "json": lambda: pl.col("body").str.json_decode(pl.Int64),
    "own function": lambda: pl.col("body").map_elements(lambda text: 1 // len(text[:0]), return_dtype=pl.Int64),
    "shouting function": lambda: pl.col("body").map_elements(_shout, return_dtype=pl.String),
}


def _shout(text):
    raise RuntimeError(text)


@pytest.mark.parametrize("plan", PLANS)
def test_no_failing_plan_tells_why(tmp_path, nothing_leaks, plan):
    frame = pl.DataFrame(records(), schema=NAMES, orient="row").lazy().with_columns(PLANS[plan]())
    assert nothing_leaks(lambda: ask(frame, tmp_path)) is not None


TYPES = {
    "numbers as text": pa.array([17] * 2),
    "lists as text": pa.array([[CANARY]] * 2),
    "structures as text": pa.array([{"a": CANARY}] * 2),
    "moments as text": pa.array([10**14] * 2, pa.int64()).view(pa.timestamp("s")),
}


@pytest.mark.parametrize(("kind", "place", "saved"), [*product(TYPES, ["body", "who"], [True, False])])
def test_no_cell_of_a_wrong_type_leaves(tmp_path, nothing_leaks, kind, place, saved):
    held = {"who": pa.array([f"{CANARY}1"] * 2), "body": pa.array([f"{CANARY}2"] * 2), place: TYPES[kind]}
    data = pa.table(held)
    if saved:
        pq.write_table(data, tmp_path / "t.parquet")
        data = tmp_path / "t.parquet"
    refused = nothing_leaks(lambda: ask(data, tmp_path, **user_level()))
    assert (refused is None) is (place == "who" and kind in {"numbers as text", "moments as text"})


def cut(part):
    return lambda content: content[: int(len(content) * part)]


def spoilt(content):
    middle = len(content) // 2
    return content[: middle - 40] + b"\xff\x00\x81" * 30 + content[middle + 40 :]


DAMAGE = {
    "cut at a tenth": cut(0.1),
    "cut in the middle": cut(0.5),
    "cut near the end": cut(0.97),
    "spoilt": spoilt,
    "no header": lambda content: content.partition(b"\n")[2],
    "another format": lambda _content: (CANARY + "\n").encode() * 50,
    "of utf-16": lambda content: content.decode("latin-1").encode("utf-16-le")[:-1],
    "quotes": lambda content: content.replace(b"late", b'la"te\r,"'),
}


@pytest.mark.parametrize(("reader", "damage"), [*product(FILES, DAMAGE)])
def test_no_cell_of_a_damaged_file_leaves(tmp_path, nothing_leaks, reader, damage):
    path = source(reader, tmp_path)
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    strict = (len(reader) + len(damage)) % 2  # each half of the cases
    policy = package.BadRows.REFUSE if strict else package.BadRows.ZERO
    nothing_leaks(lambda: ask(path, tmp_path, bad_rows=policy, **user_level(unit=DROP)))


@pytest.mark.parametrize(("reader", "damage"), [*product(FILES, [cut(0.5), cut(0.95), spoilt])])
def test_no_cell_of_a_damaged_archive_leaves(tmp_path, nothing_leaks, reader, damage):
    path = tmp_path / f"records.{reader}.gz"
    path.write_bytes(damage(gzip.compress(source(reader, tmp_path).read_bytes())))
    assert nothing_leaks(lambda: ask(path, tmp_path)) is not None


@pytest.mark.parametrize(("reader", "strict"), [*product(FILES, [True, False])])
def test_no_cell_of_a_bomb_leaves(tmp_path, nothing_leaks, monkeypatch, reader, strict):
    monkeypatch.setattr(whole_rows, "LONGEST_ROW", 400)
    monkeypatch.setattr(whole_rows, "PIECE", 100)
    monkeypatch.setattr(delimited, "LONGEST_HEADER", 100)
    monkeypatch.setattr(bytes_in, "MOST_UNPACKED", 1_000)
    cells = records()
    cells[30][1] = f"{CANARY} " * 500
    path = tmp_path / f"records.{reader}.gz"
    path.write_bytes(gzip.compress(source(reader, tmp_path, cells=cells).read_bytes()))
    policy = package.BadRows.REFUSE if strict else package.BadRows.ZERO
    refused = nothing_leaks(lambda: ask(path, tmp_path, bad_rows=policy))
    assert (refused is not None) is (strict or reader in {"parquet", "arrow", "xlsx"})


@pytest.mark.parametrize("reader", FILES)
@pytest.mark.parametrize("case", ["no column", "strict", "users", "fine"])
def test_no_cell_leaves_through_the_command(tmp_path, dpspin, caplog, reader, case):
    asked = {
        "no column": ("--text", "words", "--unit", "record"),
        "strict": ("--text", "body", "--unit", "record", "--strict-rows"),
        "users": ("--text", "body", "--unit", "user", "--user", "who"),
        "fine": ("--text", "body", "--unit", "record"),
    }[case]
    cells = odd(0 if case == "users" else 1)
    ran = dpspin(
        *("release", source(reader, tmp_path, cells=cells), "--atoms", "support-tickets", "--map", "paper", *asked),
        *("--epsilon", "1", "--denominator", "60", "--dataset", "d", "--out", tmp_path / "out"),
    )
    assert ran.code == (0 if case == "fine" else 2), ran.err
    assert CANARY not in ran.out + ran.err + caplog.text
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert bool(written) is (case == "fine")
    assert not any(CANARY.encode() in path.read_bytes() for path in written)


def test_the_test_would_see_a_leak(tmp_path, nothing_leaks):
    for leak in (lambda: print(CANARY), lambda: np.float64(1) / 1 and warnings.warn(CANARY, stacklevel=1)):  # noqa: T201

        def leaking(leak=leak):
            leak()
            raise DpSpinError("refused")

        with pytest.raises(AssertionError):
            nothing_leaks(leaking)

    def quoting():
        try:
            int(CANARY)
        except ValueError:
            raise DpSpinError("refused") from None

    with pytest.raises(AssertionError):
        nothing_leaks(quoting)
    assert CANARY.encode() in source("csv", tmp_path).read_bytes()
