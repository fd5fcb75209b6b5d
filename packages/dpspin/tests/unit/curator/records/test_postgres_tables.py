"""What is special to tables of PostgreSQL: types, settings, views, hidden rows, writers and lost connections."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

import dpspin as package
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.formats.file_format import Passing
from dpspin.curator.records.places import place_of
from dpspin.curator.records.tables import postgres as tables
from dpspin.errors import InputError, RecordsRefused, SourceAway
from record_servers import use_server
from source_tables import in_postgres, parquet, postgresql
from spark_corpora import ATOMS, numbers_of, source_of

LENIENT = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
NAMES = ("body", "who")
ASKED = {
    "atoms": ATOMS,
    "text": "body",
    "user": "who",
    "unit": "user",
    "epsilon": 4,
    "denominator": 300,
    "map": "paper",
}


@pytest.fixture(autouse=True)
def _server(postgres, monkeypatch):
    use_server(postgres, monkeypatch)


@pytest.fixture
def schema():
    """A schema of its own, so that names can be simple."""
    name = f"s{os.urandom(8).hex()}"
    run(f"CREATE SCHEMA {name}")
    return name


def run(*statements):
    def every(connection):
        for statement in statements:
            connection.execute(statement)

    in_postgres(every)


def address(schema, table="t", more=""):
    return f"postgresql:///postgres?table={schema}.{table}{more}"


def read(source, columns):
    return [
        row
        for b in open_corpus(source, columns, LENIENT).batches()
        for row in zip(*b.to_pydict().values(), strict=True)
    ]


def refusal(source, columns=None):
    with pytest.raises(InputError) as refused:
        read(source, columns or Columns("body"))
    return refused.value


CELLS = {
    "integer": ("7", "7"),
    "bigint": ("9007199254740993", "9007199254740993"),
    "numeric": ("1.50", "1.5"),
    "numeric(6, 2)": ("17.00", "17"),
    "real": ("0.5", "0.5"),
    "double precision": ("0.1", "0.1"),
    "boolean": ("yes", "true"),
    "uuid": ("A0EEBC999C0B4EF8BB6D6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    "date": ("2024-01-31", "2024-01-31"),
    "timestamp": ("2024-01-31 12:00", "2024-01-31 12:00:00"),
    "timestamptz": ("2024-01-31 12:00+02", "2024-01-31 10:00:00+00:00"),
    "char(5)": ("ann", "ann"),
    "varchar(5)": ("ann", "ann"),
    "bytea": (r"\x616e6e", "ann"),
    "timestamptz ": ("infinity", "infinity"),
    "date ": ("0044-03-15 BC", "0044-03-15 BC"),
}


@pytest.mark.parametrize("kind", CELLS)
def test_a_cell_of_each_type_has_the_spelling_of_every_other_format(schema, kind):
    written, expected = CELLS[kind]
    run(
        f"CREATE TABLE {schema}.t (body text, who {kind})",
        f"INSERT INTO {schema}.t VALUES ('a', '{written}'), ('b', NULL)",
    )
    assert read(address(schema), Columns("body", "who")) == [("a", expected), ("b", None)]


def test_enums_domains_and_generated_columns_are_read_and_other_types_refused(schema):
    run(
        f"CREATE TYPE {schema}.mood AS ENUM ('bad', 'fine')",
        f"CREATE DOMAIN {schema}.words AS text",
        f"CREATE TABLE {schema}.t (body {schema}.words, who {schema}.mood, told json,"
        " spelt text GENERATED ALWAYS AS (told ->> 'id') STORED, marks int[])",
        f"""INSERT INTO {schema}.t VALUES ('a', 'fine', '{{"id": 7}}')""",
    )
    assert read(address(schema), Columns("body", "who")) == [("a", "fine")]
    assert read(address(schema), Columns("who", "spelt")) == [("fine", "7")]
    assert read(address(schema, more="&where=who = 'fine' and body = 'a'"), Columns("body")) == [("a",)]
    for column in ("told", "marks"):
        assert refusal(address(schema), Columns("body", column)).code == "source.type-not-read"
    assert refusal(address(schema, more="&where=told = 'x'")).code == "request.condition"
    assert refusal(address(schema, more="&where=body = 7")).code == "request.condition"


@pytest.mark.parametrize("kind", ["integer", "json", "date"])
def test_a_column_without_words_is_no_text(schema, kind):
    run(f"CREATE TABLE {schema}.t (body {kind})")
    refusal(address(schema))


def test_conditions_compare_in_the_columns_type(schema):
    run(
        f"CREATE TABLE {schema}.t (body text, n integer, at timestamptz, code char(5), name varchar(3))",
        f"INSERT INTO {schema}.t SELECT 'x' || i, i, '2026-01-01'::timestamptz + i * interval '1 day', 'ab', 'abc'"
        " FROM generate_series(1, 20) i",
        f"CREATE INDEX ON {schema}.t (n DESC)",
    )
    for told, number in {
        "n >= 10": 11,
        "n >= 9.5": 11,
        "n in (3, 4, 400)": 2,
        "at < '2026-01-11 00:00+00'": 9,
        "code = 'ab'": 20,
        "name = 'abcd'": 0,
        "n != 1 and n < 3": 1,
    }.items():
        rows = read(address(schema, more=f"&where={told}"), Columns("body"))
        assert len(rows) == number, told
    assert rows == [("x2",)]
    ordered = [body for (body,) in read(address(schema, more="&where=n > 15"), Columns("body"))]
    assert ordered == ["x16", "x17", "x18", "x19", "x20"]  # as rows lie, though an index has another order


def test_defaults_of_server_user_and_client_change_no_cell(schema, monkeypatch):
    run(
        f"CREATE TABLE {schema}.t (body text, at timestamptz, day date, f double precision)",
        f"INSERT INTO {schema}.t VALUES ('a', '2024-01-31 12:00+02', '2024-01-31', 0.1::double precision + 0.2)",
    )
    usual = [read(address(schema), Columns("body", name)) for name in ("at", "day", "f")]
    settings = (
        *("-c TimeZone=Asia/Tokyo", "-c DateStyle=German,DMY", "-c extra_float_digits=-5", "-c statement_timeout=60s"),
        *("-c idle_in_transaction_session_timeout=60s", "-c search_path=nowhere", "-c bytea_output=escape"),
    )
    monkeypatch.setenv("PGOPTIONS", " ".join(settings))
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    assert [read(address(schema), Columns("body", name)) for name in ("at", "day", "f")] == usual
    assert usual[2] == [("a", "0.30000000000000004")]
    table = tables.PostgresTable(place_of(address(schema)))
    asked = (
        "statement_timeout",
        "idle_in_transaction_session_timeout",
        "transaction_isolation",
        "transaction_read_only",
    )
    found = [table._connection.execute(f"SELECT current_setting('{name}')").fetchone()[0] for name in asked]
    assert found == ["0", "0", "repeatable read", "on"]


def test_one_cell_that_is_no_utf8_spoils_no_other():
    name = f"d{os.urandom(8).hex()}"
    with psycopg.connect(f"postgresql:///postgres?host={os.environ['PGHOST']}", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING SQL_ASCII TEMPLATE template0")
    with psycopg.connect(f"postgresql:///{name}?host={os.environ['PGHOST']}") as connection:
        connection.execute("CREATE TABLE t (body text, who text)")
        connection.execute(r"INSERT INTO t VALUES ('late', 'ann'), (E'\xff\xfe', E'\xff'), (E'\xc3\xa4', 'bob')")
    rows = read(f"postgresql:///{name}?table=t", Columns("body", "who"))
    assert rows == [("late", "ann"), (None, "bytes:ff"), ("ä", "bob")]


VIEWS = {
    "a join": "VIEW v AS SELECT a.body, a.who FROM {0}.t a JOIN {0}.t b USING (who)",
    "distinct": "VIEW v AS SELECT DISTINCT body, who FROM {0}.t",
    "rows as they are": "VIEW v AS SELECT body, who FROM {0}.t",
    "materialised": "MATERIALIZED VIEW v AS SELECT body, who FROM {0}.t",
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_read_only_if_its_rows_are_declared_and_the_plan_says_so(schema, tmp_path, view):
    run(
        f"CREATE TABLE {schema}.t (body text, who text)",
        f"INSERT INTO {schema}.t VALUES ('late parcel', 'ann'), ('rude staff', 'bob')",
        f"CREATE {VIEWS[view].format(schema)}".replace(" v ", f" {schema}.v ", 1),
    )
    refused = refusal(address(schema, "v"))
    assert refused.code == "request.view"
    assert "row_by_row" in str(refused)
    plan = package.release(address(schema, "v", "&view=row_by_row"), **ASKED, ledger=tmp_path / "ledger.db")
    assert plan.account.view == "row_by_row"
    plain = package.release(address(schema), **ASKED, ledger=tmp_path / "other.db")
    assert plain.account.view is None
    assert "view" not in plain.model_dump(mode="json")["account"]


def test_a_view_that_is_another_one_each_time_is_refused_before_the_charge(schema, tmp_path):
    run(f"CREATE VIEW {schema}.v AS SELECT 'late' AS body, clock_timestamp()::text AS who FROM generate_series(1, 5)")
    with pytest.raises(RecordsRefused, match="changed while they were being read"):
        package.release(address(schema, "v", "&view=row_by_row"), **ASKED, ledger=tmp_path / "ledger.db")


def test_partitions_and_children_belong_to_their_table(schema):
    run(
        f"CREATE TABLE {schema}.p (body text, n int) PARTITION BY RANGE (n)",
        f"CREATE TABLE {schema}.p1 PARTITION OF {schema}.p FOR VALUES FROM (0) TO (10)",
        f"CREATE TABLE {schema}.p2 PARTITION OF {schema}.p DEFAULT",
        f"INSERT INTO {schema}.p VALUES ('a', 1), ('b', 11)",
        f"CREATE TABLE {schema}.t (body text)",
        f"CREATE TABLE {schema}.c () INHERITS ({schema}.t)",
        f"INSERT INTO {schema}.t VALUES ('a')",
        f"INSERT INTO {schema}.c VALUES ('b')",
    )
    assert read(address(schema, "p"), Columns("body")) == [("a",), ("b",)] == read(address(schema), Columns("body"))
    assert read(address(schema, "p2"), Columns("body")) == [("b",)]


def test_a_foreign_table_is_refused_also_as_a_partition(schema):
    run(
        f"CREATE FOREIGN DATA WRAPPER w{schema}",
        f"CREATE SERVER x{schema} FOREIGN DATA WRAPPER w{schema}",
        f"CREATE FOREIGN TABLE {schema}.f (body text, n int) SERVER x{schema}",
        f"CREATE TABLE {schema}.p (body text, n int) PARTITION BY RANGE (n)",
        f"CREATE FOREIGN TABLE {schema}.q PARTITION OF {schema}.p FOR VALUES FROM (0) TO (10) SERVER x{schema}",
    )
    for table in ("f", "p"):
        for declared in ("", "&view=row_by_row"):
            assert refusal(address(schema, table, declared)).code == "source.foreign-table"


def test_hidden_rows_are_refused_unless_declared(schema, monkeypatch):
    role = f"r{schema}"
    run(
        f"CREATE ROLE {role} LOGIN",
        f"CREATE TABLE {schema}.t (body text, who text)",
        f"INSERT INTO {schema}.t VALUES ('a', 'ann'), ('b', 'bob')",
        f"ALTER TABLE {schema}.t ENABLE ROW LEVEL SECURITY",
        f"CREATE POLICY p ON {schema}.t USING (who = 'ann')",
        f"CREATE TABLE {schema}.closed (body text)",
        f"GRANT USAGE ON SCHEMA {schema} TO {role}",
        f"GRANT SELECT ON {schema}.t TO {role}",
    )
    assert read(address(schema), Columns("body")) == [("a",), ("b",)]  # the owner sees all
    monkeypatch.setenv("PGUSER", role)
    assert refusal(address(schema)).code == "request.hidden-rows"
    assert read(address(schema, more="&view=row_by_row"), Columns("body")) == [("a",)]
    assert "may not read it" in str(refusal(address(schema, "closed")))


def test_a_concurrent_writer_changes_nothing_of_a_run(tmp_path):
    rows = [(f"my parcel is late {n}" if n % 3 else f"rude staff {n}", f"u{n % 40}") for n in range(20_000)]
    source = postgresql(None, NAMES, rows)
    table = source.rpartition("=")[2]
    expected = source_of(parquet(tmp_path, NAMES, rows), ASKED)
    stop, writes = threading.Event(), []

    def write():
        with psycopg.connect(f"postgresql:///postgres?host={os.environ['PGHOST']}", autocommit=True) as connection:
            while not stop.is_set():
                n = len(writes)
                connection.execute(f"INSERT INTO {table} SELECT 'app crash', 'new' || i FROM generate_series(1, 50) i")
                connection.execute(f"DELETE FROM {table} WHERE who = %s", (f"u{n % 40}",))
                connection.execute(
                    f"UPDATE {table} SET body = 'slow refund', who = 'x' WHERE who = %s", (f"u{n * 7 % 40}",)
                )
                writes.append(n)

    there = source_of(source, ASKED)
    content = there.content_digest()
    writer = threading.Thread(target=write)
    writer.start()
    try:
        while len(writes) < 5:
            stop.wait(0.01)
        likeness = there.likeness(bytes(32)).to_bytes()
        measured = numbers_of(there.measure())
        package.release(source, **ASKED, ledger=tmp_path / "ledger.db")  # of whatever it finds, and finds only once
    finally:
        stop.set()
        writer.join()
    assert measured == numbers_of(expected.measure())
    assert likeness == expected.likeness(bytes(32)).to_bytes()
    assert there.content_digest() == content != open_corpus(source, Columns("body", "who")).content_digest()


SWAPPED = ("ALTER TABLE {0}.t RENAME TO old", "CREATE VIEW {0}.t AS SELECT a.body FROM {0}.old a, {0}.old b")


@pytest.mark.parametrize("change", [SWAPPED, ("TRUNCATE {0}.t",)], ids=["a view in its place", "no rows any more"])
def test_a_table_stays_what_it_was_once_it_is_open(schema, change):
    run(f"CREATE TABLE {schema}.t (body text)", f"INSERT INTO {schema}.t VALUES ('a'), ('b')")
    corpus = open_corpus(address(schema), Columns("body"))
    changes = [statement.format(schema) for statement in change]
    with pytest.raises(psycopg.errors.LockNotAvailable):
        run("SET lock_timeout = 100", *changes)
    assert [body for batch in corpus.batches() for body in batch["text"].to_pylist()] == ["a", "b"]
    del corpus
    run(*changes)


def test_a_view_that_takes_the_place_of_a_table_while_it_is_opened_is_noticed(schema, monkeypatch):
    run(f"CREATE TABLE {schema}.t (body text)", f"INSERT INTO {schema}.t VALUES ('a'), ('b')")
    connected = tables._connected

    def and_then_swapped(place):
        connection = connected(place)
        run(*(statement.format(schema) for statement in SWAPPED))
        return connection

    monkeypatch.setattr(tables, "_connected", and_then_swapped)
    refused = refusal(address(schema))
    assert isinstance(refused, SourceAway)
    assert "replaced" in str(refused)


def test_a_table_that_changed_since_its_release_is_a_new_state(tmp_path):
    source = postgresql(None, NAMES, [("late parcel", "ann"), ("rude staff", "bob")])
    told = {**ASKED, "ledger": tmp_path / "ledger.db", "budget": 8}
    first = package.release(source, **told)
    assert package.release(source, **told).to_json() == first.to_json()  # for free
    run(f"INSERT INTO {source.rpartition('=')[2]} VALUES ('app crash', 'carl')")
    with pytest.raises(package.errors.DpSpinError, match="snapshot"):
        package.release(source, **told)
    chosen = package.release(f"{source}&where=who in ('ann', 'bob')", **told)  # another request, so charged
    assert chosen.account.balances[0].spent_epsilon == 8


def test_a_connection_that_is_lost_costs_nothing_and_quotes_nobody(monkeypatch):
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 10)
    source = postgresql(None, NAMES, [(f"zebrafinch {n}", "ann") for n in range(100)])
    batches = open_corpus(source, Columns("body")).batches()
    next(batches)
    run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dpspin'")
    with pytest.raises(SourceAway) as refused:
        list(batches)
    assert (refused.value.code, refused.value.exit_code) == ("source.unreadable", 75)
    assert "zebrafinch" not in str(refused.value)
    assert refused.value.__cause__ is refused.value.__context__ is None


def test_a_server_that_never_answers_is_away():
    """So a program that asks again later knows that it may."""
    assert isinstance(tables._reason(psycopg.errors.ConnectionTimeout()), Passing)


def test_no_transaction_stays_open():
    source = postgresql(None, NAMES, [("a", "b")])
    corpus = open_corpus(source, Columns("body"))
    list(corpus.batches())
    open_now = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dpspin'"
    assert in_postgres(lambda connection: connection.execute(open_now).fetchone()) == (1,)
    del corpus
    assert in_postgres(lambda connection: connection.execute(open_now).fetchone()) == (0,)


RELEASED = """
import sys
from pathlib import Path
address, ledger, tests, hold = sys.argv[1:]
sys.path.append(tests)
import dpspin
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from spark_corpora import ATOMS
held = list(open_corpus(address, Columns("body")).batches()) if hold else []
asked = {"unit": "record", "map": "paper", "epsilon": 1, "denominator": 1000, "dataset": "crm"}
dpspin.release(address, atoms=ATOMS, text="body", ledger=ledger, **asked)
print(int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024)
"""
TESTS = Path(__file__).parents[3]


def peak(address, ledger, hold=""):
    """Release in a process of its own; return the largest memory that it had, in MiB."""
    words = [sys.executable, "-c", RELEASED, address, str(ledger), str(TESTS), hold]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.long
def test_four_times_the_rows_take_no_more_memory(schema, tmp_path):
    """Of a whole release: identity, sample, map, identity again. If it held the rows, that would be seen."""
    text = "n || repeat(' my parcel came too late', 40)"  # about 1,000 bytes
    for name, rows in (("few", 50_000), ("many", 200_000)):
        run(f"CREATE TABLE {schema}.{name} AS SELECT {text} AS body FROM generate_series(1, {rows}) AS n")
    few, many = (peak(address(schema, name), tmp_path / f"{name}.db") for name in ("few", "many"))
    assert many - few < 25
    assert peak(address(schema, "many"), tmp_path / "held.db", "hold") - many > 100


def test_without_the_driver_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(InputError, match=r"dpspin\[postgres\]"):
        open_corpus("postgresql:///crm?table=t", Columns("body"))
