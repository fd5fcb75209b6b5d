"""Killed at any step between the drawing and the release, nothing that was read is lost, and one charge is made."""

import subprocess
import sys
from pathlib import Path

import pytest

import dpspin as package
from dpspin.boundary.plan import SemanticPlan
from dpspin.curator.ledger.ledger import open_ledger
from reading_desk import NUMBER, read_all, true_themes, write_records

RECORDS = (
    *("records.csv", "--text", "text", "--atoms", "atoms.txt", "--unit", "record", "--dataset", "tickets"),
    *("--denominator", str(NUMBER), "--ledger", "ledger.db"),
)
SAMPLE = ("sample", *RECORDS, "--read", "60", "--out", "reading")
RELEASE = ("release", *RECORDS, "--epsilon", "0.5", "--reading", "reading", "--out", "out")


@pytest.fixture(autouse=True)
def _desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path)


def killed(step, words, typed=""):
    script = Path(__file__).with_name("killed_release.py")
    ran = subprocess.run(
        [sys.executable, script, step, *words], input=typed, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 9, ran.stderr


def spent():
    budget = open_ledger("ledger.db").budget("tickets")
    return 0.0 if budget is None else float(budget.spent.epsilon)


@pytest.mark.parametrize("step", [f"{moment}-private-{time}" for moment in ("before", "after") for time in (1, 2)])
def test_a_killed_drawing_is_drawn_again_the_same(dpspin, step):
    killed(step, SAMPLE)
    assert dpspin(*SAMPLE).code == 0
    drawn = package.open_reading("reading").records()
    assert dpspin(*SAMPLE[:-1], "another").code == 0
    assert drawn == package.open_reading("another").records()
    assert spent() == 0.0


@pytest.mark.parametrize("step", ["before-private-3", "after-private-3"])
def test_a_killed_reader_loses_one_answer_at_most(dpspin, step):
    assert dpspin(*SAMPLE).code == 0
    killed(step, ("read", "reading"), typed="n\n" * 5)
    read = [bool(row.themes) for row in package.open_reading("reading").records()]
    assert read[:3] == [True, True, step.startswith("after")]
    assert not any(read[3:])


PLACES = ("reserve", "draw", "commit", "private", "publish")


@pytest.mark.long
@pytest.mark.parametrize("step", [f"{moment}-{place}" for place in PLACES for moment in ("before", "after")])
def test_a_killed_release_of_a_reading_is_charged_once(dpspin, step):
    assert dpspin(*SAMPLE).code == 0
    folder = package.open_reading("reading")
    read_all(folder)
    killed(step, RELEASE)
    assert spent() == (0.0 if step == "before-reserve" else 0.5)
    assert {row.themes for row in folder.records()} == {true_themes(row.text) for row in folder.records()}

    ran = dpspin(*RELEASE)
    assert ran.code == 0, ran.err
    assert "changed" not in ran.err
    first = Path("out/release/plan.json").read_bytes()
    assert SemanticPlan.from_json(first).grounded is not None
    folder.read(folder.records()[0].id, "late parcel; refund; app crash")
    again = dpspin(*RELEASE)
    assert again.code == 0
    assert "changed since it was released" in again.err
    assert Path("out/release/plan.json").read_bytes() == first
    assert spent() == 0.5
    assert dpspin(*RELEASE, "--epsilon", "0.25").code == 2  # what was read pays for one release
    assert spent() == 0.5
