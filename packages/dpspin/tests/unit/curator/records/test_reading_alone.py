"""What a red team found in the readers: one record changed how others were read. Each of these broke the bound."""

import datetime as dt
import functools
import json
import sys
import traceback
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpspin
from dpspin.boundary.accounting import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.cells import user_in
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RecordsRefused, SourceError

COLUMNS = Columns("body", "who")
OWN_UNIT = RowPolicy(missing_users=MissingUsers.OWN_UNIT)


def pairs(source, columns=COLUMNS):
    corpus = open_corpus(source, columns, OWN_UNIT)
    return [
        (user, text)
        for batch in corpus.batches()
        for user, text in zip(batch.column("user").to_pylist(), batch.column("text").to_pylist(), strict=True)
    ]


def ids(cells, **how):
    return [user for user, _ in pairs(pd.DataFrame({"who": pd.Series(cells, **how), "body": ["x"] * len(cells)}))]


def test_a_lazy_frame_without_an_order_gives_texts_to_their_own_users():
    rows = pl.DataFrame({"who": [f"u{n}" for n in range(5000)], "body": [f"text of u{n}" for n in range(5000)]})
    for plan in (
        rows.lazy().unique(),
        rows.lazy().group_by("who").agg(pl.col("body").first()),
        rows.lazy().join(rows.lazy().select("who"), on="who"),
    ):
        assert all(text == f"text of {user}" for user, text in pairs(plan))


def test_a_lazy_frame_is_collected_once():
    collected = []

    def seen(frame):
        collected.append(frame.columns)
        return frame

    plan = pl.DataFrame({"who": ["a"], "body": ["b"], "other": [1]}).lazy().map_batches(seen)
    corpus = open_corpus(plan, COLUMNS)
    assert [batch.num_rows for _ in range(3) for batch in corpus.batches()] == [1, 1, 1]
    assert len(collected) == 1


def test_columns_with_names_like_patterns_are_taken_by_name():
    frame = pl.DataFrame({"^who$": ["a"], "*": ["b"], "who": ["c"]})
    for source in (frame, frame.lazy()):
        assert pairs(source, Columns("*", "^who$")) == [("a", "b")]


def test_one_odd_text_changes_no_other_text():
    texts = [b"late parcel"] * 100
    alike, odd = (
        pd.DataFrame({"who": ["a"] * len(cells), "body": pd.Series(cells, dtype=object)})
        for cells in (texts, [*texts, 17])
    )
    assert pairs(odd) == [*pairs(alike), ("a", None)]
    assert pairs(alike)[0] == ("a", "late parcel")


NOON = dt.datetime(2024, 1, 1, 12)  # noqa: DTZ001  a wall clock
ODD_COMPANY = {
    "decimals": [Decimal("1.50"), Decimal("1.5"), Decimal(17)],
    "dates and datetimes": [dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), NOON],  # noqa: DTZ001
    "time zones": [NOON.replace(tzinfo=dt.UTC), NOON.replace(hour=13, tzinfo=dt.timezone(dt.timedelta(hours=1)))],
    "truth values": [True, False, None],
    "timedeltas": [dt.timedelta(days=1), pd.Timedelta(days=1), pd.Timedelta(1)],
    "numbers": [1, 1.0, 2.5, 2**60],
    "bytes": [b"u1", b"\xff", "u1"],
}


@pytest.mark.parametrize("kind", ODD_COMPANY)
def test_one_odd_id_changes_no_other_id(kind):
    cells = ODD_COMPANY[kind]
    for more in ("text", 17, b"\xff", None, object(), float("nan"), [1], 10**5000):
        assert ids([*cells, more], dtype=object)[: len(cells)] == ids(cells, dtype=object)


def test_ids_have_one_spelling_each():
    assert ids([Decimal("1.50"), Decimal("1.5"), 1.5], dtype=object) == ["1.5"] * 3
    assert ids(ODD_COMPANY["time zones"], dtype=object) == ["2024-01-01 12:00:00+00:00"] * 2
    assert ids(pd.to_datetime(ODD_COMPANY["time zones"], utc=True)) == ["2024-01-01 12:00:00+00:00"] * 2
    assert ids(ODD_COMPANY["timedeltas"], dtype=object)[:2] == ["1 day, 0:00:00"] * 2
    assert ids([np.int64(17), np.float32(17), 17, "17", True], dtype=object) == ["17", "17", "17", "17", "true"]
    assert ids([17, None, 18]) == ["17", None, "18"]  # pandas makes floats of them
    assert ids([10**5000], dtype=object) == ids(["1" + "0" * 5000], dtype=object)


def test_a_missing_id_is_missing_however_it_is_written():
    assert ids([None, float("nan"), pd.NA, pd.NaT, Decimal("NaN"), " "], dtype=object) == [None] * 6
    assert [user for user, _ in pairs(pa.table({"who": [float("nan"), 1.0], "body": ["a", "b"]}))] == [None, "1"]


