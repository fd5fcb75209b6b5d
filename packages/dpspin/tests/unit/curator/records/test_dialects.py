"""How a file is written is declared, or told by its first line; what the rows hold decides nothing."""

import json

import pandas as pd
import pyarrow as pa
import pytest

import dpspin
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.aggregate.sketch_file import read_header
from dpspin.curator.check.peek import suggested_dialect
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import Delimiter, Dialect, Encoding
from dpspin.curator.records.find_files import locate
from dpspin.errors import RecordsRefused, RequestError, SourceError

COLUMNS = Columns("body", "who")
ROWS = [("a", "zu spät, wieder"), ("b", "café 🙂"), ("c", 'er sagte "nein"')]


def pairs(path, dialect=None, columns=COLUMNS, policy=None):
    policy = policy or RowPolicy(missing_users=MissingUsers.OWN_UNIT)
    corpus = open_corpus(path, columns, policy, dialect or Dialect())
    return [
        pair
        for batch in corpus.batches()
        for pair in zip(batch.column("user").to_pylist(), batch.column("text").to_pylist(), strict=True)
    ]


def csv_text(delimiter=",", rows=ROWS):
    quoted = [f'{user}{delimiter}"{text.replace(chr(34), chr(34) * 2)}"' for user, text in rows]
    return "\n".join([f"who{delimiter}body", *quoted]) + "\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", list(Delimiter))
def test_the_header_tells_encoding_and_delimiter(tmp_path, encoding, delimiter):
    path = tmp_path / "t.csv"
    path.write_bytes(csv_text(delimiter).encode(encoding))
    assert pairs(path) == ROWS


@pytest.mark.parametrize(("name", "codec"), [("windows-1252", "cp1252"), ("latin-1", "latin-1")])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_other_encodings_are_declared(tmp_path, name, codec, delimiter):
    rows = [("a", "zu spät, wieder"), ("b", "café")]
    path = tmp_path / "t.csv"
    path.write_bytes(csv_text(delimiter, rows).encode(codec))
    assert [text for _, text in pairs(path)] == [None, None]
    assert pairs(path, Dialect(encoding=name)) == rows
    assert pairs(path, Dialect(name, delimiter)) == rows


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_tsv_and_jsonl_have_encodings_too(tmp_path, suffix, encoding):
    path = tmp_path / f"t.{suffix}"
    lines = [json.dumps({"who": user, "body": text}, ensure_ascii=False) for user, text in ROWS]
    if suffix == "tsv":
        lines = ["who\tbody", *(f"{user}\t{text}" for user, text in ROWS)]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    declared = Dialect(encoding="utf-16-le") if (suffix, encoding) == ("jsonl", "utf-16") else None  # it has no header
    assert pairs(path, declared) == ROWS


def test_the_mark_of_a_record_decides_nothing(tmp_path):
    path, line = tmp_path / "t.jsonl", b'{"who": "a", "body": "late"}\n'
    for first in ('\ufeff{"who": "b", "body": "x"}\n'.encode("utf-16-be"), b"\xff\xfe{}\n", 2 * b"\xef\xbb\xbf" + line):
        for lines in ([first, line, line], [line, first, line]):
            path.write_bytes(b"".join(lines))
            assert pairs(path) == [("a", "late"), ("a", "late")]
            assert pairs(path, Dialect(encoding="utf-8")) == pairs(path)


