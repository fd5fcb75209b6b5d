"""Two summaries are compared blindly, in both orders, by a judge on this machine."""

import json

import pytest

from dpspin.errors import InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.baselines.exact_plan import reference_plan
from dpspin_lab.judge.pairwise import Choice, Pair, pair_of, preferences, read_pairs
from factories import PAPER_UNIVERSE
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PLAN = reference_plan([300.0, 200.0, 100.0, 1.0], PAPER_UNIVERSE, denominator=2000, size=2)
PAIRS = [pair_of(PLAN, name=f"run {n}", dp="words of one", np="words of another") for n in range(8)]
LETTERS = {letter: json.dumps({"choice": letter, "rationale": "so"}) for letter in ("A", "B", "tie")}


def chat_at(url):
    return Chat(Endpoint(url, "tiny", retries=0))


def test_a_judge_that_always_prefers_the_first_place_prefers_nobody():
    with FakeWriter([LETTERS["A"]]) as server:
        found = list(preferences(PAIRS[:3], chat_at(server.url)))
    assert {(each.dp_first, each.np_first, each.preferred) for each in found} == {(Choice.DP, Choice.NP, 0.5)}


def test_each_pair_is_shown_in_both_orders_and_the_judge_is_not_told_which_is_which():
    with FakeWriter([LETTERS["A"], LETTERS["B"]] * len(PAIRS)) as server:
        found = list(preferences(PAIRS, chat_at(server.url)))
    assert [each.preferred for each in found] == [1.0] * len(PAIRS)
    assert not any(word in asked for asked in server.prompts for word in ("DP", "NP", "private", "reference", "run "))
    assert all("label=long wait" in asked for asked in server.prompts)
    ahead = [asked.index("words of one") < asked.index("words of another") for asked in server.prompts]
    assert ahead == [True, False] * len(PAIRS)


def test_an_unreadable_answer_is_no_choice_and_half_a_pair_is_none():
    with FakeWriter(["A", "A", LETTERS["B"], LETTERS["tie"], LETTERS["A"]]) as server:
        first, second = preferences(PAIRS[:2], chat_at(server.url))
    assert (first.dp_first, first.np_first, first.preferred) == (None, Choice.DP, None)
    assert (second.dp_first, second.np_first, second.preferred) == (Choice.TIE, Choice.NP, 0.25)
    assert (len(first.rationales), len(second.rationales)) == (1, 2)


def test_the_exact_plan_does_not_leave_this_machine():
    with pytest.raises(RequestError, match="do not leave this machine"):
        list(preferences(PAIRS, chat_at("https://models.example.org/v1")))


def test_pairs_are_read_line_by_line(tmp_path):
    (tmp_path / "pairs.jsonl").write_text("\n".join(pair.model_dump_json() for pair in PAIRS))
    assert read_pairs(tmp_path / "pairs.jsonl") == tuple(PAIRS)
    (tmp_path / "pairs.jsonl").write_text('{"name": "x"}')
    with pytest.raises(InputError, match="a pair in"):
        read_pairs(tmp_path / "pairs.jsonl")
    with pytest.raises(InputError, match="cannot read"):
        read_pairs(tmp_path / "missing.jsonl")


def test_the_command_prints_lines_and_the_mean(tmp_path, dpspin):
    (tmp_path / "pairs.jsonl").write_text("\n".join(pair.model_dump_json() for pair in PAIRS))
    with FakeWriter([LETTERS["tie"]]) as server:
        ran = dpspin("lab", "prefer", tmp_path / "pairs.jsonl", "--llm-url", server.url, "--llm-model", "tiny")
    assert ran.code == 0, ran.err
    assert [json.loads(line)["private"] for line in ran.out.splitlines()] == [False] * len(PAIRS)
    assert "DPPreferred 0.500 over 8 pairs; 0 unreadable" in ran.err


def test_a_pair_has_no_other_fields():
    assert set(Pair.model_fields) == {"name", "reference_plan", "dp", "np"}
