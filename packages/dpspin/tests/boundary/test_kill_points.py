"""Killed at any step, a release never exists without its charge, and asking again costs nothing more."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpspin.curator.ledger.ledger import open_ledger

PLACES = ("reserve", "draw", "commit", "publish")
STEPS = [f"{moment}-{place}" for place, moment in itertools.product(PLACES, ("before", "after"))]
DATASET = "tickets"


def words(tmp_path):
    return [
        *("release", str(tmp_path / "records.csv"), "--text", "text", "--atoms", str(tmp_path / "atoms.txt")),
        *("--unit", "record", "--epsilon", "0.5", "--denominator", "400", "--dataset", DATASET),
        *("--out", str(tmp_path / "out"), "--ledger", str(tmp_path / "ledger.db")),
    ]


@pytest.fixture(autouse=True)
def _small_dictionary(tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")


def spent(tmp_path):
    budget = open_ledger(tmp_path / "ledger.db").budget(DATASET)
    return 0.0 if budget is None else float(budget.spent.epsilon)


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_release_is_charged_once_or_does_not_exist(tmp_path, dpspin, step):
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\nrefund please\n" * 50)
    script = Path(__file__).with_name("killed_release.py")
    killed = subprocess.run([sys.executable, script, step, *words(tmp_path)], capture_output=True, check=False)
    assert killed.returncode == 9, killed.stderr

    published = (tmp_path / "out/release/plan.json").exists()
    assert spent(tmp_path) == (0.0 if step == "before-reserve" else 0.5)
    assert not published or spent(tmp_path) == 0.5

    assert dpspin(*words(tmp_path)).code == 0
    first = (tmp_path / "out/release/plan.json").read_bytes()
    assert spent(tmp_path) == 0.5
    again = dpspin(*words(tmp_path))
    assert again.code == 0
    assert "at no cost" in again.err
    assert (tmp_path / "out/release/plan.json").read_bytes() == first
    assert spent(tmp_path) == 0.5
    assert json.loads(first)["statement"]["randomness"] == "os-csprng"


def test_the_same_request_returns_the_same_bytes_and_other_data_are_refused(tmp_path, dpspin):
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\n" * 50)
    assert dpspin(*words(tmp_path)).code == 0
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\n" * 51)
    refused = dpspin(*words(tmp_path))
    assert refused.code == 2
    assert "--snapshot" in refused.err
    unaffordable = dpspin(*words(tmp_path), "--snapshot", "next")
    assert unaffordable.code == 3
    assert "left" in unaffordable.err
    assert spent(tmp_path) == 0.5
