import gzip
import json
import traceback
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import InputError, RecordsRefused, RequestError, SourceError

ROWS = [("a", "The app, it crashes"), ("b", 'line one\nline "two"'), ("a", "Rückerstattung 🙂 ok")]
COLUMNS = Columns(text="body", user="who")


def rows_of(source, columns=COLUMNS, policy=None):
    table = pa.Table.from_batches(open_corpus(source, columns, policy).batches())
    names = ["user", "text"] if columns.user else ["text"]
    return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))


def frame():
    return pd.DataFrame({"other": [1, 2, 3], "who": [u for u, _ in ROWS], "body": [t for _, t in ROWS]})


def write_csv(path):
    frame().to_csv(path, index=False)


def write_tsv(path):
    """TSV has no quoting: what CSV would quote is replaced by what a TSV can hold."""
    lines = [f"{u}\t{t}".replace("\n", " ") for u, t in ROWS]
    path.write_text("\n".join(["who\tbody", *lines]) + "\n")


def write_jsonl(path):
    lines = [json.dumps({"who": u, "body": t, "x": {"deep": [1]}}) for u, t in ROWS]
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_parquet(path):
    pq.write_table(pa.Table.from_pandas(frame()), path)


def write_gzipped_parquet(path):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pandas(frame()), sink)
    path.write_bytes(gzip.compress(sink.getvalue().to_pybytes()))


def write_arrow(path):
    feather.write_feather(frame(), str(path), compression="uncompressed")


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.csv", write_csv),
        ("t.csv.gz", write_csv),
        ("t.csv.zst", write_csv),
        ("t.tsv", write_tsv),
        ("t.jsonl", write_jsonl),
        ("t.jsonl.gz", write_jsonl),
        ("t.parquet", write_parquet),
        ("t.parquet.gz", write_gzipped_parquet),
        ("t.arrow", write_arrow),
    ],
)
def test_every_format_gives_the_same_records(tmp_path, name, write):
    if name.endswith(".zst"):
        write_csv(tmp_path / "plain.csv")
        with pa.output_stream(str(tmp_path / name), compression="zstd") as sink:
            sink.write((tmp_path / "plain.csv").read_bytes())
    else:
        write(tmp_path / name)
    plain = [(u, t.replace("\n", " ")) for u, t in ROWS]
    assert rows_of(tmp_path / name) == (plain if ".tsv" in name else ROWS)


@pytest.mark.parametrize(
    "make",
    [
        frame,
        lambda: pl.from_pandas(frame()),
        lambda: pl.from_pandas(frame()).lazy(),
        lambda: pa.Table.from_pandas(frame()),
    ],
)
def test_every_frame_gives_the_same_records(make):
    assert rows_of(make()) == ROWS


def test_folders_and_globs_join_files_and_skip_hidden_ones(tmp_path):
    (tmp_path / "sub").mkdir()
    write_csv(tmp_path / "a.csv")
    write_jsonl(tmp_path / "sub" / "b.jsonl")
    (tmp_path / "_tmp.csv").write_text("garbage")
    (tmp_path / "readme.md").write_text("not data")
    assert rows_of(tmp_path) == ROWS * 2
    assert rows_of(str(tmp_path / "*.csv").replace("*", "a*")) == ROWS


def test_text_alone_needs_no_user_column(tmp_path):
    write_csv(tmp_path / "t.csv")
    assert rows_of(tmp_path / "t.csv", Columns(text="body")) == [(t,) for _, t in ROWS]


def test_a_missing_column_is_refused_before_any_row_is_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('who,body\nu1,"SECRET unclosed\n')
    with pytest.raises(SourceError, match=r"no column 'bodi'"):
        open_corpus(path, Columns(text="bodi"))


