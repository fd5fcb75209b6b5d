"""Killed at any step, or run by eight at once: no period twice, no allowance lost or spent twice."""

import itertools
import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from dpspin.boundary.series import SeriesIndex
from dpspin.curator.aggregate.allowances import Allowances
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import LedgerError, RequestError
from dpspin.series import add_period

MOMENTS = ("before", "after")
OF_OPENING = [
    f"{moment}-{place}" for place, moment in itertools.product(("open", "opened", "declare", "index"), MOMENTS)
]
OF_ADDING = [
    f"{moment}-{place}"
    for place, moment in itertools.product(("state", "reserve", "draw", "commit", "drop", "publish", "index"), MOMENTS)
]
ONE = 2**30
USERS = 12

pytestmark = pytest.mark.long  # every test starts a few whole commands


def opening(place):
    return [
        *("series", "open", str(place / "series"), "--atoms", str(place / "atoms.txt"), "--text", "body"),
        *("--user", "who", "--date", "day", "--every", "month", "--first", "2026-01", "--last", "2026-08"),
        *(
            "--epsilon",
            "1",
            "--lifetime-bound",
            "3",
            "--map",
            "paper",
            "--dataset",
            "tickets",
            "--ledger",
            str(place / "ledger.db"),
        ),
    ]


def adding(place, month):
    return ["series", "add", str(place / "series"), str(place / "all.csv"), "--period", f"2026-{month:02}"]


def killed_at(step, words):
    script = Path(__file__).with_name("killed_period.py")
    return subprocess.run([sys.executable, script, step, *words], capture_output=True, check=False).returncode


@pytest.fixture
def place(tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    rows = (f"my parcel is late,u{user},2026-{month:02}-10" for month in range(1, 9) for user in range(USERS))
    (tmp_path / "all.csv").write_text("\n".join(["body,who,day", *rows]) + "\n")
    return tmp_path


def used(place):
    """Return what everybody has used by the newest state, which the ledger knows."""
    files = sorted((place / "series" / "curator" / "life-1").glob("allowances-*.bin"))
    return Allowances.from_bytes(files[-1].read_bytes()).used.tolist()


def spent(place):
    budget = open_ledger(place / "ledger.db").budget("tickets")
    return 0.0 if budget is None else float(budget.spent.epsilon)


@pytest.mark.parametrize("step", OF_OPENING)
def test_a_killed_opening_is_charged_once_or_not_at_all(place, dpspin, step):
    assert killed_at(step, opening(place)) == 9
    assert spent(place) == (0.0 if step == "before-open" else 1.0)
    assert dpspin(*opening(place)).code == 0
    assert dpspin(*adding(place, 1)).code == 0
    assert spent(place) == 1.0
    assert used(place) == [ONE] * USERS


@pytest.mark.parametrize("step", OF_ADDING)
def test_a_killed_period_is_taken_off_once_and_its_repetition_is_what_is_published(place, dpspin, step):
    assert dpspin(*opening(place)).code == 0
    assert dpspin(*adding(place, 1)).code == 0
    assert killed_at(step, adding(place, 2)) == 9
    published = place / "series" / "release" / "2026-02" / "plan.json"
    seen = published.read_bytes() if published.exists() else None
    assert dpspin(*adding(place, 2)).code == 0
    first = published.read_bytes()
    assert seen in {None, first}  # whoever saw a plan sees no other one
    assert used(place) == [2 * ONE] * USERS
    assert dpspin(*adding(place, 2)).code == 0
    assert (published.read_bytes(), used(place)) == (first, [2 * ONE] * USERS)
    assert dpspin(*adding(place, 4)).code == 0
    assert dpspin(*adding(place, 5)).code == 0
    assert used(place) == [3 * ONE] * USERS  # the allowance is used up, and no more
    assert [each.name for each in SeriesIndex.load(place / "series" / "release").periods][:2] == ["2026-01", "2026-02"]
    ledger = open_ledger(place / "ledger.db")
    assert (ledger.verify().holds, spent(place)) == (True, 1.0)
    assert len(list((place / "series" / "curator" / "life-1").glob("*.bin"))) == 1
    assert json.loads(first)["statement"]["randomness"] == "os-csprng"


def add_all(place):
    """Add every period, by whomever it is added."""
    for month in range(1, 9):
        while True:
            try:
                add_period(place / "series", str(place / "all.csv"), f"2026-{month:02}")
            except RequestError:  # a later one was faster: this one stays skipped
                break
            except LedgerError as error:
                if "took this request over" not in str(error):
                    raise
            else:
                break


def test_eight_processes_add_every_period_once(place, dpspin):
    assert dpspin(*opening(place)).code == 0
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=add_all, args=(place,)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    index = SeriesIndex.load(place / "series" / "release")
    assert [each.name for each in index.periods] == [f"2026-{month:02}" for month in range(1, 9)]
    assert used(place) == [3 * ONE] * USERS
    ledger = open_ledger(place / "ledger.db")
    assert ledger.verify().holds
    for each in index.periods:
        plan = json.loads((place / "series" / "release" / each.plan).read_bytes())
        assert ledger.verify(plan["account"]["head"]).holds
