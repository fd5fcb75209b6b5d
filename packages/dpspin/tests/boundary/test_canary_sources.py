"""A unique token in every cell, also of columns that nobody names, and in the credentials: it comes out nowhere.

Looked at are what is printed, logged and warned of, the exception with all that hangs on it, everything that is written
(plan, report, ledger, curator's folder) and the folder for temporary files.
"""

import logging
import tempfile
import traceback
import warnings
from itertools import product
from pathlib import Path

import pytest

import dpspin as package
from dpspin.curator.records.tables import postgres as of_postgres
from dpspin.errors import DpSpinError
from dpspin.pipeline import run
from source_tables import DATABASES, TABLES, in_postgres

CANARY = "zqxvcanary"
NAMES = ("who", "body", "when", "secret")
DROP = package.UserUnit(bound=1.0, missing=package.MissingUsers.DROP)


def records(size=60):
    return [
        (
            f"{CANARY}u{n % 7}",
            f"my parcel is late {CANARY}{n}, and nobody answers",
            f"{CANARY}w{n % 3}",
            f"{CANARY}s{n}",
        )
        for n in range(size)
    ]


def odd():
    rows = records()
    rows[5], rows[6] = (None, None, None, CANARY), (" ", f"{CANARY}" * 40, "", CANARY)
    return rows


CASES = {
    "fine": ({}, "", False),
    "users": ({"user": "who", "unit": DROP}, "", False),
    "no text column": ({"text": "words"}, "", True),
    "no user column": ({"user": "nobody", "unit": DROP}, "", True),
    "no window column": ({"window": package.Window("month", "x")}, "", True),
    "strict": ({"bad_rows": package.BadRows.REFUSE}, "", True),
    "users refused": ({"user": "who", "unit": package.UserUnit(bound=1.0)}, "", True),
    "a condition": ({}, f"&where=who = '{CANARY}u1'", False),
    "a condition on no column": ({}, f"&where=nobody = '{CANARY}u1'", True),
    "a broken condition": ({}, f"&where=who like '{CANARY}%'", True),
    "a broken address": ({}, f"&password={CANARY}", True),
    "the same as auxiliary": ({"auxiliary": "same"}, "", True),
}


@pytest.fixture(autouse=True)
def _servers(every_place, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", f"{CANARY}password")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", f"{CANARY}key")


@pytest.fixture
def nothing_leaks(tmp_path, capfd, caplog, monkeypatch):
    """Release into a folder, and look everywhere; returns what was refused."""
    caplog.set_level(logging.DEBUG)
    for place in ("out", "tmp"):
        (tmp_path / place).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))

    def look(data, **asked):
        refused = None
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                _release(data, tmp_path / "out", asked)
            except DpSpinError as error:
                refused = error
        printed = capfd.readouterr()
        said = [printed.out, printed.err, caplog.text, *(str(each.message) for each in warned)]
        if refused is not None:
            assert refused.__cause__ is refused.__context__ is None
            said += [str(refused), repr(refused), *traceback.format_exception(refused)]
        assert CANARY not in "\n".join(said)
        for file in filter(Path.is_file, [*(tmp_path / "out").rglob("*"), *(tmp_path / "tmp").rglob("*")]):
            assert _allowed(file, asked) or CANARY.encode() not in file.read_bytes(), file
        return refused

    return look


def _allowed(file, asked):
    """A condition is the curator's own words: the ledger keeps it, and nothing that is published does."""
    return asked.get("condition") and "ledger" in file.name


def _release(data, folder, asked):
    fields = {name: value for name, value in asked.items() if name != "condition"}
    request = package.ReleaseRequest.of(
        data,
        **{
            "text": "body",
            "atoms": "support-tickets",
            "unit": package.RecordUnit(),
            "epsilon": 1,
            "denominator": 100,
            "dataset": "d",
            "ledger": folder / "ledger.db",
            "map": "paper",
            **fields,
        },
    )
    run(request, folder)


@pytest.mark.parametrize(("kind", "case"), [*product(TABLES, CASES)])
def test_no_cell_leaves_through_a_table(tmp_path, nothing_leaks, kind, case):
    asked, more, fails = CASES[case]
    rows = odd() if case in {"strict", "users", "users refused"} else records()
    data = TABLES[kind](tmp_path, NAMES, rows) + more
    fails = fails or ("where" in more and kind not in DATABASES)  # there is no such part of an address
    if "auxiliary" in asked:
        asked = {"auxiliary": package.Auxiliary(data, "body")}
    refused = nothing_leaks(data, **asked, condition=case == "a condition")
    assert (refused is not None) is fails, refused


def test_no_cell_leaves_when_the_connection_is_lost(monkeypatch, nothing_leaks):
    monkeypatch.setattr(of_postgres, "ROWS_AT_ONCE", 10)
    data = TABLES["postgresql"](None, NAMES, records())
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dpspin'"
    column = of_postgres._column

    def lost_on_the_way(cells, *more):
        in_postgres(lambda connection: connection.execute(end))
        return column(cells, *more)

    monkeypatch.setattr(of_postgres, "_column", lost_on_the_way)
    assert nothing_leaks(data).code == "source.unreadable"


def test_no_cell_leaves_when_the_server_fails_at_one(nothing_leaks):
    """A view that casts what cannot be cast: the server's message quotes the cell."""
    table = TABLES["postgresql"](None, NAMES, records()).rpartition("=")[2]
    view = f'CREATE VIEW v{table} AS SELECT body, "when"::int AS "when" FROM {table}'
    in_postgres(lambda connection: connection.execute(view))
    data = f"postgresql:///postgres?table=v{table}&view=row_by_row"
    assert nothing_leaks(data, user="when", unit=DROP).code == "source.unreadable"


def test_no_credential_leaves_where_the_server_refuses_them(nothing_leaks, monkeypatch):
    for name, value in (("PGUSER", f"{CANARY}user"), ("PGHOST", f"/nowhere/{CANARY}")):
        monkeypatch.setenv(name, value)
        assert nothing_leaks("postgresql:///postgres?table=t").code == "source.unreadable"


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9])
def test_no_cell_of_a_damaged_file_leaves(tmp_path, nothing_leaks, kind, part):
    data = TABLES[kind](tmp_path, NAMES, records(2000))
    file = Path(data.partition(":///")[2].partition("?")[0])
    content = file.read_bytes()
    at = int(len(content) * part)
    file.write_bytes(content[:at] + b"\xff" * min(4096, len(content) - at) + content[at + 4096 :])
    nothing_leaks(data)


@pytest.mark.parametrize("kind", TABLES)
def test_no_cell_leaves_through_the_commands(tmp_path, dpspin, kind):
    data = TABLES[kind](tmp_path, NAMES, odd())
    looked = dpspin("check", data, "--text", "body", "--user", "who", "--atoms", "support-tickets", "--map", "paper")
    assert (looked.code, CANARY in looked.out + looked.err) == (0, False), looked.err
    asked = (
        "--atoms",
        "support-tickets",
        "--map",
        "paper",
        "--unit",
        "record",
        "--epsilon",
        "1",
        "--denominator",
        "60",
    )
    ran = dpspin("release", data, "--text", "body", *asked, "--dataset", "d", "--out", tmp_path / "out")
    assert (ran.code, CANARY in ran.out + ran.err) == (0, False), ran.err