def test_a_byte_that_the_encoding_lacks_spoils_its_own_cell(tmp_path):
    csv, jsonl = tmp_path / "t.csv", tmp_path / "t.jsonl"
    csv.write_bytes(b"who,body\na,sp\xe4t\nb,sp\x81t\n\x8d,gut\n")
    read = pairs(csv, Dialect(encoding="windows-1252"))
    assert [text for _, text in read] == ["spät", None, "gut"]
    assert read[2][0] == "bytes:8d"
    jsonl.write_bytes(b'{"who": "a", "body": "sp\xe4t"}\n{"who": "b", "body": "sp\x81t"}\n{"who": "c", "body": "x"}\n')
    assert pairs(jsonl, Dialect(encoding="windows-1252")) == [("a", "spät"), ("c", "x")]  # no JSON has such a byte


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_carriage_return_in_a_cell_makes_no_second_record(tmp_path, suffix, end):
    between = "," if suffix == "csv" else "\t"
    rows = [("a", "one\rb,two\r."), ("b", "\ue00dr \ue00d"), ("c\rd", "three")]
    path = tmp_path / f"t.{suffix}"
    quoted = [(who, f'"{body}"' if suffix == "csv" and "," in body else body) for who, body in rows]
    path.write_bytes(end.join(between.join(row) for row in [("who", "body"), *quoted, ("", "")]).encode())
    assert pairs(path)[: len(rows)] == rows


def test_half_a_letter_of_utf_16_spoils_its_own_row(tmp_path):
    path = tmp_path / "t.csv"
    rows = ["who,body\n", "a,one \ud800\n", "b,two\n"]
    path.write_bytes(b"".join(row.encode("utf-16-le", "surrogatepass") for row in rows))
    assert pairs(path) == [("a", None), ("b", "two")]
    path.write_bytes(path.read_bytes() + "c,three".encode("utf-16-le") + b"\x41")
    assert pairs(path) == [("a", None), ("b", "two"), ("c", None)]


def test_rows_do_not_decide_the_encoding(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"who,body\n" + b"a,sp\xe4t\n" * 600)
    assert {text for _, text in pairs(path)} == {None}
    path.write_bytes(b"who,body\n\xff\xfea,x\n" + b"\x00\x00,\x00\n" + b"c,gut\n")
    assert pairs(path)[-1] == ("c", "gut")


