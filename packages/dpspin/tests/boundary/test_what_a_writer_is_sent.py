"""Every byte that goes to a language model which writes a report: a function of the plan and of public text alone."""

import csv
import logging

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PrivacyLoss, UserUnit
from dpspin.curator.assign.recipes import MapKind, Recipe
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.measurement import Measurement
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms import packs
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
KEY = "zqxvkey"
WRONG = "612 people complained about long queues."  # refused, so that the feedback is sent as well
DECODERS = ("claims", "llm")
MODES = ("display", "audit")


def generated_records(path, canary):
    """Write generated tickets with a token of this file's own in every text and every user id."""
    table = generate_tickets(300, seed=5).records
    rows = zip(table["user_id"].to_pylist(), table["text"].to_pylist(), strict=True)
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("user_id", "text"), *((f"{canary}user{u}", f"{text} {canary}text") for u, text in rows)]
        )
    return path


def release_of(path, out, dpspin):
    ran = dpspin(
        *("release", path, "--text", "text", "--user", "user_id", "--unit", "user", "--bound", "1"),
        *("--atoms", "support-tickets", "--map", "paper", "--epsilon", "2", "--denominator", "150", "--out", out),
    )
    assert ran.code == 0, ran.err
    return out / "release" / "plan.json"


def narrate_words(plan, server, decoder, mode="display"):
    return (
        *("narrate", plan, "--decoder", decoder, "--mode", mode, "--attempts", "2"),
        *("--llm-url", server.url, "--llm-model", "tiny"),
    )


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("mode", MODES)
def test_nothing_of_the_records_leaves_with_the_plan(tmp_path, dpspin, decoder, mode):
    path = generated_records(tmp_path / "records.csv", "zqxvcanary")
    plan = release_of(path, tmp_path / "out", dpspin)
    assert SemanticPlan.from_json(plan.read_bytes()).entries
    with FakeWriter([WRONG]) as server:
        ran = dpspin(*narrate_words(plan, server, decoder, mode))
    assert ran.code == 0, ran.err
    sent = b"".join(heard.raw for heard in server.heard)
    assert len(server.heard) >= 2
    assert b"[atom:" in sent
    assert b"zqxvcanary" not in sent
    assert str(tmp_path).encode() not in sent


def same_plan_from(path, canary):
    """Release with one seed: equal sketches give equal plans, whoever wrote the records."""
    universe = packs.load("support-tickets")
    asked = Measurement(
        data=generated_records(path, canary), text="text", user="user_id", unit=UserUnit(), map=Recipe(MapKind.PAPER)
    )
    records = asked.records(universe, None)
    spec = ReleaseSpec(loss=PrivacyLoss(2.0), denominator=150)
    return release_plan(records.measure()[0], universe, spec, SimulatedNoise(3))


@pytest.mark.parametrize("decoder", DECODERS)
def test_two_private_files_with_the_same_plan_send_the_same_bytes(tmp_path, dpspin, decoder):
    plans = []
    for canary in ("zqxvone", "zqxvtwo"):
        (tmp_path / canary).mkdir()
        plan = same_plan_from(tmp_path / canary / "records.csv", canary)
        (tmp_path / canary / "plan.json").write_text(plan.to_json())
        plans.append(tmp_path / canary / "plan.json")
    assert plans[0].read_bytes() == plans[1].read_bytes()
    assert (plans[0].parent / "records.csv").read_bytes() != (plans[1].parent / "records.csv").read_bytes()
    with FakeWriter([WRONG]) as server:
        for plan in plans:
            assert dpspin(*narrate_words(plan, server, decoder)).code == 0
    half = len(server.heard) // 2
    first, second = ([heard.raw for heard in part] for part in (server.heard[:half], server.heard[half:]))
    assert first == second
    assert half >= 2


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_key_that_the_server_repeats_reaches_no_file(tmp_path, dpspin, decoder, monkeypatch):
    monkeypatch.setenv("DPSPIN_LLM_KEY", KEY)
    (tmp_path / "simulated.json").write_text(same_plan_from(tmp_path / "records.csv", "zqxv").to_json())
    with FakeWriter([f"Authorization: Bearer {KEY}"]) as server:
        at = ("--decoder", decoder, "--llm-url", server.url, "--llm-model", "tiny")
        ran = dpspin("report", tmp_path / "simulated.json", *at, "--out", tmp_path / "report.html")
    assert ran.code == 0, ran.err
    record = (tmp_path / "narration.json").read_text()
    assert ("Bearer [key]" in record) == (decoder == "llm")  # an answer that names no claim is kept nowhere
    assert KEY not in record + (tmp_path / "report.html").read_text() + ran.out + ran.err
    assert all(heard.raw.count(KEY.encode()) == 1 for heard in server.heard)  # not in the feedback either


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_key_is_in_one_header_and_nowhere_else(tmp_path, dpspin, decoder, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("DPSPIN_LLM_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "zqxvother")
    plan = same_plan_from(tmp_path / "records.csv", "zqxv")
    (tmp_path / "simulated.json").write_text(plan.to_json())
    with FakeWriter([WRONG]) as server:
        at = ("--decoder", decoder, "--llm-url", server.url, "--llm-model", "tiny")
        said = [
            dpspin("report", tmp_path / "simulated.json", *at, "--out", tmp_path / "report.html"),
            dpspin("narrate", tmp_path / "simulated.json", *at, "--json"),
        ]
    assert [ran.code for ran in said] == [0, 0], said
    for heard in server.heard:
        assert heard.headers["authorization"] == f"Bearer {KEY}"
        assert heard.raw.count(KEY.encode()) == 1
        assert b"zqxvother" not in heard.raw
    kept = b"".join((tmp_path / name).read_bytes() for name in ("report.html", "narration.json"))
    told = "".join(ran.out + ran.err for ran in said) + caplog.text
    assert KEY.encode() not in kept
    assert KEY not in told
    assert "127.0.0.1" not in kept.decode() + said[1].out
