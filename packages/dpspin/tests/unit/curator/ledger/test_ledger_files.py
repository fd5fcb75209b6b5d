"""The ledger as an SQLite file: where it may lie, who may read it, what is refused."""

import os
import sqlite3
import stat
import traceback
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import open_ledger, sqlite
from dpspin.curator.ledger.sqlite import file_system_of
from dpspin.errors import LedgerError, NewLedger
from factories import charge_to, price

REQUEST = '{"mechanism":{"kind":"laplace"}}'


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def execute(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def everyone_may_read():
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("everyone_may_read")
def test_a_new_folder_and_file_are_for_their_owner_only(tmp_path):
    path = tmp_path / "private" / "ledger.db"
    open_ledger(path).set_budget("tickets", PrivacyLoss(1.0))
    assert mode_of(path.parent) == 0o700
    assert mode_of(path) == 0o600


def test_the_folder_holds_nothing_but_the_ledger_afterwards(tmp_path):
    ledger = open_ledger(tmp_path / "ledger.db")
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    ledger.commit(ledger.reserve(charge_to("tickets", "f", price(0.1)), "c"), b"plan")
    assert [item.name for item in tmp_path.iterdir()] == ["ledger.db"]


@pytest.mark.parametrize("name", ["ledger.db", "a ledger?mode=memory#1%20.db"])
def test_path_and_url_mean_the_same_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    open_ledger(name).set_budget("tickets", PrivacyLoss(1.0))
    assert open_ledger(tmp_path / name).datasets() == ("tickets",)
    assert [item.name for item in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("slashes", ["sqlite:///", "sqlite+pysqlite:///"])
def test_an_sqlite_url_names_a_file(tmp_path, slashes):
    open_ledger(f"{slashes}{tmp_path}/ledger.db").set_budget("tickets", PrivacyLoss(1.0))
    assert open_ledger(tmp_path / "ledger.db").datasets() == ("tickets",)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "sqlite:///x.db?mode=memory&uri=true", "://x"])
def test_a_ledger_that_would_forget_is_refused(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LedgerError, match="sqlite:///"):
        open_ledger(url)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["mysql://curator:hunter2@host/db", "postgresql://curator:hunter2@host:port/db"])
def test_another_database_is_refused_without_repeating_its_password(url):
    with pytest.raises(LedgerError, match="postgresql") as refused:
        open_ledger(url)
    assert "hunter2" not in "".join(traceback.format_exception(refused.value))


def test_every_transaction_is_durable_and_locks_at_once(tmp_path):
    ledger = open_ledger(tmp_path / "ledger.db")
    with ledger._engine.begin() as connection:
        pragmas = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        assert pragmas == ["delete", 3]  # 3 is EXTRA
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() == 30_000
        other = sqlite3.connect(tmp_path / "ledger.db", timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")


def test_a_ledger_of_another_version_is_refused(tmp_path):
    path = tmp_path / "ledger.db"
    execute(path, "CREATE TABLE dpspin_ledger (schema_version INTEGER)", "INSERT INTO dpspin_ledger VALUES (1)")
    with pytest.raises(LedgerError, match=r"another version .* schema versions 3 to 7 only"):
        open_ledger(path)


@pytest.mark.parametrize("table", ["scope", "budget_change", "entry", "resumption", "output", "link"])
def test_a_row_cannot_be_replaced_although_sqlite_would_not_call_that_a_delete(tmp_path, table):
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path)
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    for _ in range(2):
        reserved = ledger.reserve(charge_to("tickets", "f", price(0.1)), "c")
    ledger.commit(reserved, b"plan")
    with pytest.raises(sqlite3.IntegrityError):
        execute(path, f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")


@pytest.mark.parametrize(
    ("change", "finding"),
    [("epsilon_nano = 0.5", "row 3 (entry) was changed"), ("day = 'someday'", "row 3 is missing or unreadable")],
)
def test_cells_of_another_kind_are_found_although_sqlite_takes_them(tmp_path, change, finding):
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path)
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    ledger.reserve(charge_to("tickets", "f", price(0.1)), "c")
    execute(path, "DROP TRIGGER entry_is_fixed", "PRAGMA ignore_check_constraints = ON", f"UPDATE entry SET {change}")
    assert finding in ledger.verify().finding


