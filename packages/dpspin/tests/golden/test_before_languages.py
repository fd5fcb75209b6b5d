"""Files of the tree before maps stated their languages: they are read as ever, and the same request stays the same.

A request whose fingerprint changes is charged a second time, so these literals must not move.
"""

import json
from pathlib import Path

import pytest

import dpspin
from dpspin import pipeline
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.release.measurement import Measurement

HERE = Path(__file__).parent / "before-languages"
PLANS = sorted(path.name.removesuffix(".plan.json") for path in HERE.glob("*.plan.json"))
KEY = Pseudonyms(bytes(range(32)))


@pytest.fixture(scope="module")
def atoms():
    return dpspin.load_atoms(HERE / "atoms.yaml")


def kept(name):
    return json.loads((HERE / name).read_text())


def saved(kind):
    return dpspin.load_map(HERE / f"{kind}.map")


def requests(atoms):
    record, user, loss = dpspin.RecordUnit(), dpspin.UserUnit, dpspin.PrivacyLoss
    shares = {atom.id: float(place + 1) for place, atom in enumerate(atoms.atoms)}
    baseline = dpspin.baseline_of(atoms, shares, 1.0, source="made up for a test")
    hybrid, paper = {"map": saved("hybrid")}, {"map": saved("paper")}
    return {
        "laplace-record": {
            **hybrid,
            "unit": record,
            "loss": loss(1.0),
            "denominator": 60,
            "baseline": baseline,
            "title": "golden",
        },
        "laplace-user-count": {
            **hybrid,
            "unit": user(2.0),
            "user": "user",
            "loss": loss(2.0),
            "denominator": dpspin.CountShare(share=0.25),
        },
        "gaussian-user-total": {
            **hybrid,
            "unit": user(1.0),
            "user": "user",
            "loss": loss(1.0, 1e-6),
            "denominator": dpspin.TotalMass(),
            "mechanism": dpspin.Gaussian(),
        },
        "topl-record-paper": {
            **paper,
            "unit": record,
            "loss": loss(4.0, 1e-6),
            "denominator": 60,
            "size": 2,
            "mechanism": dpspin.PrivateTopL(),
        },
        "set-em-replace": {
            **paper,
            "unit": record,
            "loss": loss(4.0),
            "denominator": 60,
            "size": 2,
            "mechanism": dpspin.SetSelection(),
            "adjacency": dpspin.Adjacency.REPLACE,
        },
        "prevalence-sample": {
            **hybrid,
            "unit": user(1.0),
            "user": "user",
            "loss": loss(1.0),
            "denominator": 60,
            "quantity": dpspin.Prevalence(),
            "sampling": dpspin.PoissonSample(rate=0.5),
        },
    }


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_of_schema_2_is_read_and_written_as_it_was(name, atoms):
    text = (HERE / f"{name}.plan.json").read_text()
    plan = SemanticPlan.from_json(text)
    assert plan.to_json() == text
    assert reread(plan, atoms, reading_of(plan)).to_json() == text
    assert dpspin.narrate(plan, atoms).verdict.accepted


@pytest.mark.parametrize("name", PLANS)
def test_the_same_request_has_the_same_fingerprint(name, atoms, monkeypatch, tmp_path):
    class Asked(Exception):
        pass

    def ask(request, source, *_, **__):
        raise Asked(request.description(source))

    monkeypatch.setattr(pipeline, "answer", ask)
    with pytest.raises(Asked) as asked:
        dpspin.release(
            HERE / "records.csv", text="text", atoms=atoms, ledger=tmp_path / "ledger.db", **requests(atoms)[name]
        )
    description, expected = str(asked.value), kept("requests.json")[name]
    assert json.loads(description) == expected["description"]
    assert digest_of(description) == expected["fingerprint"]


def test_dictionaries_and_saved_maps_keep_their_digests(atoms):
    expected = kept("digests.json")
    assert atoms.digest == expected["dictionary"]
    assert {name: dpspin.packs.load(name).digest for name in dpspin.packs.names()} == expected["packs"]
    assert {kind: saved(kind).statement.digest for kind in ("hybrid", "paper")} == {
        kind: expected[kind] for kind in ("hybrid", "paper")
    }


@pytest.mark.parametrize("unit", [dpspin.RecordUnit(), dpspin.UserUnit(2.0)], ids=lambda unit: unit.kind)
def test_a_sketch_file_is_read_and_the_same_records_give_the_same_ticks(unit, atoms, tmp_path):
    expected = kept(f"{unit.kind}.ticks.json")
    stored, _ = open_shards([HERE / f"{unit.kind}.sketch"]).measure()
    assert {"ticks": stored.ticks.tolist(), "units": stored.units} == expected
    user = "user" if isinstance(unit, dpspin.UserUnit) else None
    asked = Measurement(data=HERE / "records.csv", text="text", user=user, unit=unit, map=saved("hybrid"))
    records = asked.records(atoms, None)
    sketch_shard(tmp_path / "again.sketch", records, pseudonyms=KEY)
    again, _ = open_shards([tmp_path / "again.sketch"]).measure()
    assert {"ticks": again.ticks.tolist(), "units": again.units} == expected
