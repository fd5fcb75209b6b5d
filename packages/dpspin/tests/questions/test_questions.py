"""Two hundred questions over ten releases: enough is answered, nothing that should not be, nothing unsupported."""

from collections import Counter
from functools import cache

import pytest
from mcp import Client

from dpspin.public.narrate.verify import Status, check_text
from dpspin.reader.answers import answered
from dpspin.reader.library import Library, OpenSeries
from dpspin.reader.mcp_server import build_mcp
from own_loop import run_apart
from questions.judging import RELEASES, disagreements, every_question, is_answered
from signed_releases import released

ENOUGH = 0.9
BESIDE = (  # somebody's who wanted a true sentence that is no answer: opposites, denials, amounts, times
    "How common is found parcel?",
    "How common is wanted renewal?",
    "How common is as described?",
    "How common is helpful agent?",
    "How common is payment accepted?",
    "How common is working integration?",
    "What share is not about late delivery?",
    "How common is anything but late delivery?",
    "How many customers never had late delivery?",
    "How much is the double charge?",
    "Is late delivery more common than before?",
    "How common was late delivery in 2019?",
    "Is this true?",
)


@cache
def library():
    return Library(RELEASES)


@cache
def replies():
    return [(put, answered(library(), put.release, put.question).model_dump()) for put in every_question()]


def languages(name):
    opened = library().open(name)
    last = [library().open(f"{name}/{opened.periods[-1]}").language] if isinstance(opened, OpenSeries) else []
    return [opened.language, *last]


def is_verified(name, sentence):
    read = (check_text(sentence, language).sentences for language in languages(name))
    return any([each.status for each in one] == [Status.VERIFIED] for one in read)


def test_there_are_two_hundred_over_ten_releases_half_of_them_unanswerable():
    every = list(every_question())
    assert Counter(put.answerable for put in every) == {True: 100, False: 100}
    assert len({put.release for put in every}) == 10
    assert sum(put.held_back for put in every if put.answerable) == 50


@pytest.mark.slow
def test_nine_of_ten_that_can_be_answered_are_and_as_many_of_those_held_back():
    good = [(put.held_back, is_answered(put, reply)) for put, reply in replies() if put.answerable]
    for held_back in (True, False):
        half = [answered for held, answered in good if held is held_back]
        assert sum(half) >= ENOUGH * len(half)


@pytest.mark.slow
def test_what_no_release_can_say_is_said_of_every_question_that_asks_for_it():
    told = [(put.question, reply) for put, reply in replies() if not put.answerable]
    assert [question for question, reply in told if reply["sentences"] or reply["rows"]] == []
    assert all(reply["cannot_say"].startswith("This release cannot say") for _, reply in told)


@pytest.mark.slow
def test_every_sentence_of_every_answer_is_verified_and_its_numbers_stand_in_the_plan():
    said = {
        (put.release, put.folder, each["sentence"])
        for put, reply in replies()
        for each in (*reply["sentences"], *reply["beside"])
    }
    assert len(said) > 100
    assert [sentence for name, _, sentence in said if not is_verified(name, sentence)] == []
    assert [wrong for _, folder, sentence in said if (wrong := disagreements(folder, sentence))] == []


def test_a_share_that_the_plan_does_not_have_is_noticed():
    first = library().open("bank").plan.entries[0]
    told = "“{}”: {:.1f}% (1% to 2% without the privacy noise)."
    assert disagreements(RELEASES / "bank", told.format(first.label, 100 * first.support)) == []
    assert disagreements(RELEASES / "bank", told.format(first.label, 100 * first.support + 0.2)) != []


@pytest.mark.slow
def test_agents_get_the_same_answers_over_the_protocol():
    async def through_the_protocol():
        async with Client(build_mcp(library())) as client:
            return [
                (await client.call_tool("ask", {"release": put.release, "question": put.question})).structured_content
                for put, _ in replies()
            ]

    told = run_apart(through_the_protocol())
    as_json = [(list(map(dict, reply["sentences"])), reply["cannot_say"]) for _, reply in replies()]
    got = [
        (
            [{**each, "claims": tuple(each["claims"]), "themes": tuple(each["themes"])} for each in one["sentences"]],
            one["cannot_say"],
        )
        for one in told
    ]
    assert got == as_json


@pytest.mark.parametrize("question", BESIDE)
def test_no_true_sentence_stands_in_for_an_answer(question):
    reply = answered(library(), "support-channels", question)
    assert (reply.sentences, bool(reply.cannot_say)) == ((), True)


def test_what_the_promise_is_can_be_asked():
    told = answered(library(), "support-channels", "What is the promise?").sentences
    assert "epsilon" in told[0].sentence


def test_of_a_series_the_period_is_named_and_a_changed_release_tells_nothing(tmp_path):
    assert answered(library(), "support-months", "How common is late delivery?").period == "2026-04"
    signed = tmp_path / "kept"
    released(signed)
    assert answered(Library(tmp_path), "kept", "What is the largest theme?").sentences
    plan = signed / "plan.json"
    plan.write_bytes(plan.read_bytes() + b"\n")
    changed = answered(Library(tmp_path), "kept", "What is the largest theme?")
    assert (changed.sentences, changed.signature) == ((), "does not verify")