def test_a_header_that_can_be_split_in_two_ways_needs_a_word(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b,body,c;body\n1;2,3,4;5\n")
    with pytest.raises(SourceError, match=r"`records.dialect.delimiter`"):
        open_corpus(path, Columns("body"))
    assert open_corpus(path, Columns("body"), dialect=Dialect(delimiter=",")).columns.text == "body"


def test_one_column_needs_no_delimiter(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('body\n"one, two"\nthree\n')
    corpus = open_corpus(path, Columns("body"))
    assert [text for batch in corpus.batches() for text in batch.column("text").to_pylist()] == ["one, two", "three"]


@pytest.mark.parametrize(
    ("name", "dialect", "part"),
    [
        ("t.parquet", Dialect(encoding="utf-8"), "encoding"),
        ("t.jsonl", Dialect(delimiter=";"), "delimiter"),
        ("t.csv", Dialect(sheet="Tickets"), "sheet"),
    ],
)
def test_a_declaration_that_nothing_follows_is_refused(tmp_path, name, dialect, part):
    (tmp_path / name).write_text("who,body\n")
    with pytest.raises(RequestError) as refused:
        open_corpus(tmp_path / name, COLUMNS, dialect=dialect)
    assert (refused.value.code, refused.value.field) == ("request.misplaced", f"records.dialect.{part}")


def test_declarations_that_are_none_are_refused(tmp_path):
    with pytest.raises(RequestError, match="the encoding 'klingon' is not known here: use utf-8"):
        Dialect(encoding="klingon")
    with pytest.raises(RequestError, match="delimiter"):
        Dialect(delimiter="~")
    with pytest.raises(RequestError, match="a table in memory"):
        open_corpus(pa.table({"body": ["a"]}), Columns("body"), dialect=Dialect(encoding="utf-8"))
    path = tmp_path / "t.csv"
    path.write_bytes(csv_text().encode("utf-8-sig"))
    with pytest.raises(SourceError, match="begins with the mark of utf-8"):
        open_corpus(path, COLUMNS, dialect=Dialect(encoding="latin-1"))


def test_broken_rows_are_refused_where_that_was_asked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"who,body\na,sp\x81t\n")
    with pytest.raises(RecordsRefused, match="strict rows"):
        pairs(path, Dialect(encoding="windows-1252"), policy=RowPolicy(BadRows.REFUSE))


@pytest.mark.parametrize("policy", [*BadRows])
@pytest.mark.parametrize("behind", ["", "c,three\n" * 50])
def test_a_file_that_ends_inside_a_quotation_mark_is_refused(tmp_path, policy, behind):
    path = tmp_path / "t.csv"
    path.write_text(f'who,body\na,"one\n1"\nb,"two\n{behind}')
    with pytest.raises(RecordsRefused, match="ends inside of a quotation mark that is never closed") as refused:
        pairs(path, policy=RowPolicy(policy))
    assert "two" not in str(refused.value)


def test_a_mark_that_is_never_closed_is_found_behind_a_row_that_is_too_long(tmp_path, monkeypatch):
    from dpspin.curator.records.formats import whole_rows

    monkeypatch.setattr(whole_rows, "LONGEST_ROW", 64)
    monkeypatch.setattr(whole_rows, "PIECE", 8)
    monkeypatch.setattr("dpspin.curator.records.formats.delimited.LONGEST_HEADER", 9)
    path = tmp_path / "t.csv"
    path.write_text('who,body\na,one\nb,"two\n' + "c,three\n" * 50)
    with pytest.raises(RecordsRefused, match="never closed"):
        pairs(path)
    path.write_text('who,body\na,one\nb,"two\n' + "c,three\n" * 50 + '"\nd,four\n')
    assert pairs(path) == [("a", "one"), ("d", "four")]


def test_lines_inside_of_quotation_marks_that_are_closed_are_one_cell(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('who,body\na,"one\ntwo"\nb,"three ""four"""')
    assert pairs(path) == [("a", "one\ntwo"), ("b", 'three "four"')]


def test_a_mark_at_the_start_of_a_block_belongs_to_its_cell(tmp_path, monkeypatch):
    """Arrow drops one at the start of its input: which record that concerns would depend on the others' sizes."""
    from dpspin.curator.records.formats import whole_rows

    monkeypatch.setattr(whole_rows, "PIECE", 8)
    monkeypatch.setattr("dpspin.curator.records.formats.delimited.LONGEST_HEADER", 9)
    path = tmp_path / "t.csv"
    path.write_text("who,body\n\ufeffa,one\n\ufeffb,two\n" + "c,three\n" * 3)
    assert pairs(path)[:2] == [("\ufeffa", "one"), ("\ufeffb", "two")]


@pytest.mark.parametrize(
    ("codec", "found", "options"),
    [
        ("utf-8", Encoding.UTF_8, ()),
        ("cp1252", Encoding.WINDOWS_1252, ("`records.dialect.encoding: windows-1252`",)),
        ("utf-16", Encoding.UTF_16_LE, ()),
        ("utf-16-be", Encoding.UTF_16_BE, ()),
        ("cp932", None, ()),
    ],
)
def test_a_person_gets_a_suggestion(tmp_path, codec, found, options):
    path = tmp_path / "t.csv"
    words = (
        "商品の到着が遅れています" if codec == "cp932" else "Die Lieferung kam zu spät, der Händler schweigt – schade"
    )
    path.write_bytes(("who;body\n" + "".join(f"u{n};{words} {n}\n" for n in range(300))).encode(codec))
    (file,) = locate(path)
    suggested = suggested_dialect(file)
    assert (suggested.encoding, suggested.fields) == (found, options)
    assert suggested.delimiter is (None if found is None else Delimiter.SEMICOLON)


def asked(data, tmp_path, **how):
    return dpspin.release(
        data,
        text="body",
        atoms=dpspin.packs.load("support-tickets"),
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=100,
        map=dpspin.Recipe(dpspin.MapKind.PAPER),
        ledger=tmp_path / "ledger.db",
        dataset="d",
        budget=dpspin.PrivacyLoss(2.0),
        **how,
    )


def test_a_dialect_is_part_of_the_request_only_where_it_is_declared(tmp_path):
    from sqlalchemy import create_engine, text

    path = tmp_path / "t.csv"
    path.write_bytes(csv_text(";").encode("cp1252", "replace"))
    asked(path, tmp_path)
    asked(path, tmp_path, dialect=dpspin.Dialect(encoding="windows-1252"))
    with create_engine(f"sqlite:///{tmp_path / 'ledger.db'}").connect() as ledger:
        tables = ledger.execute(text("select name from sqlite_master where type = 'table'")).scalars().all()
        stored = " ".join(str(row) for name in tables for row in ledger.execute(text(f'select * from "{name}"')))
    assert stored.count('"dialect":{"encoding":"windows-1252"}') == 1
    assert stored.count('"bad_rows":"zero"') == 2


def test_commands_take_the_declarations(tmp_path, dpspin):
    path = tmp_path / "t.csv"
    path.write_bytes(("who|body\n" + "a|Paket zu spät, late delivery\n" * 50).encode("cp1252"))
    words = ("--atoms", "support-tickets", "--map", "paper", "--text", "body", "--unit", "record")
    how = ("--encoding", "windows-1252", "--delimiter", "pipe")
    ran = dpspin("sketch", path, *words, *how, "--out", tmp_path / "a.sketch")
    assert ran.code == 0, ran.err
    rest = ("--atoms", "support-tickets", "--epsilon", "1", "--denominator", "50", "--out", tmp_path / "out")
    ran = dpspin("release", "--sketch", tmp_path / "a.sketch", *rest, "--dataset", "d", "--encoding", "utf-8")
    assert ran.code == 2
    assert "--encoding" in ran.err
    ran = dpspin("release", "--sketch", tmp_path / "a.sketch", *rest, "--dataset", "d")
    assert ran.code == 0, ran.err
    shard = read_header(tmp_path / "a.sketch").shard
    assert (shard.without_text, shard.dialect) == (0, {"encoding": "windows-1252", "delimiter": "|"})
    plan = (tmp_path / "out/release/plan.json").read_bytes()
    ran = dpspin("release", path, *words, *rest[2:], *how, "--dataset", "d")
    assert ran.code == 0, ran.err
    assert (tmp_path / "out/release/plan.json").read_bytes() == plan  # the same request, so it costs nothing


def test_usual_names_are_understood():
    assert {Dialect.named(name, None, None).encoding for name in ("UTF8", "utf-8", "UTF_8")} == {Encoding.UTF_8}
    assert {Dialect.named(name, None, None).encoding for name in ("cp1252", "ANSI")} == {Encoding.WINDOWS_1252}
    for delimiter in Delimiter:
        assert {Dialect.named(None, name, None).delimiter for name in (delimiter.word, delimiter.value)} == {delimiter}
    assert Dialect.named(None, r"\t", None).delimiter is Delimiter.TAB


@pytest.mark.parametrize(
    ("name", "content", "dialect", "message"),
    [
        ("t.csv", b"sep=;\nwho;body\n", Dialect(), "Excel's line 'sep=': delete that line"),
        ("t.tsv", b"who,body\n", Dialect(), "has no tab: give a file with another delimiter the suffix .csv"),
        ("t.csv", b"who,body\n", Dialect(encoding="utf-16-le"), "not utf-16-le text: declare how"),
    ],
)
def test_what_is_wrong_with_a_first_line_is_said(tmp_path, name, content, dialect, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        open_corpus(tmp_path / name, COLUMNS, dialect=dialect)


def test_a_policy_for_bad_rows_that_is_none_is_refused():
    assert RowPolicy(bad_rows="refuse").bad_rows is BadRows.REFUSE
    with pytest.raises(RequestError, match="bad_rows is one of 'zero', 'refuse'"):
        RowPolicy(bad_rows="strict")


def test_frames_and_files_in_any_dialect_are_one_dataset(tmp_path):
    frame = pd.DataFrame(ROWS, columns=["who", "body"])
    path = tmp_path / "t.csv"
    path.write_bytes(csv_text("|").encode("utf-16"))
    assert pairs(path) == pairs(frame)
