"""A judge in the evaluation: tested on known answers, asked in both orders, each question once."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import EndpointError, RequestError, SourceError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.llm.question import Price
from dpspin_lab.evaluation import Evaluation, Opened
from dpspin_lab.judge.answers import NAMES
from dpspin_lab.judge.case import Basis
from dpspin_lab.judge.judging import Judging, expected, judge_texts, questions
from dpspin_lab.judge.texts import EXACT, OURS
from dpspin_lab.judge.validity import Spoiling, pooled, validities
from dpspin_lab.model_evaluation import judge_parts
from dpspin_lab.paper import make_runs
from dpspin_lab.runs.config import Source
from dpspin_lab.runs.grids import MAIN_K, QUICK, Setting
from dpspin_lab.runs.parallel_runs import pool_of
from dpspin_lab.runs.summary import read_summary, write_table
from dpspin_lab.runs.words import OPENING
from fake_llm import failing
from judged_texts import Judge, choice, honest, judge_of_places, kept_judge, scores, ticket_texts

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
RIVALS = {"keyword_histogram", "category_histogram", "urania", "urania_joint", "urania_public"}
PLANS = {"plan, laplace", "plan, gaussian", "plan, private_topL"}
BINS = ("high", "moderate", "low")


def judged_by(judge, folder, name="tiny", *, references=False):
    """Have all texts judged, and return the three tables."""
    with judge as server:
        ask = kept_judge(server.url, folder / "answers", name)
        judge_texts(ticket_texts(), ask, folder / "summaries", references=references)
    return [
        read_summary(folder / "summaries" / f"{table}.json") for table in ("judged", "judged_pairs", "judged_known")
    ]


def validity(known, name="tiny"):
    return validities(known)[name]


def test_a_judge_that_knows_the_true_texts_is_believed(tmp_path):
    scored, pairs, known = judged_by(honest(), tmp_path)
    assert {row["spoiled"] for row in known} == set(Spoiling)
    assert {(row["cases"], row["by_score"], row["by_pair"]) for row in known} == {(2, 2, 2)}
    assert (known[0]["true_score"], known[0]["worse_score"]) == (5, 1)
    assert validity(known).scores_count
    assert validity(known).choices_count
    assert {row["method"] for row in scored} == PLANS | RIVALS
    assert {(row["texts"], row["invalid"], row["coverage"], row["coverage_sd"]) for row in scored} == {(2, 0, 5, 0)}
    assert {row["method"] for row in pairs} == RIVALS
    assert {(row["ours"], row["pairs"], row["preferred"], row["same"]) for row in pairs} == {(OURS, 2, 1.0, 2)}
    assert all(row["first"] * 2 == row["decided"] for row in pairs)


def test_a_judge_of_places_is_seen_and_prefers_nobody(tmp_path):
    _, pairs, known = judged_by(judge_of_places(), tmp_path)
    assert {row["preferred"] for row in pairs} == {0.5}
    assert {row["same"] for row in pairs} == {0}
    assert all(row["first"] == row["decided"] > 0 for row in (*pairs, *known))
    assert pooled(validity(known).by_pair).right == 0
    assert not validity(known).choices_count


def test_a_judge_who_is_blind_to_one_kind_is_not_believed(tmp_path):
    shuffled = {each.worse for each in ticket_texts().known if each.how is Spoiling.SHUFFLED}
    true = {each.true.summary for each in ticket_texts().known}
    blind = Judge(lambda text: scores(5 if text in true | shuffled else 1), lambda *_: choice("tie"))
    *_, known = judged_by(blind, tmp_path)
    assert pooled(validity(known).by_score).part == 0.8
    assert not validity(known).scores_count


@pytest.mark.parametrize(
    "words",
    [
        "I am sorry, I cannot rate this.",
        json.dumps({name: 4 for name in NAMES if name != "clarity"} | {"rationale": "one is missing"}),
        "Here you are: " + scores(4),
    ],
)
def test_answers_that_cannot_be_read_count_and_tell_nothing_apart(tmp_path, words):
    scored, pairs, known = judged_by(Judge(lambda _: words, lambda *_: words), tmp_path)
    assert {(row["texts"], row["invalid"], row["coverage"]) for row in scored} == {(0, 2, None)}
    assert {(row["pairs"], row["invalid"], row["preferred"]) for row in pairs} == {(0, 4, None)}
    assert {(row["invalid"], row["by_score"], row["by_pair"], row["true_score"]) for row in known} == {(6, 0, 0, None)}


def test_a_question_that_the_server_refuses_is_no_answer_and_is_asked_again(tmp_path):
    spoiled = {each.worse for each in ticket_texts().known}
    picky = Judge(lambda text: failing(400) if text in spoiled else scores(4), lambda *_: choice("tie"))
    scored, _, known = judged_by(picky, tmp_path)
    assert {row["invalid"] for row in scored} == {0}
    assert {row["invalid"] for row in known} == {2}
    *_, known = judged_by(honest(), tmp_path)
    assert {row["invalid"] for row in known} == {0}
    assert {row["worse_score"] for row in known} == {1}


def estimated_by(judge, folder):
    with judge as server:
        return expected(questions(ticket_texts(), references=False), kept_judge(server.url, folder))


def test_a_form_that_the_server_refuses_takes_nothing_from_what_an_answer_takes(tmp_path):
    no_schema = judge_of_places()
    heed = no_schema.answer

    def answer(heard):
        asked = heard.body.get("response_format", {}).get("type")
        return failing(400) if asked == "json_schema" else heed(heard)

    no_schema.answer = answer
    least = estimated_by(no_schema, tmp_path).least.usage
    assert (least.prompt_tokens, least.answer_tokens) == (100 * least.calls, 10 * least.calls)


def test_a_judge_that_refuses_the_first_question_of_every_form_is_not_asked_the_rest(tmp_path):
    refusing = Judge(lambda _: failing(400), lambda *_: failing(400))
    with pytest.raises(EndpointError, match=r"judge tiny at 127\.0\.0\.1:\d+ refuses the first question"):
        estimated_by(refusing, tmp_path)
    assert len(refusing.heard) == 3 + 1  # in every form, and then in words alone
    assert estimated_by(Judge(lambda _: scores(4), lambda *_: failing(400)), tmp_path).least.usage.calls > 2
    estimated_by(Judge(lambda _: failing(400), lambda *_: failing(400)), tmp_path)  # one answer is there


def test_a_stopped_evaluation_asks_only_what_was_not_answered(tmp_path):
    tired = honest()
    answered = 20
    rested = tired.score
    tired.score = lambda text: rested(text) if len(tired.heard) <= answered else failing(500)
    tired.choose = lambda *_: choice("tie") if len(tired.heard) <= answered else failing(500)
    with pytest.raises(EndpointError, match="fails with status 500"):
        judged_by(tired, tmp_path)
    assert len(list((tmp_path / "answers").glob("*.json"))) == answered
    second, third = judge_of_places(), judge_of_places()
    judged_by(second, tmp_path)
    asked = len({path.name for path in (tmp_path / "answers").glob("*.json")})
    assert len(second.heard) == asked - answered
    judged_by(third, tmp_path)
    assert third.heard == []


def test_a_damaged_answer_is_asked_for_again(tmp_path):
    judged_by(honest(), tmp_path)
    damaged, cut, *_ = sorted((tmp_path / "answers").glob("*.json"))
    damaged.write_bytes(b"")
    cut.write_bytes(cut.read_bytes()[:20])
    judge = honest()
    judged_by(judge, tmp_path)
    assert len(judge.heard) == 2


def test_a_judge_elsewhere_is_taken_where_all_records_are_said_to_be_public():
    elsewhere = Chat(Endpoint("https://models.example.org/v1", "big"))
    assert Judging(elsewhere, records_are_public=True).chat is elsewhere


def test_answers_of_one_model_are_not_anothers(tmp_path):
    judged_by(honest(), tmp_path, "wise")
    scored, pairs, known = judged_by(judge_of_places(), tmp_path, "hasty")
    assert {row["judge"] for row in scored} == {row["judge"] for row in pairs} == {"wise", "hasty"}
    assert validity(known, "wise").scores_count
    assert not validity(known, "hasty").scores_count
    scored, *_ = judged_by(judge_of_places(), tmp_path, "hasty")
    assert [row["judge"] for row in scored].count("hasty") == len(PLANS | RIVALS)


def test_what_is_asked_is_counted_beforehand(tmp_path):
    told = []
    with judge_of_places() as server:
        ask = replace(kept_judge(server.url, tmp_path / "answers"), tell=told.append)
        judge_texts(ticket_texts(), ask, tmp_path / "summaries", references=True)
    assert sum(told) == len(questions(ticket_texts(), references=True))


def test_exact_masses_are_shown_only_where_that_was_asked_for(tmp_path):
    texts, quiet, open_ = ticket_texts(), judge_of_places(), judge_of_places()
    judged_by(quiet, tmp_path / "quiet")
    scored, pairs, _ = judged_by(open_, tmp_path / "open", references=True)
    exact = texts.exact_case.released_object
    assert not any(exact in heard.body["messages"][0]["content"] for heard in quiet.heard)
    assert any(exact in heard.body["messages"][0]["content"] for heard in open_.heard)
    assert {row["ours"] for row in pairs if row["method"] == EXACT} == PLANS
    assert [row["epsilon"] for row in scored if row["method"] == EXACT] == [None]


def test_private_and_exact_plan_are_compared_by_texts_of_one_template():
    """A judge who is shown two templates compares these."""
    texts = ticket_texts()
    told = [(pair.dp, pair.np) for pair in texts.exact_pairs]
    assert len(told) == 2 * len(PLANS)
    assert {text.partition(".")[0] + "." for both in told for text in both} == {OPENING}
    listed = [sentence.partition(":")[0] for both in told for text in both for sentence in text.split(". ")[1:]]
    assert {words.removesuffix(" support") for words in listed} <= {f"Themes with {name}" for name in BINS}


def test_a_judge_elsewhere_sees_the_exact_plan_of_public_records_alone(tmp_path):
    assert {case.basis for case in ticket_texts().cases} == {Basis.SIMULATED}
    ask = kept_judge("https://models.example.org/v1", tmp_path)
    with pytest.raises(RequestError, match="do not leave this machine"):
        judge_texts(ticket_texts(), ask, tmp_path, references=True)
    away = replace(ask, chat=Chat(Endpoint("https://models.example.org/v1", "tiny", retries=0)))
    with pytest.raises(EndpointError):  # allowed, and no such server answers
        judge_texts(ticket_texts(), away, tmp_path, references=True, records_are_public=True)


def test_no_method_is_named_in_a_comparison(tmp_path):
    judge = judge_of_places()
    judged_by(judge, tmp_path)
    asked = [heard.body["messages"][0]["content"] for heard in judge.heard]
    compared = [question for question in asked if "Object of A" in question]
    assert len(compared) > 2 * len(RIVALS)
    assert not any(name in question for question in compared for name in (*RIVALS, "Method:", "DP-SPIN"))


@contextmanager
def uncounted(what, total):
    yield lambda _: None


def opened(unit):
    setting = Setting("cfpb", unit, None, sizes=(21,), main_m=21, n=100, ns=(100,))
    return Opened(setting, {Source(21, MAIN_K): Path("kept.npz")})


def test_an_evaluation_judges_texts_at_record_level_that_are_there_from_the_same_records(tmp_path):
    texts = ticket_texts().model_copy(update={"made_from": digest_of(["kept", 2, SOFTWARE])})
    place = tmp_path / "cfpb" / "texts" / "NOT-PRIVATE-judged.json"
    place.parent.mkdir(parents=True)
    place.write_text(texts.model_dump_json())
    gone = {"judge": "tiny", "method": "plan, gaussian", "decoder_model": "a model whose runs are gone"}
    write_table(tmp_path / "cfpb" / "summaries", "judged_texts", [gone])
    told = []
    evaluation = Evaluation(tmp_path / "no data", tmp_path, QUICK, 1, uncounted, tell=told.append)
    with honest() as server, ThreadPoolExecutor(1) as pool:
        judging = Judging(Chat(Endpoint(server.url, "tiny", retries=0)), texts=2, price=Price(1e6, 1e6))
        judge_parts(evaluation, judging, [opened("record"), opened("user")], pool)
        new = len(server.heard)
        judge_parts(evaluation, judging, [opened("record")], pool)
        assert len(server.heard) == new
        with pytest.raises(SourceError):
            judge_parts(evaluation, replace(judging, texts=3), [opened("record")], pool)
    assert len(read_summary(tmp_path / "cfpb" / "summaries" / "judged.json")) == len(PLANS | RIVALS)
    assert read_summary(tmp_path / "cfpb" / "summaries" / "judged_texts.json") == []
    assert (tmp_path / "judge" / "NOT-PRIVATE.txt").is_file()
    counted, minutes, cost, again, _, free = told[:6]
    assert counted.startswith(f"tiny: {new} new questions to the judge, {new} to {2 * new} questions: ")
    assert "minutes" in minutes
    assert cost.startswith(f"tiny: {110 * new}.00 to ")  # of each a hundred tokens in, and ten out
    assert again.startswith("tiny: 0 new questions to the judge, 0 to 0 questions")
    assert free == "tiny: 0.00 to 0.00 at these prices"


def test_a_clean_start_takes_what_was_said_of_the_texts_of_removed_runs(tmp_path):
    summaries = tmp_path / "cfpb" / "summaries"
    rows = [{"judge": "tiny", "protected_unit": unit} for unit in ("record", "user")]
    for table in ("judged_texts", "judged_text_pairs"):
        write_table(summaries, table, rows)
    evaluation = Evaluation(tmp_path, tmp_path, QUICK, 1, uncounted)
    for each, left in ((evaluation, rows), (replace(evaluation, clean=True), rows[1:])):
        with pool_of(1) as pool:
            make_runs(each, opened("record"), pool, lambda *_: [])
        assert read_summary(summaries / "judged_texts.json") == left
        assert read_summary(summaries / "judged_text_pairs.json") == left


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--judge-url", "http://127.0.0.1:1/v1"), "give both --judge-url and --judge-model"),
        (("--judge-references",), "go with --judge-url"),
        (
            ("--judge-url", "https://models.example.org/v1", "--judge-model", "big", "--judge-references"),
            "do not leave this machine",
        ),
        (
            ("--judge-url", "https://models.example.org/v1", "--judge-model", "big"),
            "say that all records are public (--records-are-public)",
        ),
        (
            ("--judge-url", "https://models.example.org/v1", "--judge-model", "big"),
            "its host is part of the curator (--llm-endpoint-is-trusted)",
        ),
        (("--llm-endpoint-is-trusted",), "goes with --judge-url or --decoder-url"),
    ],
)
def test_the_command_refuses_what_does_not_fit_before_it_starts(tmp_path, dpspin, options, why):
    ran = dpspin("lab", "paper", "--data", tmp_path, "--out", tmp_path / "out", *options)
    assert ran.code == 2
    assert why in ran.err
    assert not (tmp_path / "out").exists()
