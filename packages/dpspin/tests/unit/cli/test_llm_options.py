"""A language model on the command line: as the map of a release, and as the teacher of auxiliary text."""

import csv
import json

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.atoms.dictionary_files import dumps
from fake_llm import FakeModel, failing, themes
from restaurant_dictionary import ATOMS, UNIVERSE, exclusive_texts

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

TICKETS = ("The host was rude to everybody.", "A cold soup again.", "We waited an hour.", "It rained.")
HINTS = {
    "waited": "long wait",
    "waiting": "long wait",
    "queue": "long wait",
    "rude": "rude staff",
    "insult": "rude staff",
    "cold": "cold food",
}
REHEARSED = [atom.examples[0] for atom in ATOMS[:2]]


def sort_by_hints(text):
    return themes(*dict.fromkeys(label for hint, label in HINTS.items() if hint in text.lower()) or ["none"])


@pytest.fixture
def model():
    with FakeModel(sort_by_hints) as running:
        yield running


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    """A folder as a curator has it: records, a dictionary and auxiliary text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.json").write_text(dumps(UNIVERSE))
    write_column(tmp_path / "records.csv", "text", TICKETS * 50)
    write_column(tmp_path / "aux.csv", "words", exclusive_texts().texts)
    return tmp_path


def write_column(path, name, texts):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([[name], *([text] for text in texts)])


def at(model):
    return ("--llm-url", model.url, "--llm-model", "m")


def release_words(*more):
    return (
        *("release", "records.csv", "--atoms", "tiny.json", "--text", "text", "--unit", "record", "--epsilon", "1"),
        *("--denominator", "200", "--out", "out", *more),
    )


def teach_words(model, *more):
    return ("atoms", "teach", "aux.csv", "--text", "words", "--atoms", "tiny.json", *at(model), *more)


def released(folder):
    return SemanticPlan.from_json((folder / "out/release/plan.json").read_bytes())


def test_a_language_model_maps_a_release(desk, dpspin, model):
    ran = dpspin(*release_words("--map", "llm", *at(model)))
    assert ran.code == 0, ran.err
    plan = released(desk)
    stated = plan.statement.contribution_map
    assert (stated.name, stated.answers_none, stated.atoms_per_record) == ("llm", True, 3)
    assert "language model m" in stated.fitted_on
    assert "own machine" in stated.trusts
    assert {entry.atom_id for entry in plan.entries} == {17, 42, 81}
    assert plan.uncovered is not None
    assert [heard.text for heard in model.heard] == [*REHEARSED, *TICKETS]


def test_the_estimate_is_told_to_the_curator_and_published_nowhere(desk, dpspin, model):
    ran = dpspin(*release_words("--map", "llm", *at(model)))
    (told,) = [line for line in ran.err.splitlines() if line.startswith("about 4 calls, ")]
    assert told not in ran.out
    assert not any(told.encode() in path.read_bytes() for path in (desk / "out").rglob("*") if path.is_file())


def test_answers_are_kept_for_the_owner_alone_and_a_second_run_asks_nothing(desk, dpspin, model):
    dpspin("ledger", "init", "--dataset", "tickets", "--epsilon", "2")
    words = release_words("--map", "llm", *at(model), "--dataset", "tickets")
    assert dpspin(*words).code == 0
    kept = desk / "out/curator/llm-answers.db"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert (desk / "out/curator").stat().st_mode & 0o777 == 0o700
    model.heard.clear()
    second = dpspin(*words, "--snapshot", "a week later")
    assert second.code == 0, second.err
    assert "about 0 calls" in second.err
    assert "released before" not in second.err
    assert model.heard == []


def test_numbers_that_were_released_can_be_read_again_when_the_model_is_gone(dpspin):
    with FakeModel(sort_by_hints) as model:
        words = release_words("--map", "llm", *at(model))
        assert dpspin(*words).code == 0
    again = dpspin(*words, "--title", "read again")
    assert again.code == 0, again.err
    assert "released before" in again.err


def test_per_record_limits_what_a_model_may_name(desk, dpspin, model):
    assert dpspin(*release_words("--map", "llm", *at(model), "--per-record", "1")).code == 0
    assert released(desk).statement.contribution_map.atoms_per_record == 1
    asked = model.heard[-1].body["response_format"]["json_schema"]["schema"]
    assert asked["properties"]["themes"]["maxItems"] == 1


def test_of_a_large_dictionary_the_model_sees_a_shortlist(desk, dpspin, model):
    labels = ["rude staff", "cold soup", *(f"theme {letter}{letter}" for letter in "abcdefghijkl")]
    (desk / "many.txt").write_text("\n".join(labels))
    model.speak = lambda text: themes("rude staff" if "rude" in text else "none")
    ran = dpspin(*release_words("--map", "llm", *at(model), "--atoms", "many.txt"))
    assert ran.code == 0, ran.err
    named = model.heard[-1].body["response_format"]["json_schema"]["schema"]["properties"]["themes"]["items"]["enum"]
    assert len(named) == 12 + 1
    assert released(desk).entries[0].label == "rude staff"


def test_a_model_that_fails_on_the_way_costs_nothing_and_the_run_goes_on_later(desk, dpspin, model):
    asked = []

    def speak(text):
        asked.append(text)
        return failing(500) if TICKETS[2] in asked else sort_by_hints(text)

    model.speak = speak
    stopped = dpspin(*release_words("--map", "llm", *at(model)))
    assert stopped.code == 2
    assert "Nothing was charged" in stopped.err
    assert not (desk / "out/release").exists()
    assert dpspin("ledger", "show", "--json").out.split() == ["{", '"accounts":', "[]", "}"]
    model.speak = sort_by_hints
    model.heard.clear()
    assert dpspin(*release_words("--map", "llm", *at(model))).code == 0
    assert [heard.text for heard in model.heard] == [*REHEARSED, *TICKETS[2:]]


def test_a_refused_budget_reads_no_record_asks_nothing_and_leaves_no_file(desk, dpspin, model):
    dpspin("ledger", "init", "--dataset", "tickets", "--epsilon", "0.5")
    ran = dpspin(*release_words("--map", "llm", *at(model), "--dataset", "tickets"))
    assert ran.code == 3
    assert "about" not in ran.err  # the estimate would count the records
    assert model.heard == []
    assert not (desk / "out").exists()


HERE, ELSEWHERE = "http://127.0.0.1:9/v1", "http://llm.example.org/v1"
MISTAKES = {
    "no address": (("--map", "llm", "--llm-model", "m"), "--llm-url"),
    "no model": (("--map", "llm", "--llm-url", HERE), "--llm-model"),
    "an address for another map": (("--map", "paper", "--llm-url", HERE), "--llm-url does not go with"),
    "a model for another map": (("--llm-model", "m"), "--llm-model does not go with"),
    "trust for another map": (("--llm-endpoint-is-trusted",), "--llm-endpoint-is-trusted does not go with"),
    "another machine": (("--map", "llm", "--llm-url", ELSEWHERE, "--llm-model", "m"), "--llm-endpoint-is-trusted"),
    "no address at all": (("--map", "llm", "--llm-url", "nowhere", "--llm-model", "m"), "must look like"),
    "a model without a name": (("--map", "llm", "--llm-url", HERE, "--llm-model", " "), "needs a name"),
    "no atoms per record": (("--map", "llm", "--llm-url", HERE, "--llm-model", "m", "-K", "0"), "--per-record"),
    "an embedding beside it": (
        ("--map", "llm", "--llm-url", HERE, "--llm-model", "m", "--embedder", "static"),
        "--embedder",
    ),
    "auxiliary text beside it": (
        ("--map", "llm", "--llm-url", HERE, "--llm-model", "m", "--aux", "aux.csv", "--aux-text", "words"),
        "--aux",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_explained_in_one_line_and_cost_nothing(desk, dpspin, mistake):
    words, message = MISTAKES[mistake]
    ran = dpspin(*release_words(*words))
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("dpspin: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (desk / "out/release").exists()
    assert dpspin("ledger", "show", "--json").out.split() == ["{", '"accounts":', "[]", "}"]


def test_a_model_teaches_auxiliary_text_and_a_local_map_learns_from_it(desk, dpspin, model):
    taught = dpspin(*teach_words(model, "--out", "taught.jsonl"))
    assert taught.code == 0, taught.err
    assert "96 of 96 texts are labelled" in taught.err
    rows = [json.loads(line) for line in (desk / "taught.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == list(exclusive_texts().texts)
    assert {tuple(row["atoms"]) for row in rows} == {(), (17,), (42,), (81,)}
    model.heard.clear()
    ran = dpspin(*release_words("--aux", "taught.jsonl", "--aux-text", "text", "--aux-label", "atoms"))
    assert ran.code == 0, ran.err
    stated = released(desk).statement.contribution_map
    labelled = "labelled by the language model m on the curator's own machine"
    assert (stated.name, stated.card.real_text) == ("hybrid", True)
    assert stated.card.measured_on == f"about 100 auxiliary texts, {labelled}"
    assert stated.fitted_on.startswith(f"{stated.card.measured_on}; the dictionary's 44 ")
    assert stated.trusts == f"auxiliary texts were {labelled}; no protected record was read there"
    page = (desk / "out/release/report.html").read_text()
    assert "by the language model m on" in page
    assert model.heard == []


def test_a_teacher_labels_as_many_texts_as_it_is_told_to(desk, dpspin, model):
    assert dpspin(*teach_words(model, "--out", "taught.jsonl", "--texts", "3")).code == 0
    assert len((desk / "taught.jsonl").read_text().splitlines()) == 3
    assert len(model.heard) == len(REHEARSED) + 3


def test_a_text_that_the_model_cannot_label_is_left_out(desk, dpspin, model):
    hard = exclusive_texts().texts[1]
    model.speak = lambda text: themes("weather") if text == hard else sort_by_hints(text)
    taught = dpspin(*teach_words(model, "--out", "taught.jsonl", "--texts", "4"))
    assert "3 of 4 texts are labelled" in taught.err
    assert hard not in (desk / "taught.jsonl").read_text()


def test_a_teacher_never_writes_over_a_file(desk, dpspin, model):
    (desk / "taught.jsonl").write_text("mine\n")
    ran = dpspin(*teach_words(model, "--out", "taught.jsonl"))
    assert ran.code == 2
    assert "exists" in ran.err
    assert (desk / "taught.jsonl").read_text() == "mine\n"
    assert model.heard == []


@pytest.mark.parametrize(
    ("address", "message"),
    [((), "--llm-url"), (("--llm-url", ELSEWHERE, "--llm-model", "m"), "--llm-endpoint-is-trusted")],
)
def test_a_teacher_needs_an_address_that_is_allowed(desk, dpspin, address, message):
    ran = dpspin("atoms", "teach", "aux.csv", "--text", "words", "--atoms", "tiny.json", *address, "--out", "t.jsonl")
    assert ran.code == 2
    assert message in ran.err
    assert not (desk / "t.jsonl").exists()