def test_an_object_column_of_polars_is_read_by_its_objects():
    frame = pl.DataFrame(
        {"who": pl.Series([17, "u", b"u"], dtype=pl.Object), "body": pl.Series(["a", b"b", 3], dtype=pl.Object)}
    )
    assert pairs(frame) == pairs(frame.lazy()) == [("17", "a"), ("u", "b"), ("u", None)]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        (pa.date32(), 10**8),
        (pa.date64(), 10**17 // 86_400_000 * 86_400_000),
        (pa.timestamp("s"), 10**14),
        (pa.timestamp("ns", "No/Where"), 5),
        (pa.duration("s"), 10**16),
        (pa.time64("ns"), 10**17),
    ],
)
def test_moments_outside_the_calendar_are_ids_like_others(tmp_path, kind, number):
    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    cells = pa.array([number, number, 0], whole).view(kind)
    table = pa.table({"who": cells, "body": ["a", "b", "c"]})
    one, again, other = (user for user, _ in pairs(table))
    assert one == again != other
    sink = tmp_path / "t.arrow"
    with pa.OSFile(str(sink), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    assert pairs(sink) == pairs(table)


def test_dates_of_the_year_20000_are_read_from_every_place(tmp_path):
    far = pa.array([6_585_423, 0], pa.int32()).view(pa.date32())
    table = pa.table({"who": far, "body": ["a", "b"]})
    pq.write_table(table, tmp_path / "t.parquet")
    frame = pl.DataFrame({"who": pl.Series([6_585_423, 0], dtype=pl.Int32).cast(pl.Date), "body": ["a", "b"]})
    assert pairs(tmp_path / "t.parquet") == pairs(table) == pairs(frame)
    seconds = pd.DataFrame({"who": np.array([10**12, 0]).view("M8[s]"), "body": ["a", "b"]})
    assert pairs(seconds)[1] == ("1970-01-01 00:00:00", "b")
    cells = seconds.assign(who=seconds["who"].astype(object))
    assert pairs(cells) == pairs(seconds)


def test_windows_of_views_and_categories_are_read():
    table = pa.table({"text": pa.array(["a", "b"], pa.string_view()), "when": pa.array(["x", "y"]).dictionary_encode()})
    corpus = open_corpus(table, Columns("text", window=Window("when", "x")))
    assert [batch.column("text").to_pylist() for batch in corpus.batches()] == [["a"]]
    assert ids(["a", "b", "a"], dtype="category") == ["a", "b", "a"]
    assert ids(pd.PeriodIndex(["2024-01", "2024-02"], freq="M")) == ["2024-01", "2024-02"]


def test_labels_of_pandas_may_be_of_any_type():
    frame = pd.DataFrame([["a", "one"], ["b", "two"]])
    assert pairs(frame, Columns("1", "0")) == [("a", "one"), ("b", "two")]
    with pytest.raises(SourceError, match="more than once"):
        pairs(pd.DataFrame([["a", "b", "c"]], columns=[0, "0", 1]), Columns("1", "0"))


def test_the_digest_of_a_table_sees_the_values_behind_categories():
    one, other = (pd.DataFrame({"body": pd.Series(cells, dtype="category")}) for cells in (["a", "b"], ["a", "c"]))
    digests = [open_corpus(frame, Columns("body")).content_digest() for frame in (one, other)]
    assert digests[0] != digests[1]


@pytest.mark.parametrize(
    ("make", "digest"),
    [
        (lambda: pd.DataFrame({"u": ["a", "b", "a"], "t": ["late", "é", None]}, dtype=object), "e7cf8afc396941ca"),
        (lambda: pa.table({"u": [1, 2, 1], "t": ["late", "é", None]}), "6ca76bd355a8612b"),
        (lambda: pl.DataFrame({"u": ["a", "b", "a"], "t": ["late", "é", None]}), "5f4ffa0a1e90a947"),
    ],
)
def test_tables_that_the_ledger_knows_are_known_again(make, digest):
    """Pinned: another digest would refuse a stored answer to whoever asks again."""
    assert open_corpus(make(), Columns("t", "u")).content_digest().startswith(digest)


FAILING = {
    "cast": lambda: pl.LazyFrame({"who": ["SECRET"], "body": ["x"]}).with_columns(pl.col("who").cast(pl.Int64)),
    "parse": lambda: pl.LazyFrame({"who": ["SECRET"], "body": ["x"]}).with_columns(pl.col("who").str.to_date()),
    "own function": lambda: pl.LazyFrame({"who": ["SECRET"], "body": ["x"]}).map_batches(lambda frame: 1 / 0),
    "no such column": lambda: pl.LazyFrame({"who": ["SECRET"], "body": ["x"]}).select("body", pl.col("SECRET")),
}


@pytest.mark.parametrize("case", FAILING)
def test_nothing_that_a_library_says_is_passed_on(case):
    with pytest.raises(SourceError, match="cannot be read") as refused:
        dpspin.release(
            FAILING[case](),
            text="body",
            user="who",
            atoms=dpspin.packs.load("support-tickets"),
            unit=dpspin.UserUnit(bound=1.0),
            loss=dpspin.PrivacyLoss(1.0),
            denominator=10,
        )
    assert "SECRET" not in "".join(traceback.format_exception(refused.value))
    assert refused.value.__cause__ is refused.value.__context__ is None


def test_a_teacher_is_read_where_there_is_one(tmp_path):
    """Whether auxiliary text has a teacher is no matter of its first lines."""
    lines = [{"body": "late", "what": "3"}] * 150 + [{"body": "late", "what": "3", "dpspin_teacher": "m"}]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "u.csv").write_text("body,what\nlate,3\n")
    corpus = open_corpus(tmp_path, Columns("body", label="what", teacher="dpspin_teacher"))
    assert [name for batch in corpus.batches() for name in batch.column("teacher").to_pylist()] == [
        *[None] * 150,
        "m",
        None,
    ]


