"""Commands, ledgers, plans, maps and sketch files of version 0.0: they are read as ever, and mean the same.

Each command was run once on that tree. Here its ledger is restored and the same command is run again: it must find the
numbers that were paid for then, charge nothing, and write the same plan and the same table. Maps are those of then.
"""

import csv
import json

import pyarrow as pa
import pytest

import dpspin
from before_the_house import COMMANDS, HERE, assert_same_plan, entries, restored, run, use_maps_of_then
from dpspin.curator.aggregate.shards import open_shards


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_command_finds_what_was_paid_for(name, tmp_path, monkeypatch):
    monkeypatch.chdir(HERE)
    use_maps_of_then(monkeypatch)
    ledger = restored(name, tmp_path)
    paid = entries(ledger)
    run("release", *COMMANDS[name], "--dataset", name, "--out", tmp_path / "out", "--ledger", ledger)
    written = tmp_path / "out" / "release"
    heads = assert_same_plan(written / "plan.json", HERE / f"{name}.plan.json")
    assert (written / "themes.csv").read_bytes() == (HERE / f"{name}.themes.csv").read_bytes()
    assert entries(ledger) == paid
    for head in heads:
        run("ledger", "verify", "--ledger", ledger, "--head", head)


def test_a_changed_command_is_charged_anew(tmp_path, monkeypatch):
    """The other side of the golden files: what decides the numbers is not forgotten in the fingerprint."""
    monkeypatch.chdir(HERE)
    ledger = restored("cues", tmp_path)
    run("ledger", "init", "--dataset", "cues", "--epsilon", "9", "--ledger", ledger)
    changed = [*COMMANDS["cues"], "--snapshot", "another", "--dataset", "cues"]
    run("release", *changed, "--out", tmp_path / "out", "--ledger", ledger)
    assert len(entries(ledger)) == 2


def fitted_now(kind):
    auxiliary = dpspin.Auxiliary(HERE / "aux.csv", text="text", label="theme") if kind == "taught" else None
    recipe = dpspin.Recipe(kind=dpspin.MapKind(kind))
    return dpspin.fit_map(dpspin.load_atoms(HERE / "atoms.yaml"), recipe=recipe, auxiliary=auxiliary)


@pytest.mark.parametrize("kind", ["hybrid", "paper", "taught", "cues"])
def test_maps_are_read_with_the_same_digest(kind):
    kept = json.loads((HERE / "maps.json").read_text())[kind]
    assert dpspin.load_map(HERE / f"{kind}.map").statement.digest == kept


@pytest.mark.parametrize("kind", ["paper", "taught", "cues"])
def test_maps_fitted_now_give_the_masses_of_then(kind, monkeypatch):
    """To the fourth digit: how a fit rounds is the processor's affair. The hybrid learned more since (decision 21)."""
    monkeypatch.setenv("DPSPIN_CACHE", "off")
    texts = pa.array(row["text"] for row in csv.DictReader((HERE / "records.csv").read_text("utf-8").splitlines()))
    now, then = (fitted(texts) for fitted in (fitted_now(kind), dpspin.load_map(HERE / f"{kind}.map")))
    assert now.offsets.tolist() == then.offsets.tolist()
    assert now.atoms.tolist() == then.atoms.tolist()
    assert now.ticks == pytest.approx(then.ticks, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("user", ["--unit", "user", "--user", "user", "--user-key", HERE / "user.key"]),
        ("prevalence", ["--unit", "record", "--quantity", "prevalence"]),
    ],
)
def test_sketch_files_are_read_and_the_same_records_give_the_same_ticks(name, options, tmp_path, monkeypatch):
    use_maps_of_then(monkeypatch)
    again = tmp_path / "again.sketch"
    run("sketch", HERE / "records.csv", "--atoms", HERE / "atoms.yaml", "--text", "text", *options, "--out", again)
    kept = json.loads((HERE / "ticks.json").read_text())[name]
    for file in (HERE / f"{name}.sketch", again):
        sketch, _ = open_shards([file]).measure()
        assert {"ticks": sketch.ticks.tolist(), "units": sketch.units} == kept
