"""What every decoder promises, asked of all that have a name: a new one is held to it by being named.

A model may answer anything. What is published is verified against the plan, tells how it came about, and rests on
nothing but the plan: what a model is sent holds no theme that the plan does not list.
"""

import json

import pytest

from dpspin.errors import EndpointError, RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import DecoderName, Length, Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify
from dpspin.public.narrate.writer import NarrationRecord, Writer, decoder_named
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter, completion, failing
from report_cards import well_sorted

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
NOTHING = PAPER_PLAN.model_copy(update={"entries": ()})
PLANS = {
    "themes": PAPER_PLAN,
    "tested map": well_sorted(PAPER_PLAN, PAPER_UNIVERSE),
    "themes and none of these": COVERED_PLAN,
    "nothing listed": NOTHING,
}
CHOSEN = json.dumps({"paragraph": [{"claim": "largest", "theme": 17}], "bullets": [{"claim": "larger", "theme": 81}]})
ANSWERS = {
    "nothing": "",
    "a refusal": "I would rather not.",
    "a true sentence": "“Long wait” is listed.",
    "true and false sentences": "“Long wait” is listed. “Food quality” has the largest share of all themes (90.0%).",
    "an unlisted theme": "“Parking problems” are everywhere.",
    "a number of people": "612 people complained about “long wait”.",
    "a record": "Mr Smith of order 48213 wrote “I waited for an hour and nobody came to help me”.",
    "claims, some of them false": CHOSEN,
    "broken JSON": CHOSEN[:-9],
    "other JSON": '{"sentences": [[{"claim": "cause"}], 3, null]}',
    "markers": "[atom:17] is listed. [atom:99] too.",
    "marks of direction": "“Long wait”\u202e is listed.\x1b[31m",
    "a long answer": "“Long wait” is listed. " * 300,
}

every_decoder = pytest.mark.parametrize("name", DecoderName)
with_model = pytest.mark.parametrize("name", [each for each in DecoderName if each.asks_a_model])
every_mode = pytest.mark.parametrize("mode", Mode)


def written(name, server, plan=PAPER_PLAN, mode=Mode.DISPLAY, attempts=2):
    chat = Chat(Endpoint(server.url, "tiny")) if name.asks_a_model else None
    return Writer(name, chat, attempts)(plan, mode, PAPER_UNIVERSE)


def unlisted(plan):
    listed = {entry.atom_id for entry in plan.entries}
    return [atom for atom in PAPER_UNIVERSE.atoms if atom.id not in listed]


@every_decoder
@every_mode
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_whatever_a_model_answers_the_published_text_is_accepted(name, mode, answer):
    with FakeWriter([answer]) as server:
        told, _ = written(name, server, mode=mode)
    assert verify(PAPER_PLAN, told.text, mode, PAPER_UNIVERSE).accepted
    assert told.verdict == verify(PAPER_PLAN, told.text, mode, PAPER_UNIVERSE)


@every_decoder
@every_mode
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_every_kind_of_plan_has_a_text(name, mode, plan):
    with FakeWriter(["“Long wait” is listed."]) as server:
        told, record = written(name, server, plan, mode)
    assert verify(plan, told.text, mode, PAPER_UNIVERSE).accepted
    assert record.text == told.text
    assert plan.entries or not server.heard  # where nothing is listed, a model has nothing to say


@with_model
@every_mode
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_model_is_sent_what_the_plan_lists_and_no_other_theme_of_the_dictionary(name, mode, plan):
    with FakeWriter(["612 people were angry."]) as server:
        written(name, server, plan, mode)
    sent = "\n".join(server.prompts).casefold()
    assert all(entry.label in sent for entry in plan.entries)
    assert [atom.label for atom in unlisted(plan) if atom.label.casefold() in sent] == []
    assert [cue for atom in PAPER_UNIVERSE.atoms for cue in atom.cues if cue.casefold() in sent] == []


@every_decoder
def test_the_same_plan_and_the_same_answers_give_the_same_text_and_record(name):
    with FakeWriter(["“Long wait” is listed. Nobody likes it."]) as server:
        first, second = (written(name, server) for _ in range(2))
    assert first == second


@with_model
def test_equal_plans_ask_a_model_for_the_same(name):
    with FakeWriter([CHOSEN]) as server:
        for _ in range(2):
            written(name, server)
    half = len(server.heard) // 2
    assert [heard.body for heard in server.heard[:half]] == [heard.body for heard in server.heard[half:]]


