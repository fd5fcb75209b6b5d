"""A judge of texts that a language model wrote: scores, and both orders against the text of the exact plan."""

import shutil

import pytest

from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin_lab.judge.model_texts import (
    forget_judged,
    judge_written,
    rival_texts,
    rivals_expected,
    text_questions,
    written_texts,
)
from dpspin_lab.judge.texts import written_rivals
from dpspin_lab.runs.kept_answers import keeping
from dpspin_lab.runs.model_runs import Decoding, chat_for
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import UNFINISHED, run, write_run
from dpspin_lab.runs.summary import read_runs, read_summary
from fake_llm import FakeWriter
from judged_texts import Judge, choice, kept_judge, scores, ticket_comparison, ticket_texts
from tiny_runs import record_run, tiny_prepared

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PRIVATE, EXACT = "What the private plan lists.", "What the exact plan lists."


def written(tmp_path, seeds, **fields):
    """Make runs in which a model writes a text of its own about each plan, and one without a model."""
    usual = {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text", "decoder_model": "tiny"}
    for seed in range(seeds):
        config = record_run(**{**usual, **fields}, seed=seed)
        with FakeWriter(["All is well.", PRIVATE, EXACT]) as server:
            endpoint = Endpoint(server.url, "tiny")
            keeper = keeping(Chat(endpoint), tmp_path / str(seed))
            outcome = run(config, start_of(config, tiny_prepared()), chat_for(config, endpoint, keeper))
        write_run(tmp_path / "runs" / f"run{seed}{'-'.join(fields)}", outcome)
    write_run(tmp_path / "runs" / "template", run(record_run(), start_of(record_run(), tiny_prepared())))
    return tmp_path / "runs"


def test_a_judge_scores_models_texts_and_compares_them_in_both_orders(tmp_path):
    texts = written_texts(written(tmp_path, 3), most=2)
    assert len(texts) == 2
    told = []
    judge = Judge(lambda _: scores(4), lambda first, _: choice("A" if first == PRIVATE else "B"))
    with judge as server:
        ask = kept_judge(server.url, tmp_path / "judge", "judge")
        judge_written(texts, ask, tmp_path / "summaries")
        told = [heard.body["messages"][0]["content"] for heard in server.heard]
    [scored] = read_summary(tmp_path / "summaries" / "judged_texts.json")
    [pairs] = read_summary(tmp_path / "summaries" / "judged_text_pairs.json")
    setting = {"judge": "judge", "protected_unit": "record", "decoder_model": "tiny", "epsilon": 1.0}
    setting |= {"decoder_backend": "llm", "decoder_contract_mode": "legacy_text", "decoder_attempts": 3, "units": 80}
    assert setting.items() <= scored.items()
    assert setting.items() <= pairs.items()
    assert (scored["texts"], scored["faithfulness"], scored["method"]) == (2, 4, "plan, laplace")
    assert (pairs["pairs"], pairs["preferred"], pairs["same"], pairs["decided"], pairs["first"]) == (2, 1.0, 2, 4, 2)
    assert len(told) == len(text_questions(texts)) == 6
    assert all("tiny" not in question for question in told if "\nSummary B" in question)  # asked blindly


@pytest.mark.parametrize("other", [{"decoder_attempts": 1}, {"decoder_max_tokens": 99}, {"L": 2}])
def test_what_is_one_row_of_runs_is_one_row_of_judged_texts(tmp_path, other):
    written(tmp_path, 2)
    texts = written_texts(written(tmp_path, 1, **other), most=2)
    settings = [dict(text.setting) for text in texts]
    assert len(texts) == 3  # two seeds of one setting, and one of another
    assert sorted(sum(one == each for each in settings) for one in settings) == [1, 2, 2]


def test_a_run_that_is_being_written_is_not_judged(tmp_path):
    runs = written(tmp_path, 1)
    shutil.copytree(runs / "run0", runs / f"{UNFINISHED}run1")
    assert len(written_texts(runs, most=2)) == len(read_runs(runs)) - 1 == 1  # the template's run has no such text


def test_where_no_model_wrote_nothing_is_judged(tmp_path):
    assert written_texts(written(tmp_path, 0), most=3) == []


def test_the_rivals_texts_by_the_same_model_are_scored_beside_them(tmp_path):
    with FakeWriter(["A few words of the release."]) as server:
        chat = Chat(Endpoint(server.url, "tiny"))
        cases = written_rivals(ticket_comparison(), 1, chat.through(keeping(chat, tmp_path)))
    templates = {case.method: case for case in ticket_texts(2).cases}
    assert {case.method for case in cases} <= templates.keys()
    shown = {case.method for case in cases if case.summary == "A few words of the release."}
    assert {"keyword_histogram", "category_histogram"} <= shown
    texts = rival_texts(cases, chat)
    judge = Judge(lambda _: scores(3), lambda *_: choice("tie"))
    with judge as server:
        judge_written(texts, kept_judge(server.url, tmp_path / "judge", "judge"), tmp_path / "summaries")
        assert len(server.heard) <= len(text_questions(texts)) == len(cases)
    rows = read_summary(tmp_path / "summaries" / "judged_texts.json")
    assert {(row["method"], row["decoder_model"], row["coverage"]) for row in rows} == {
        (case.method, "tiny", 3.0) for case in cases
    }
    assert read_summary(tmp_path / "summaries" / "judged_text_pairs.json") == []


def rivals_by(name, tmp_path):
    """Have a writer put the rivals' releases into words."""
    with FakeWriter(["A few words of the release."]) as server:
        chat = Chat(Endpoint(server.url, name))
        return rival_texts(written_rivals(ticket_comparison(), 1, chat.through(keeping(chat, tmp_path))), chat)


def judged_writers(texts, tmp_path, name="judge"):
    """Have all texts scored, and tell of whose texts the judge's rows are, and of what."""
    with Judge(lambda _: scores(3), lambda *_: choice("tie")) as server:
        judge_written(texts, kept_judge(server.url, tmp_path / "judge", name), tmp_path / "summaries")
    rows = read_summary(tmp_path / "summaries" / "judged_texts.json")
    return {(row["decoder_model"], row["method"].startswith("plan, ")) for row in rows if row["judge"] == name}


def test_rivals_texts_by_a_writer_who_is_not_asked_again_stay_judged_while_its_runs_are_there(tmp_path):
    first = written_texts(written(tmp_path, 1), most=1)
    assert judged_writers([*first, *rivals_by("tiny", tmp_path)], tmp_path) == {("tiny", True), ("tiny", False)}
    assert judged_writers(first, tmp_path) == {("tiny", True), ("tiny", False)}
    both = written_texts(written(tmp_path, 1, decoder_model="other"), most=1)
    everything = {(name, plan) for name in ("tiny", "other") for plan in (True, False)}
    assert judged_writers([*both, *rivals_by("other", tmp_path)], tmp_path) == everything
    rows = read_summary(tmp_path / "summaries" / "judged_texts.json")
    assert judged_writers([*both, *rivals_by("other", tmp_path)], tmp_path) == everything
    assert len(read_summary(tmp_path / "summaries" / "judged_texts.json")) == len(rows)  # none twice
    only_other = [text for text in both if dict(text.setting)["decoder_model"] == "other"]
    assert judged_writers(only_other, tmp_path) == {("other", True), ("other", False)}


def test_where_the_texts_are_gone_the_judges_rows_go_too(tmp_path):
    texts = written_texts(written(tmp_path, 1), most=1)
    for name in ("judge", "another"):
        judged_writers(texts, tmp_path, name)
    assert judged_writers([], tmp_path) == set()
    assert judged_writers(texts, tmp_path, "another") == {("tiny", True)}
    for unit, left in (("user", 1), ("record", 0)):
        forget_judged(tmp_path / "summaries", unit)
        for table in ("judged_texts", "judged_text_pairs"):
            assert len(read_summary(tmp_path / "summaries" / f"{table}.json")) == left


def test_the_rivals_texts_are_counted_before_they_are_written_and_not_again_after(tmp_path):
    with FakeWriter(["A few words of the release."]) as server:
        decoding = Decoding(Endpoint(server.url, "tiny"))
        before = rivals_expected([ticket_comparison()], 2, decoding, tmp_path)
        assert len(server.heard) == 1  # of all, to see what one takes
        written_rivals(ticket_comparison(), 2, decoding.chat(tmp_path))
        assert len(server.heard) == before.least.usage.calls > 4
        assert before.least.usage.prompt_tokens == 100 * before.least.usage.calls
        after = rivals_expected([ticket_comparison()], 2, decoding, tmp_path)
        assert (after.least.usage.calls, len(server.heard)) == (0, before.least.usage.calls)
