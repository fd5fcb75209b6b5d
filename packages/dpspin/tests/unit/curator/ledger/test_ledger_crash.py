"""A process may die at any moment: afterwards there is one charge and one output."""

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import Amount, Committed, open_ledger
from factories import charge_to, price

CRASHER = Path(__file__).with_name("crasher.py")
GOLDEN = Path(__file__).parents[3] / "golden" / "ledger-schema-3"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.db"
    open_ledger(path).set_budget("tickets", PrivacyLoss(0.5))  # covers one charge of 0.4, not two
    return path


def crash(path: Path, moment: str) -> int:
    return subprocess.run([sys.executable, CRASHER, path, moment], check=False, timeout=60).returncode


def reserve(ledger):
    return ledger.reserve(charge_to("tickets", "request", price(0.4)), "content")


def test_a_crash_while_a_ledger_is_made_leaves_none_and_the_next_run_makes_it(tmp_path):
    absent = tmp_path / "new" / "ledger.db"
    assert crash(absent, "inside opening") == -signal.SIGKILL
    assert not absent.exists()  # an empty file would look like a ledger that nobody spent from
    open_ledger(absent).set_budget("tickets", PrivacyLoss(0.5))
    assert open_ledger(absent).verify().holds


def test_a_crash_while_a_ledger_is_upgraded_leaves_the_old_one(tmp_path):
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((GOLDEN / "sqlite.sql").read_text())
    assert crash(path, "inside opening") == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT schema_version FROM dpspin_ledger").fetchall() == [(3,)]
    head = json.loads((GOLDEN / "sqlite.json").read_text())["head"]
    assert open_ledger(path).verify(head).holds


def test_a_crash_inside_reserve_leaves_no_charge(path):
    assert crash(path, "inside reserve") == -signal.SIGKILL
    assert open_ledger(path).budget("tickets").spent == Amount(0)


@pytest.mark.parametrize("moment", ["after reserve", "exit after reserve", "inside commit"])
def test_a_crash_before_the_commit_leaves_the_charge_and_is_resumed(path, moment):
    assert crash(path, moment) != 0
    ledger = open_ledger(path)
    assert ledger.budget("tickets").spent == Amount(400_000_000)
    resumed = reserve(ledger)
    assert (resumed.entry_id, resumed.attempt) == (1, 2)
    assert ledger.commit(resumed, b"drawn afresh").output == b"drawn afresh"
    assert reserve(ledger).output == b"drawn afresh"
    assert ledger.budget("tickets").spent == Amount(400_000_000)


def test_a_crash_inside_commit_leaves_a_half_written_file_that_heals(path):
    crash(path, "inside commit")
    journal = path.with_name("ledger.db-journal")
    assert journal.exists()  # else the test above would not have met a torn write
    assert journal.stat().st_mode & 0o077 == 0
    assert open_ledger(path).history()[0].state == "reserved"
    assert not journal.exists()


def test_a_crash_after_the_commit_keeps_the_output_that_was_drawn(path):
    assert crash(path, "after commit") == -signal.SIGKILL
    ledger = open_ledger(path)
    stored = reserve(ledger)
    assert isinstance(stored, Committed)
    assert stored.output.startswith(b"drawn before the crash")
    assert ledger.budget("tickets").spent == Amount(400_000_000)


def test_repeated_crashes_still_give_one_charge_and_one_output(path):
    for moment in ("after reserve", "inside commit", "after reserve"):
        crash(path, moment)
    ledger = open_ledger(path)
    resumed = reserve(ledger)
    assert resumed.attempt == 4
    assert ledger.commit(resumed, b"plan").output == b"plan"
    assert len(ledger.history()) == 1
