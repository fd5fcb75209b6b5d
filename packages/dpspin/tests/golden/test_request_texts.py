"""Requests as they are written to files: the commands of before-the-house, and some of later options.

A file that was written once is read for ever, and means the same. To add one after a new option::

    DPSPIN_RENEW=1 pytest packages/dpspin/tests/golden/test_request_texts.py
"""

import os
from pathlib import Path

import pytest

from before_the_house import COMMANDS, HERE, assert_same_plan, entries, restored, run
from dpspin.request import ReleaseRequest

FILES = Path(__file__).parent / "requests"
PAPER = ["--atoms", "atoms.yaml", "--unit", "record", "--text", "text", "--epsilon", "1", "--denominator", "60"]
TOP_L = ["--mechanism", "private_topL", "--value-noise", "laplace", "--selection-shares", "0.6,0.4", "--size", "2"]
EVERY = {
    **COMMANDS,
    "preset-paper": ["records.csv", *PAPER, "--preset", "paper"],
    "preset-paper-at-first": ["records.csv", *PAPER, "--map", "paper", "--admission", "fixed", "--margin", "0"],
    "topl-options": ["records.csv", *PAPER, *TOP_L],
}


@pytest.fixture(autouse=True)
def at_the_records(monkeypatch):
    monkeypatch.chdir(HERE)


@pytest.mark.parametrize("name", EVERY)
def test_a_command_writes_the_same_request_and_it_is_read_back_the_same(name, tmp_path):
    written, kept = tmp_path / "request.yaml", FILES / f"{name}.yaml"
    run("release", *EVERY[name], "--dataset", name, "--save-request", written)
    if os.environ.get("DPSPIN_RENEW") and not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(written.read_bytes())
    assert written.read_bytes() == kept.read_bytes()
    request = ReleaseRequest.load(kept)
    assert ReleaseRequest.load(request.save(tmp_path / "again.yaml")) == request
    assert (tmp_path / "again.yaml").read_bytes() == kept.read_bytes()


@pytest.mark.parametrize("name", ["topl-paper"])  # the paper's map: its bits are the same on every machine
def test_a_release_from_the_file_is_the_one_that_was_paid_for_by_the_command(name, tmp_path):
    ledger = restored(name, tmp_path)
    paid = entries(ledger)
    (tmp_path / "request.yaml").write_text((FILES / f"{name}.yaml").read_text() + f"  ledger: {ledger}\n")
    run("release", tmp_path / "request.yaml", "--out", tmp_path / "out")
    assert_same_plan(tmp_path / "out/release/plan.json", HERE / f"{name}.plan.json")
    assert entries(ledger) == paid