AUDIT_RULES = (
    "listed themes only",
    "Make nothing up",
    "You have seen no records",
    "nothing of causes",
    "never a number",
)
OF_MODES = {
    Mode.AUDIT: (
        "its marker",
        "Words for support follow `bin`",
        "only if its noisy_mass is larger",
        "at most five bullets",
    ),
    Mode.DISPLAY: ("by the names in `bin` alone", "no exact masses", "no markers", "at most three short bullets"),
}


@every_mode
def test_a_model_is_told_every_rule_of_the_paper_before_the_plan(mode):
    with FakeWriter(["“Long wait” is listed."]) as server:
        written(DecoderName.LLM, server, mode=mode)
    told = (
        server.prompts[0]
        .replace("Do not report exact masses", "no exact masses")
        .replace("Write no markers", "no markers")
    )
    for rule in (*AUDIT_RULES, *OF_MODES[mode], "say that it is uncertain"):
        assert rule in told, rule
    assert told.index("Rules:") < told.index("- [atom:17] label=") < told.index("Form:")


def test_a_text_is_asked_for_three_times_unless_the_writer_says_otherwise():
    with FakeWriter(["612 people were angry."]) as server:
        chat = Chat(Endpoint(server.url, "tiny"))
        told = narrate(PAPER_PLAN, PAPER_UNIVERSE, decoder_named(DecoderName.LLM, Mode.DISPLAY, chat))
    assert (len(told.attempts), told.used_fallback) == (3, True)


@every_decoder
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_attempts_and_the_fallback_are_recorded(name, answer):
    with FakeWriter([answer]) as server:
        told, record = written(name, server)
    assert record.attempts
    assert [each.text for each in record.attempts] == [each.text for each in told.attempts]
    assert len(record.attempts) <= record.max_attempts
    assert not any(each.accepted for each in record.attempts[:-1])
    assert (record.fallback_reason is None) == (not record.used_fallback) == (not told.used_fallback)
    assert (record.decoder, record.model is None) == (name.value, not name.asks_a_model)
    if record.used_fallback:
        assert record.text == narrate(PAPER_PLAN, PAPER_UNIVERSE).text
    assert NarrationRecord.model_validate_json(record.to_json()) == record


@every_decoder
def test_a_candidate_is_judged_or_screened_and_the_feedback_names_the_rules(name):
    with FakeWriter(["“Parking problems” are everywhere."]) as server:
        told, _ = written(name, server)
    for attempt in told.attempts:
        assert (attempt.verdict is None) != (attempt.screening is None)
        assert bool(attempt.feedback) == (not attempt.accepted)


@with_model
def test_an_endpoint_that_never_answered_is_an_error_and_nothing_is_published(name):
    with FakeWriter([failing(401)]) as server, pytest.raises(EndpointError) as refused:
        written(name, server)
    assert (refused.value.code, refused.value.exit_code) == ("endpoint", 2)


@with_model
def test_an_endpoint_that_fails_later_ends_in_the_template_and_says_so(name):
    useless = completion("“Parking problems” are everywhere.")
    with FakeWriter([useless, useless, failing(403)]) as server:
        told, record = written(name, server, attempts=3)
    failed = len(server.heard) > 2  # a decoder that made a text of what it had never asks again
    assert (told.failure is not None, told.used_fallback) == (failed, failed)
    assert record.fallback_reason == told.failure
    assert verify(PAPER_PLAN, told.text, Mode.DISPLAY, PAPER_UNIVERSE).accepted


@with_model
def test_a_model_s_decoder_without_a_model_is_refused(name):
    with pytest.raises(RequestError) as refused:
        decoder_named(name, Mode.DISPLAY)
    assert refused.value.code == "decoder-without-model"


@every_decoder
@pytest.mark.parametrize("attempts", [0, -1])
def test_a_decoder_without_an_attempt_is_refused(name, attempts):
    with FakeWriter([""]) as server, pytest.raises(RequestError) as refused:
        written(name, server, attempts=attempts)
    assert refused.value.code == "request"
    assert not server.heard


@every_mode
@pytest.mark.parametrize("length", Length)
def test_the_template_alone_is_a_decoder_of_any_length(mode, length):
    text = decoder_named(DecoderName.TEMPLATE, mode, length=length)
    facts = Facts(PAPER_PLAN, PAPER_UNIVERSE)
    told = narrate(PAPER_PLAN, PAPER_UNIVERSE, text, mode=mode)
    assert told.verdict.accepted
    assert {atom for each in told.verdict.sentences for atom in each.atoms} >= set(facts.listed)