def test_a_failing_database_is_reported_without_what_was_to_be_stored(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path)
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    execute(path, "CREATE TRIGGER broken BEFORE INSERT ON entry BEGIN SELECT RAISE(FAIL, 'the disk is full'); END")
    with pytest.raises(LedgerError, match="the disk is full") as failed:
        ledger.reserve(charge_to("tickets", "f", price(0.1)), "secret")
    assert "secret" not in "".join(traceback.format_exception(failed.value)).replace('"secret")', "")
    assert ledger.budget("tickets").left == ledger.budget("tickets").cap


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are notes, not a ledger\n" * 100)
    with pytest.raises(LedgerError, match="not a database"):
        open_ledger(path)
    assert path.read_text() == "these are notes, not a ledger\n" * 100


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.db"
    execute(path, "CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="not a dpspin ledger"):
        open_ledger(path)
    assert path.read_bytes() == before


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(LedgerError, match="is a folder; name a file in it"):
        open_ledger(tmp_path)


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="cannot be created"):
        open_ledger(tmp_path / "file" / "ledger.db")


def test_a_ledger_that_vanishes_is_not_replaced_by_an_empty_one(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path)
    path.unlink()
    with pytest.raises(LedgerError, match="cannot be used"):
        ledger.set_budget("tickets", PrivacyLoss(1.0))
    assert not path.exists()


def test_an_empty_file_is_not_taken_for_a_ledger_with_full_budgets(tmp_path):
    path = tmp_path / "ledger.db"
    open_ledger(path).set_budget("tickets", PrivacyLoss(1.0))
    path.write_bytes(b"")
    with pytest.raises(LedgerError, match=r"is empty: .* Restore it from its newest backup. To begin a new ledger"):
        open_ledger(path)
    assert path.read_bytes() == b""
    path.unlink()
    open_ledger(path)  # deliberately


def test_a_database_without_tables_is_not_taken_for_one_either(tmp_path):
    path = tmp_path / "ledger.db"
    execute(path, "CREATE TABLE t (x)", "DROP TABLE t")
    assert path.stat().st_size > 0
    with pytest.raises(LedgerError, match="is empty"):
        open_ledger(path)


@pytest.mark.parametrize("suffix", ["-journal", "-wal"])
def test_a_journal_without_its_ledger_tells_that_one_was_there(tmp_path, suffix):
    (tmp_path / f"ledger.db{suffix}").write_bytes(b"left behind")
    with pytest.raises(LedgerError, match="is gone, and its journal"):
        open_ledger(tmp_path / "ledger.db")
    assert not (tmp_path / "ledger.db").exists()


def test_a_new_ledger_is_announced_once(tmp_path):
    with pytest.warns(NewLedger, match=r"New ledger: .*ledger\.db\. It knows of no earlier release"):
        assert open_ledger(tmp_path / "ledger.db").is_new
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not open_ledger(tmp_path / "ledger.db").is_new


def test_of_two_that_make_a_ledger_at_once_one_is_the_maker(tmp_path):
    path = tmp_path / "ledger.db"

    def made_meanwhile(unfinished):
        sqlite._build(unfinished)
        open_ledger(path).set_budget("tickets", PrivacyLoss(1.0))

    assert sqlite.appear_whole(path, made_meanwhile) is False
    assert open_ledger(path).datasets() == ("tickets",)
    assert [item.name for item in tmp_path.iterdir()] == ["ledger.db"]


def test_a_file_system_without_links_is_refused_and_nothing_is_left(tmp_path, monkeypatch):
    def no_links(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    with pytest.raises(LedgerError, match="cannot be created: Operation not permitted"):
        open_ledger(tmp_path / "ledger.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "kind", ["9p", "v9fs", "virtiofs", "vboxsf", "prl_fs", "vmhgfs", "fuse.vmhgfs-fuse", "drvfs", "fuse.sshfs"]
)
def test_a_folder_shared_with_another_machine_is_refused(tmp_path, monkeypatch, kind):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nhost {tmp_path} {kind} rw 0 0\n")
    monkeypatch.setattr(sqlite, "MOUNTS", mounts)
    with pytest.raises(LedgerError, match="network file system"):
        open_ledger(tmp_path / "ledger.db")
    assert not (tmp_path / "ledger.db").exists()


def test_a_network_file_system_is_refused(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/share {tmp_path}/share nfs4 rw 0 0\n")
    monkeypatch.setattr(sqlite, "MOUNTS", mounts)
    with pytest.raises(LedgerError, match="network file system"):
        open_ledger(tmp_path / "share" / "ledger.db")
    open_ledger(tmp_path / "ledger.db")


def test_without_a_mount_table_nothing_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "MOUNTS", tmp_path / "absent")
    open_ledger(tmp_path / "ledger.db")


def test_the_innermost_and_latest_mount_decides():
    mounts = "a / ext4 rw 0 0\nb /data nfs rw 0 0\nc /data/local xfs rw 0 0\nd /mnt cifs rw 0 0\ne /mnt ext4 rw 0 0"
    kinds = [file_system_of(Path(place), mounts) for place in ("/x", "/data/x", "/data/local/x", "/mnt/x", "/database")]
    assert kinds == ["ext4", "nfs", "xfs", "ext4", "ext4"]
