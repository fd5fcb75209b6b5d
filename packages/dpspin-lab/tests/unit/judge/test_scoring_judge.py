"""The judge sees one released object and one text; its answer is strict JSON, or none."""

import json

import pytest

from dpspin.errors import InputError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.report.folder import write_release
from dpspin_lab.judge.answers import NAMES, Scores, read_answer
from dpspin_lab.judge.case import Basis, Case, case_of_plan, read_cases, scoring_prompt
from dpspin_lab.judge.judging import judged, summaries
from factories import PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
TEXT = "Long wait has high support."
CASE = case_of_plan(PAPER_PLAN, TEXT, dataset="meals")
EXACT = CASE.model_copy(update={"basis": Basis.EXACT, "method": "reference", "epsilon": None})


def answer(**changed):
    return json.dumps({**dict.fromkeys(NAMES, 4), "rationale": "fine", **changed})


def chat_at(url, temperature=0.0):
    return Chat(Endpoint(url, "tiny", retries=0), temperature=temperature)


def test_the_question_holds_the_released_object_the_text_and_nothing_else_of_the_plan():
    asked = scoring_prompt(CASE)
    assert "label=long wait" in asked
    assert f"<<<\n{TEXT}\n>>>" in asked
    assert "parking problems" not in asked  # measured, but not admitted
    assert "1.3" not in asked
    assert all(f"- {name}:" in asked for name in NAMES)


PAPERS_RULES = (
    *("against the released object below and nothing else", "You do not know the protected collection"),
    *("neither an advantage nor a fault", "You do not audit privacy", "a whole number from 1 (poor) to 5"),
    *("are the main entries of the released object", "as concrete about themes as the object allows"),
    *("not just list names or numbers", "themes, examples, causes, names, comparisons and details of single records"),
    *("not a guarantee of differential privacy", "easy to read, short and well ordered"),
    *("truly repeats a short list of keywords can score high in faithfulness", "being a\n   histogram is no fault"),
    *("labels, descriptions and support bins of\n   the admitted", "Any method loses points for unsupported causes"),
    *("one JSON object", "these six keys with whole numbers, and `rationale`"),
)


@pytest.mark.parametrize("rule", PAPERS_RULES)
def test_a_judge_is_told_every_rule_of_the_paper(rule):
    assert rule in scoring_prompt(CASE)


def test_an_answer_becomes_scores_at_temperature_zero():
    with FakeWriter([answer(clarity=5)]) as server:
        (found,) = judged([CASE], chat_at(server.url))
    assert (found.scores.clarity, found.scores.coverage, found.private, found.endpoint) == (5, 4, True, "loopback")
    assert server.heard[0].body["temperature"] == 0
    assert server.heard[0].body["response_format"]["json_schema"]["strict"]


@pytest.mark.parametrize(
    "words",
    [
        answer(clarity=6),
        answer(clarity=0),
        answer(clarity=4.5),
        answer(clarity="4"),
        answer(clarity=True),
        answer(style=3),
        answer() + " I hope this helps.",
        f"```json\n{answer()}\n```",
        "{}",
        "",
    ],
)
def test_anything_but_the_six_whole_numbers_and_a_rationale_is_no_answer(words):
    assert read_answer(Scores, words) is None


def test_the_judge_is_asked_once_more_and_then_counts_as_unreadable():
    with FakeWriter(["well", answer(), "well", "well"]) as server:
        found = list(judged([CASE, CASE], chat_at(server.url)))
    assert [each.scores is None for each in found] == [False, True]
    assert len(server.heard) == 4
    (summary,) = summaries(found)
    assert (summary["texts"], summary["invalid"]) == (1, 1)


def test_means_are_by_dataset_and_method_with_sample_deviations():
    with FakeWriter([answer(clarity=2), answer(clarity=4), answer()]) as server:
        found = summaries(judged([CASE, CASE, EXACT], chat_at(server.url)))
    assert [(each["method"], each["texts"]) for each in found] == [("DP-SPIN", 2), ("reference", 1)]
    assert (found[0]["clarity"], found[0]["clarity_sd"]) == (3, pytest.approx(2**0.5))
    assert found[1]["clarity_sd"] is None


def test_exact_data_are_refused_elsewhere_before_anything_is_asked():
    with pytest.raises(RequestError, match="do not leave this machine"):
        list(judged([CASE, EXACT], chat_at("https://models.example.org/v1")))


def test_what_is_judged_on_exact_data_is_not_called_private():
    with FakeWriter([answer()]) as server:
        (found,) = judged([EXACT], chat_at(server.url))
    assert not found.private
    assert "not private" in server.prompts[0]


def test_a_warm_judge_is_refused():
    with FakeWriter([answer()]) as server, pytest.raises(RequestError, match="temperature 0"):
        list(judged([CASE], chat_at(server.url, temperature=0.7)))


def test_a_release_folder_is_a_case(tmp_path):
    write_release(tmp_path, PAPER_PLAN, PAPER_UNIVERSE)
    (found,) = read_cases(tmp_path)
    assert (found.basis, found.mechanism, found.protected_units) == (Basis.RELEASED, "laplace", 2000)
    assert found.summary == (tmp_path / "summary.txt").read_text()


def test_cases_are_read_line_by_line_and_must_say_what_is_behind_them(tmp_path):
    (tmp_path / "cases.jsonl").write_text(f"{CASE.model_dump_json()}\n\n{EXACT.model_dump_json()}\n")
    assert read_cases(tmp_path / "cases.jsonl") == (CASE, EXACT)
    (tmp_path / "cases.jsonl").write_text(Case.model_construct(dataset="x").model_dump_json(exclude={"basis"}))
    with pytest.raises(InputError, match="is not valid"):
        read_cases(tmp_path / "cases.jsonl")


@pytest.mark.parametrize("name", ["missing.jsonl", ""])
def test_a_place_without_cases_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match=r"cannot read|holds no plan"):
        read_cases(tmp_path / name)


def test_the_command_prints_lines_and_means(tmp_path, dpspin):
    write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    with FakeWriter([answer()]) as server:
        ran = dpspin("lab", "judge", tmp_path / "release", "--llm-url", server.url, "--llm-model", "tiny")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["scores"]["faithfulness"] == 4
    assert "1 judged, 0 unreadable  coverage 4.00" in ran.err


def test_the_command_refuses_to_send_exact_data(tmp_path, dpspin):
    (tmp_path / "cases.jsonl").write_text(EXACT.model_dump_json())
    elsewhere = ("--llm-url", "https://models.example.org/v1", "--llm-model", "big")
    ran = dpspin("lab", "judge", tmp_path / "cases.jsonl", *elsewhere)
    assert (ran.code, ran.out) == (2, "")
    assert "do not leave this machine" in ran.err


def test_a_run_folder_is_a_simulated_case(tmp_path):
    statement = PAPER_PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    (tmp_path / "private_plan.json").write_text(PAPER_PLAN.model_copy(update={"statement": statement}).to_json())
    (tmp_path / "summary.txt").write_text(TEXT)
    (found,) = read_cases(tmp_path)
    assert (found.basis, found.summary) == (Basis.SIMULATED, TEXT)
