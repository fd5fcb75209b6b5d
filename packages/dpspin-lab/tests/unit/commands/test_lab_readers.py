"""Who may read what protects nobody: this machine, a host of the curator's, or anybody where all records are public."""

import inspect

import pytest

from dpspin.errors import InputError
from dpspin.llm.question import Failure
from dpspin_lab.baselines.exact_plan import reference_plan
from dpspin_lab.commands.lab import _SHELVES
from dpspin_lab.judge.case import Basis, case_of_plan
from dpspin_lab.judge.pairwise import pair_of
from factories import PAPER_PLAN, PAPER_UNIVERSE

ELSEWHERE = ("--llm-url", "https://models.example.org/v1", "--llm-model", "big")
RECORDS = ("records.csv", "--text", "text")
COMMANDS = {
    "references": (*RECORDS, "--out", "out"),
    "reference": (*RECORDS, "--atoms", "support-tickets", "--denominator", "30", "--out", "out"),
    "clio": (*RECORDS, "--out", "out"),
    "clio-leaks": ("--trials", "1"),
    "redteam": ("--trials", "1", "--records", "60", "--only", "clio-like, model"),
    "judge": ("cases.jsonl",),
    "prefer": ("pairs.jsonl",),
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dpspin.llm.client.Client.ask", lambda *_: Failure(None, "nobody answers there"))
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\n" * 60)
    case = case_of_plan(PAPER_PLAN, "Long wait.", dataset="meals").model_copy(update={"basis": Basis.EXACT})
    (tmp_path / "cases.jsonl").write_text(case.model_dump_json())
    exact = reference_plan([300.0, 200.0, 100.0, 1.0], PAPER_UNIVERSE, denominator=2000, size=2)
    (tmp_path / "pairs.jsonl").write_text(pair_of(exact, name="run", dp="Long wait.", np="Wait.").model_dump_json())


@pytest.mark.parametrize("declared", ["--llm-endpoint-is-trusted", "--records-are-public"])
@pytest.mark.parametrize("command", COMMANDS)
def test_another_host_reads_only_where_one_of_two_things_is_declared(place, dpspin, command, declared):
    asked = ("lab", command, *COMMANDS[command], *ELSEWHERE)
    refused, let = dpspin(*asked), dpspin(*asked, declared)
    assert "do not leave this machine" in refused.err
    assert "nobody answers there" in let.err
    assert refused.code == let.code == InputError.exit_code


def test_whoever_can_declare_records_public_can_declare_a_host_the_curators():
    options = {
        name: set(inspect.signature(each).parameters) for shelf in _SHELVES.values() for name, each in shelf.items()
    }
    public = {name for name, given in options.items() if "records_are_public" in given}
    assert {*COMMANDS, "baselines", "urania-full", "run", "paper"} == public
    assert public == {name for name, given in options.items() if "llm_endpoint_is_trusted" in given}