def test_a_schema_gives_a_hint_and_a_text_file_does_not(tmp_path):
    write_parquet(tmp_path / "t.parquet")
    with pytest.raises(SourceError, match="Did you mean 'body'"):
        open_corpus(tmp_path / "t.parquet", Columns(text="bodi"))
    (tmp_path / "t.csv").write_text("user17,SECRET words\n")
    with pytest.raises(SourceError) as refused:
        open_corpus(tmp_path / "t.csv", Columns(text="user"))
    assert "user17" not in str(refused.value)


def test_a_file_without_a_header_does_not_show_its_first_record(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("SECRET@example.org,I want a refund\n")
    with pytest.raises(SourceError, match="no column 'body'") as refused:
        open_corpus(path, Columns(text="body"))
    assert "SECRET" not in str(refused.value)


def test_a_wrong_field_in_jsonl_names_no_field_of_the_record(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"SECRET-KEY": 1}\n')
    with pytest.raises(SourceError, match="no column 'body'") as refused:
        open_corpus(path, Columns(text="body"))
    assert "SECRET" not in str(refused.value)


def test_bad_rows_become_zero_rows_and_touch_nothing_else(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"body":"one"}\n{broken SECRET\n[1]\n{"body":7}\n{"body":"\\ud800"}\n\n{"body":"two"}\n')
    assert [text for (text,) in rows_of(path, Columns(text="body"))] == ["one", None, None, "two"]
    csv = tmp_path / "t.csv"
    csv.write_bytes(b"id,body\n1,one\n2,bro\xffken\n3,too,many,SECRET\n4,two\n")
    assert [text for (text,) in rows_of(csv, Columns(text="body"))] == ["one", None, "two"]


@pytest.mark.parametrize("content", [b"id,body\n1,bro\xffken SECRET\n", b"id,body\n1,fine\n3,too,many,SECRET\n"])
def test_strict_rows_refuse_without_quoting_them(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(RecordsRefused) as refused:
        rows_of(path, Columns(text="body"), RowPolicy(bad_rows=BadRows.REFUSE))
    assert "SECRET" not in "".join(traceback.format_exception(refused.value))


@pytest.mark.parametrize("name", ["t.csv.gz", "t.parquet", "t.parquet.gz", "t.arrow", "t.jsonl.gz"])
def test_damaged_files_say_so_and_quote_nothing(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"SECRET,body\n not what the suffix says")
    with pytest.raises(SourceError, match="cannot be read as") as refused:
        rows_of(path, Columns(text="body"))
    assert "SECRET" not in "".join(traceback.format_exception(refused.value))


def test_missing_user_ids_follow_the_chosen_policy():
    table = pa.table({"who": ["a", None, " ", "b"], "body": ["1", "2", "3", "4"]})
    with pytest.raises(RecordsRefused, match="no user id"):
        rows_of(table)
    assert rows_of(table, policy=RowPolicy(missing_users=MissingUsers.DROP)) == [("a", "1"), ("b", "4")]
    own = rows_of(table, policy=RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    assert own == [("a", "1"), (None, "2"), (None, "3"), ("b", "4")]


def test_user_ids_may_be_numbers_and_texts_may_be_dictionary_encoded():
    table = pa.table({"who": [1, 2, 1], "body": pa.array(["x", "y", "x"]).dictionary_encode()})
    assert rows_of(table) == [("1", "x"), ("2", "y"), ("1", "x")]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nowhere/*.csv", "no data found"),
        (pa.table({"who": ["a"], "body": [1.5]}), "does not hold text"),
        (pa.table({"who": [["a"]], "body": ["x"]}), "not one value per record"),
        (object(), "must be a path"),
        (pa.table({"who": ["a"]}), "no column 'body'"),
    ],
)
def test_unusable_sources_are_refused_in_plain_words(source, message):
    with pytest.raises(InputError, match=message):
        rows_of(source)


def test_unknown_suffixes_and_repeated_columns_are_refused(tmp_path):
    (tmp_path / "t.xls").write_text("x")
    with pytest.raises(SourceError, match="not a format"):
        open_corpus(tmp_path / "t.xls", COLUMNS)
    (tmp_path / "t.csv").write_text("body,who,body\n1,2,3\n")
    with pytest.raises(SourceError, match="more than once"):
        open_corpus(tmp_path / "t.csv", COLUMNS)
    with pytest.raises(RequestError, match="two purposes"):
        Columns(text="body", user="body")


def test_the_corpus_does_not_print(tmp_path):
    corpus = open_corpus(frame(), COLUMNS)
    assert repr(corpus) == "ProtectedCorpus(<private>)"
    assert not hasattr(corpus, "__dict__")


def test_the_content_digest_ignores_names_and_order_and_sees_every_byte(tmp_path):
    for name, body in (("x", "one"), ("y", "two")):
        (tmp_path / f"{name}.csv").write_text(f"body\n{body}\n")
    both = open_corpus(tmp_path, Columns(text="body")).content_digest()
    (tmp_path / "x.csv").rename(tmp_path / "z.csv")
    assert open_corpus(tmp_path, Columns(text="body")).content_digest() == both
    (tmp_path / "z.csv").write_text("body\nonE\n")
    assert open_corpus(tmp_path, Columns(text="body")).content_digest() != both
    table = pa.table({"body": ["a", "b"]})
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1, 1)])
    same = [open_corpus(t, Columns(text="body")).content_digest() for t in (table, chunked)]
    assert same[0] == same[1]


def test_one_tsv_record_with_a_quotation_mark_concerns_itself_alone(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text('who\tbody\na\t"opened and never closed\n' + "b\tfine\n" * 50)
    assert len(rows_of(path)) == 51


@pytest.mark.parametrize("first", ["", "{broken", "[1]", '{"who": "x"}'])
def test_one_odd_jsonl_line_does_not_stop_the_rest(tmp_path, first):
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join([first, *['{"who": "a", "body": "fine"}'] * 5]) + "\n")
    assert [row for row in rows_of(path) if row[1] is not None] == [("a", "fine")] * 5


ODD_IDS = {
    "latin-1 bytes": pa.array([b"Jos\xe9"] * 2),
    "numbers": pa.array([17.0] * 2),
    "truth values": pa.array([True] * 2),
    "very long": pa.array(["x" * 10_000] * 2),
}


@pytest.mark.parametrize("kind", ODD_IDS)
def test_an_odd_id_is_still_somebodys_id(kind):
    table = pa.table({"who": ODD_IDS[kind], "body": ["one", "two"]})
    ids = {user for user, _ in rows_of(table)}
    assert len(ids) == 1
    assert ids != {None}
    assert len(ids.pop()) <= 256


def test_odd_ids_in_json_and_pandas_are_kept_too(tmp_path):
    path = tmp_path / "t.jsonl"
    values = ["17.5", "true", '"\\ud800"', "[1]", '{"a": 1}', "17", '"[1]"', '"json:[1]"']
    path.write_text("".join(f'{{"who": {value}, "body": "x"}}\n' for value in values))
    ids = [user for user, _ in rows_of(path)]
    assert None not in ids
    assert len(set(ids)) == len(values)
    mixed = pd.DataFrame({"who": [17, "u", 17], "body": ["a", "b", "c"]}, dtype=object)
    assert [user for user, _ in rows_of(mixed)] == ["17", "u", "17"]


def test_a_lone_surrogate_in_pandas_is_a_bad_row_and_is_quoted_nowhere():
    frame_ = pd.DataFrame({"who": ["a", "b"], "body": ["SECRET \ud800", "fine"]}, dtype=object)
    assert rows_of(frame_) == [("a", None), ("b", "fine")]


def test_long_texts_are_cut_and_large_strings_are_read():
    table = pa.table({"who": ["a"], "body": pa.array(["é" * (LONGEST_TEXT + 5)], pa.large_string())})
    ((_, text),) = rows_of(table)
    assert len(text) == LONGEST_TEXT


def test_a_file_that_is_there_twice_is_refused(tmp_path):
    write_csv(tmp_path / "a.csv")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    with pytest.raises(SourceError, match="twice"):
        open_corpus(tmp_path, COLUMNS)
    (tmp_path / "b.csv").unlink()
    write_csv(tmp_path / "a.csv.gz")
    with pytest.raises(SourceError, match="twice"):
        open_corpus(tmp_path, COLUMNS)


def test_one_numeric_id_has_one_spelling_in_every_format(tmp_path):
    (tmp_path / "t.jsonl").write_text(
        '{"who": 17, "body": "a"}\n{"who": 17.0, "body": "b"}\n{"who": "17", "body": "c"}\n'
    )
    assert {user for user, _ in rows_of(tmp_path / "t.jsonl")} == {"17"}
    large = 10_000_000_007
    columns = [pa.array([large]), pa.array([float(large)]), pa.array([Decimal(large)]), pa.array([str(large)])]
    assert {rows_of(pa.table({"who": ids, "body": ["x"]}))[0][0] for ids in columns} == {str(large)}


def test_two_ids_never_share_a_spelling():
    odd = [b"Jos\xe9", b"bytes:4a6f73e9", b"x" * 300, ("sha256:" + "0" * 64).encode()]
    ids = [user for user, _ in rows_of(pa.table({"who": pa.array(odd), "body": ["t"] * 4}))]
    assert len(set(ids)) == 4
    assert ids[1] != "bytes:4a6f73e9"


def test_a_long_id_is_the_same_user_in_every_format(tmp_path):
    long = "x" * 300
    write_jsonl_rows(tmp_path / "a.jsonl", [(long, "one")])
    pq.write_table(pa.table({"who": [long], "body": ["two"]}), tmp_path / "b.parquet")
    odd = pd.DataFrame({"who": [long, 3], "body": ["three", "x"]}, dtype=object)
    ids = {user for user, _ in rows_of(tmp_path)} | {rows_of(odd)[0][0]}
    assert len(ids) == 1


def write_jsonl_rows(path, rows):
    path.write_text("".join(json.dumps({"who": u, "body": t}) + "\n" for u, t in rows))


def test_uuid_columns_are_ids():
    raw = pa.array([b"0123456789abcdef", b"\xff" * 16], pa.binary(16))
    assert len({user for user, _ in rows_of(pa.table({"who": raw, "body": ["a", "b"]}))}) == 2
    assert (
        len(
            {
                user
                for user, _ in rows_of(
                    pa.table({"who": pa.ExtensionArray.from_storage(pa.uuid(), raw), "body": ["a", "b"]})
                )
            }
        )
        == 2
    )


def test_a_header_in_another_encoding_is_named_as_such(tmp_path):
    (tmp_path / "t.csv").write_text("who,body,größe\na,b,c\n", encoding="latin-1")
    with pytest.raises(SourceError, match="not utf-8 text: declare"):
        open_corpus(tmp_path / "t.csv", COLUMNS)


def test_labels_are_read_from_every_format(tmp_path):
    (tmp_path / "t.csv").write_text("body,what\nlate again,17\nbroken,3;17\n")
    (tmp_path / "t.jsonl").write_text('{"body": "late again", "what": 17}\n{"body": "broken", "what": [3, 17]}\n')
    table = pa.table({"body": ["late again", "broken"], "what": [[17], [3, 17]]})
    pq.write_table(table, tmp_path / "t.parquet")
    for source in (tmp_path / "t.csv", tmp_path / "t.jsonl", tmp_path / "t.parquet", table):
        corpus = open_corpus(source, Columns(text="body", label="what"))
        assert [label for batch in corpus.batches() for label in batch.column("label").to_pylist()] == ["17", "3;17"]