@pytest.mark.parametrize("row", [b"u2,caf\xe9,surplus\n", b"caf\xe9\n"], ids=["too many cells", "too few cells"])
@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_malformed_row_that_is_not_utf8_concerns_itself_alone(row, suffix, tmp_path, monkeypatch):
    """Arrow decodes such a row before it asks about it: it gave up the file, and handed the row to this hook."""
    heard = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    between = b"," if suffix == "csv" else b"\t"
    path = tmp_path / f"t.{suffix}"
    path.write_bytes((b"who,text\nu1,ok\n" + row + b"u3,Jos\xe9\nu4,fine\n").replace(b",", between))
    read = [batch.to_pydict() for batch in open_corpus(path, Columns("text", "who")).batches()]
    assert [text for batch in read for text in batch["text"]] == ["ok", None, "fine"]
    assert [user for batch in read for user in batch["user"]] == ["u1", "u3", "u4"]
    assert heard == []


def test_a_mark_before_a_line_of_jsonl_is_passed_over_wherever_the_line_stands(tmp_path):
    lines = [b'{"text": "a"}\n', b'\xef\xbb\xbf{"text": "b"}\n', b'{"text": "c"}\n']
    for number, some in enumerate((lines, lines[1:])):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(b"".join(some))
        read = [text for batch in open_corpus(path, Columns("text")).batches() for text in batch["text"].to_pylist()]
        assert read == ["a", "b", "c"][number:]


def users_of(path, content):
    path.write_bytes(content)
    return [user for user, _ in pairs(path, Columns("text", "who"))]


def test_one_id_has_one_spelling_in_text_and_in_bytes(tmp_path):
    half = users_of(tmp_path / "t.csv", "who,text\nJos\ud800,x\n".encode("utf-16-le", "surrogatepass"))
    assert half == users_of(tmp_path / "t.jsonl", b'{"who": "Jos\\ud800", "text": "x"}\n')
    assert users_of(tmp_path / "u.jsonl", b'{"who": "a", "text": "x"}\n{"who": "Jos\xe9", "text": "x"}\n') == ["a"]


def test_two_ids_never_share_one_spelling():
    assert user_in(b"\xff" * 200) != user_in("bytes:" + "ff" * 200)
    assert user_in({"id": "x" * 300}) != user_in('json:{"id": "' + "x" * 300 + '"}')
    assert user_in(10**300) == user_in("1" + "0" * 300)


@pytest.mark.parametrize("odd", [{1: "a", "b": 2}, object(), {"a": object()}])
def test_a_record_of_somebody_whose_id_cannot_be_read_counts_for_nobody(odd):
    deep = functools.reduce(lambda inside, _: [inside], range(900), [])
    for cell in (odd, deep):
        frame = pd.DataFrame({"who": pd.Series([cell, "u", None], dtype=object), "text": ["x", "y", "z"]})
        assert pairs(frame, Columns("text", "who")) == [("u", "y"), (None, "z")]
        strict = open_corpus(frame, Columns("text", "who"), RowPolicy(BadRows.REFUSE, MissingUsers.OWN_UNIT))
        with pytest.raises(RecordsRefused, match="a user id that cannot be read"):
            list(strict.batches())


def test_a_line_that_nests_too_deep_is_no_row_wherever_it_is_read_from(tmp_path):
    lines = [b'{"text": "x", "who": %b%b}\n' % (depth * b"[", depth * b"]") for depth in (60, 70, 900, 5000)]
    assert len(users_of(tmp_path / "t.jsonl", b"".join(lines))) == 1
