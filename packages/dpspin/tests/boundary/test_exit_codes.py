"""Every exit code that the documentation tells really comes, and what a script is told to do then is right.

Each is the code of a real process. What counts most is 75: the same command again, unchanged, finishes what was begun
and is charged once.
"""

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.cli import main
from dpspin.curator.aggregate import spark_records
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import SourceError

DATASET, EPSILON = "tickets", 0.5
HELD = Path(__file__).with_name("held_release.py")
TABLE = (Path(__file__).parents[4] / "docs" / "how-to" / "automate.md").read_text(encoding="utf-8")
SECRET_TEXT = "zqxv of a record"


def words(place, ledger=None, epsilon=EPSILON):
    return [
        *("release", str(place / "records.csv"), "--text", "text", "--atoms", str(place / "atoms.txt")),
        *("--unit", "record", "--epsilon", str(epsilon), "--denominator", "400", "--dataset", DATASET),
        *("--out", str(place / "out"), "--ledger", str(ledger or place / "ledger.db")),
    ]


@pytest.fixture
def place(tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\nrefund please\n" * 50)
    return tmp_path


@pytest.fixture
def server(postgres):
    """A schema of its own on the shared server."""
    name = f"codes_{uuid4().hex}"
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres}&options=-csearch_path%3D{name}"


@contextmanager
def away(server):
    """Let nobody reach the server meanwhile."""
    socket = Path(re.search(r"host=([^&]+)", server)[1]) / ".s.PGSQL.5432"
    hidden = socket.rename(socket.with_name("hidden"))
    try:
        yield
    finally:
        hidden.rename(socket)


@contextmanager
def held(place, step, ledger=None):
    """A process that has come to a step, and waits there."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, HELD, step, *words(place, ledger)], **pipes) as process:
        assert process.stdout.readline() == "held\n", process.stderr.read()
        try:
            yield process
        finally:
            process.kill()


def spent(ledger):
    budget = open_ledger(ledger).budget(DATASET)
    return 0.0 if budget is None else float(budget.spent.epsilon)


def finished(dpspin, place, ledger=None):
    """Run it again: it is done, charged once, and a third run hands out the same bytes."""
    assert dpspin(*words(place, ledger)).code == 0
    plan = (place / "out" / "release" / "plan.json").read_bytes()
    assert dpspin(*words(place, ledger)).code == 0
    assert (place / "out" / "release" / "plan.json").read_bytes() == plan
    return spent(ledger or place / "ledger.db") == EPSILON


def test_the_table_tells_every_code_that_is_tested_here():
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", TABLE, re.MULTILINE)}
    assert told == {0, 1, 2, 3, 70, 75, 130, 137, 143}


def test_done_and_a_finding(place, dpspin):
    assert dpspin(*words(place)).code == 0
    (place / "text.txt").write_text("Everybody is happy.")
    assert dpspin("verify", place / "out" / "release", place / "text.txt").code == 1


def test_bad_input_charges_nothing(place, dpspin):
    (place / "records.csv").write_text("txt\nmy parcel is late\n")
    assert dpspin(*words(place)).code == 2
    assert spent(place / "ledger.db") == 0


def test_a_budget_that_does_not_cover_it_is_refused_and_stays_refused(place, dpspin):
    open_ledger(place / "ledger.db").set_budget(DATASET, PrivacyLoss(0.1))
    assert [dpspin(*words(place)).code for _ in range(2)] == [3, 3]
    assert spent(place / "ledger.db") == 0


def test_an_error_that_nobody_foresaw_is_a_bug_and_tells_no_text(place, dpspin, monkeypatch):
    def broken(*_args, **_more):
        raise ZeroDivisionError(SECRET_TEXT)

    monkeypatch.setattr(main, "app", broken)
    ran = dpspin(*words(place))
    assert ran.code == 70
    assert ran.err.startswith("dpspin: ZeroDivisionError in main.py:")
    assert ran.err.count("\n") == 1
    assert SECRET_TEXT not in ran.err


def test_a_disk_that_fails_may_be_tried_again_and_a_name_that_is_wrong_may_not(place, dpspin, monkeypatch):
    for error, code in ((OSError(28, "No space left on device", "out"), 75), (PermissionError(13, "Denied", "x"), 2)):
        monkeypatch.setattr(main, "app", lambda error=error, **_: (_ for _ in ()).throw(error))
        assert dpspin("release").code == code


def test_a_ledger_that_another_program_holds_may_be_tried_again(place, dpspin, monkeypatch):
    ledger = place / "ledger.db"
    open_ledger(ledger)
    monkeypatch.setattr("dpspin.curator.ledger.sqlite.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(ledger, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        ran = dpspin(*words(place))
    assert ran.code == 75
    assert "run the same command again" in ran.err
    assert finished(dpspin, place)


def test_a_ledger_that_is_gone_or_no_ledger_is_for_a_person(place, dpspin):
    (place / "ledger.db").write_text("no database at all, and longer than any header of one " * 30)
    assert dpspin(*words(place)).code == 2


def test_data_that_change_while_they_are_read_may_be_tried_again(place, dpspin):
    with held(place, "read") as process:
        (place / "records.csv").write_text("text\n" + "my parcel is late\n" * 50)
        _, told = process.communicate("go on\n")
    assert process.returncode == 75, told
    assert spent(place / "ledger.db") == 0
    assert finished(dpspin, place)


def test_spark_that_fails_may_be_tried_again_and_a_question_that_it_cannot_answer_may_not():
    class AnalysisException(Exception):
        """Named as Spark's own, of a column or a table that is not there."""

    def failing(kind):
        raise kind(SECRET_TEXT)

    for kind, code in ((RuntimeError, 75), (AnalysisException, 2)):
        with pytest.raises(SourceError) as told:
            spark_records._asked(partial(failing, kind))
        assert (told.value.exit_code, SECRET_TEXT in str(told.value)) == (code, False)


def test_a_server_that_is_away_may_be_tried_again_and_nothing_was_charged(place, dpspin, server):
    open_ledger(server)
    with away(server):
        assert dpspin(*words(place, server)).code == 75
    assert spent(server) == 0
    assert finished(dpspin, place, server)


@pytest.mark.long
def test_a_server_that_goes_away_after_the_charge_is_resumed(place, dpspin, server):
    with held(place, "commit", server) as process:
        assert spent(server) == EPSILON
        with away(server):
            _, told = process.communicate("go on\n")
    assert process.returncode == 75, told
    assert not (place / "out" / "release" / "plan.json").exists()
    assert finished(dpspin, place, server)


@pytest.mark.long
def test_a_run_that_was_overtaken_may_be_tried_again(place, dpspin, server):
    """Two at once: the newer one took the charge over and waits, so the older one's numbers are thrown away."""
    with held(place, "commit", server) as older, held(place, "commit", server):
        _, told = older.communicate("go on\n")
        assert older.returncode == 75, told
    assert finished(dpspin, place, server)


@pytest.mark.long
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_signal_after_the_charge_leaves_what_the_next_run_resumes(place, dpspin, sent, code):
    with held(place, "draw") as process:
        process.send_signal(sent)
        assert process.wait() == code
    assert spent(place / "ledger.db") == EPSILON
    assert not (place / "out" / "release").exists()
    assert finished(dpspin, place)
