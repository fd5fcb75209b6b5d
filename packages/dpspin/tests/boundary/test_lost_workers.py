"""Workers that are gone after a run, with a ledger on a PostgreSQL server: what must be kept, and what may be lost.

Each worker has a folder of its own, as its whole disk: home, cache and output are empty in the next one. A release
needs nothing but the ledger. A series needs the curator's part of its folder as well: without it, it goes no further,
and nobody's bound is exceeded.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from dpspin.curator.aggregate.allowances import Allowances
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.ledger.overviews import State

HERE = Path(__file__).parent
DATASET, USERS, ONE = "tickets", 12, 2**30
KILLED = 9


@pytest.fixture
def ledger(postgres):
    """The one thing that all workers share."""
    name = f"workers_{uuid4().hex}"
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres}&options=-csearch_path%3D{name}"


@pytest.fixture
def worker(tmp_path, ledger):
    """Return a way to start a worker: it gets the records and the dictionary, and an empty disk beside them."""

    def start(volume=None):
        disk = tmp_path / uuid4().hex
        (disk / "home").mkdir(parents=True)
        (disk / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
        rows = (f"my parcel is late,u{user},2026-{month:02}-10" for month in (1, 2, 3, 4) for user in range(USERS))
        (disk / "records.csv").write_text("\n".join(["body,who,day", *rows]) + "\n")
        if volume is not None:
            (disk / "series").mkdir()
            (disk / "series" / "curator").symlink_to(volume)
        return disk

    return start


def run(disk, ledger, *words, killed_at=None):
    """Run a command on a worker; with ``killed_at``, until it dies there."""
    place, period = {"HOME": str(disk / "home"), "DPSPIN_LEDGER": ledger}, words[0] == "series"
    program = HERE / ("killed_period.py" if period else "killed_release.py")
    start = ["-c", "from dpspin.cli.main import run; run()"] if killed_at is None else [program, killed_at]
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH") if name in os.environ}
    return subprocess.run(
        [sys.executable, *start, *words], cwd=disk, env=kept | place, capture_output=True, text=True, check=False
    )


@pytest.fixture
def series(dpspin, monkeypatch, ledger):
    """Run a command of a series on a worker, in this process; return how it ended and what it said."""

    def call(disk, *words):
        monkeypatch.chdir(disk)
        monkeypatch.setenv("HOME", str(disk / "home"))
        monkeypatch.setenv("DPSPIN_LEDGER", ledger)
        ran = dpspin(*words)
        return ran.code, ran.err

    return call


RELEASE = (
    *("release", "records.csv", "--text", "body", "--atoms", "atoms.txt", "--unit", "user", "--user", "who"),
    *("--epsilon", "0.5", "--denominator", "400", "--dataset", DATASET, "--snapshot", "2026", "--out", "out"),
)
OPEN = (
    *("series", "open", "series", "--atoms", "atoms.txt", "--text", "body", "--user", "who", "--date", "day"),
    *("--every", "month", "--first", "2026-01", "--last", "2026-08", "--epsilon", "1", "--lifetime-bound", "2"),
    *("--map", "paper", "--dataset", DATASET),
)


def add(month):
    return ("series", "add", "series", "records.csv", "--period", f"2026-{month:02}")


def charges(ledger):
    return [(float(row.amount.epsilon), row.state) for row in open_ledger(ledger).history(DATASET)]


def used(volume):
    """Return what each user has used of the lifetime bound, by the newest state."""
    return Allowances.from_bytes(max((volume / "life-1").glob("allowances-*.bin")).read_bytes()).used.tolist()


def plan_of(disk, month=None):
    return (disk / ("out/release" if month is None else f"series/release/2026-{month:02}") / "plan.json").read_bytes()


@pytest.mark.long
def test_a_release_that_died_with_its_worker_is_finished_by_another_for_the_same_charge(worker, ledger):
    first = worker()
    assert run(first, ledger, *RELEASE, killed_at="before-commit").returncode == KILLED
    assert charges(ledger) == [(0.5, State.RESERVED)]
    shutil.rmtree(first)

    second, third = worker(), worker()
    for disk in (second, third):
        ran = run(disk, ledger, *RELEASE)
        assert ran.returncode == 0, ran.stderr
    assert charges(ledger) == [(0.5, State.COMMITTED)]
    assert plan_of(second) == plan_of(third)


@pytest.mark.long
def test_a_period_that_died_with_its_worker_is_finished_by_another_that_has_the_volume(
    worker, series, ledger, tmp_path
):
    opened, volume = worker(), tmp_path / "volume"
    assert series(opened, *OPEN)[0] == 0
    shutil.move(opened / "series" / "curator", volume)
    assert series(worker(volume), *add(1))[0] == 0
    assert run(worker(volume), ledger, *add(2), killed_at="before-commit").returncode == KILLED
    assert used(volume) == [2 * ONE] * USERS  # taken, and published by nobody

    second, third = worker(volume), worker(volume)
    assert [series(disk, *add(2))[0] for disk in (second, third)] == [0, 0]
    assert plan_of(second, 2) == plan_of(third, 2)
    assert used(volume) == [2 * ONE] * USERS  # once
    assert charges(ledger) == [(1.0, State.COMMITTED)]
    assert series(third, *add(3))[0] == 0
    assert used(volume) == [2 * ONE] * USERS  # the bound of a life is used up, and no more is taken


@pytest.mark.long
def test_without_the_volume_a_series_goes_no_further_and_the_volume_brings_it_back(worker, series, ledger, tmp_path):
    opened, volume = worker(), tmp_path / "volume"
    assert series(opened, *OPEN)[0] == 0
    assert series(opened, *add(1))[0] == 0
    shutil.move(opened / "series" / "curator", volume)

    empty = worker()
    assert series(empty, *add(2))[0] == 2  # it does not even know which series
    assert series(empty, *OPEN)[0] == 0  # opened again: the same charge
    assert series(empty, *add(1))[0] == 0  # what was released is handed out again
    assert plan_of(empty, 1) == plan_of(opened, 1)
    code, told = series(empty, *add(2))
    assert (code, "the curator's folder was lost" in told) == (2, True)
    assert not (empty / "series" / "release" / "2026-02").exists()
    assert charges(ledger) == [(1.0, State.COMMITTED)]

    assert series(worker(volume), *add(2))[0] == 0  # nothing had been taken meanwhile
    assert used(volume) == [2 * ONE] * USERS
