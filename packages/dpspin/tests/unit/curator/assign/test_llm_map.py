"""A language model as the map: one record per call, bounded whatever it says, stopped only by a failing endpoint."""

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.llm.kept_answers import Answers
from dpspin.curator.assign.llm.labeller import LONGEST_TEXT, Labeller, ShortlistByMap
from dpspin.curator.assign.llm.llm_map import LlmMap, Teacher
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.columns import TEXT, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.answer_request import ResolvedRequest, answer
from dpspin.curator.release.draw_plan import ReleaseSpec
from dpspin.errors import BoundViolation, DictionaryError, EndpointError, RequestError
from dpspin.llm.question import Price
from factories import PAPER_UNIVERSE, universe_of
from fake_llm import PUBLIC_TEXTS, FakeModel, Said, completion, failing, themes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

WAIT, STAFF, FOOD, PARKING, NONE = range(5)
BIG = universe_of([Atom(id=100 + i, label=f"theme {chr(97 + i)}{chr(97 + i)}") for i in range(20)])


@pytest.fixture
def model():
    with FakeModel() as running:
        yield running


@pytest.fixture
def labeller(model, tmp_path):
    def build(universe=PAPER_UNIVERSE, **changes):
        endpoint = Endpoint(model.url, "tiny", retries=1, timeout_seconds=20)
        return Labeller(universe, endpoint, Answers(tmp_path / "curator"), **changes)

    return build


def mapped(labeller, *texts):
    made = LlmMap(labeller)(pa.array(texts, pa.string()))
    cuts = list(zip(made.offsets, made.offsets[1:], strict=False))
    return [
        dict(zip(made.atoms[a:b].tolist(), (made.ticks[a:b] / TICKS_PER_MASS).tolist(), strict=True)) for a, b in cuts
    ]


def test_named_atoms_share_the_mass_evenly_and_the_rest_is_none_of_these(model, labeller):
    spoken = {"slow": themes("long wait"), "both": themes("food quality", "long wait"), "odd": themes("none")}
    model.speak = spoken.__getitem__
    assert mapped(labeller(), "slow", None, "both", "odd", "  ") == [
        {WAIT: 1.0},
        {},
        {WAIT: 0.5, FOOD: 0.5},
        {NONE: 1.0},
        {NONE: 1.0},
    ]


def test_the_statement_says_what_the_map_is_and_who_reads_the_records(labeller):
    statement = LlmMap(labeller()).statement
    assert statement.answers_none
    assert statement.atoms_per_record == 3
    assert "tiny" in statement.fitted_on
    assert "own machine" in statement.trusts
    assert statement.digest == LlmMap(labeller()).statement.digest
    assert statement.digest != LlmMap(labeller(most=2)).statement.digest


def test_each_call_holds_one_record_and_nothing_else_that_is_private(model, labeller):
    table = pa.table({"text": ["first secret", "second secret", "third secret"], "who": ["ann", "bob", "cyd"]})
    corpus = open_corpus(table, Columns("text", "who"), RowPolicy())
    for batch in corpus.batches():
        LlmMap(labeller())(batch.column(TEXT))
    assert model.texts == table["text"].to_pylist()
    for heard in model.heard:
        sent = str(heard)
        assert sum(text in sent for text in table["text"].to_pylist()) == (heard.text not in PUBLIC_TEXTS)
        assert not any(user in sent for user in table["who"].to_pylist())


def test_the_request_is_constrained_cold_and_short(model, labeller):
    mapped(labeller(most=2), "a text")
    body = model.heard[-1].body
    form = body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["properties"]["themes"]["items"]["enum"] == [*(a.label for a in PAPER_UNIVERSE.atoms), "none"]
    assert form["schema"]["properties"]["themes"]["maxItems"] == 2
    assert (body["temperature"], body["seed"], body["cache_prompt"]) == (0, 0, False)
    assert body["max_tokens"] < 200


def test_public_texts_are_tried_before_the_first_record_is_sent(model, labeller):
    mapped(labeller(), "a text")
    assert [heard.text for heard in model.heard[:2]] == ["long wait", "friendly staff"]


@pytest.mark.parametrize("words", ["I think it is about waiting.", '{"themes": ["something else"]}'])
def test_an_endpoint_that_does_not_understand_gets_no_record(model, labeller, words):
    model.knows_public, model.speak = False, lambda _: completion(words)
    with pytest.raises(EndpointError, match="required form"):
        mapped(labeller(), "a secret")
    assert model.texts == []


GARBAGE = {
    "prose": completion("The theme is long wait."),
    "nothing": completion(""),
    "null": completion(None),
    "a number": completion("1e999"),
    "not a number": completion('{"themes": [NaN]}'),
    "another atom": themes("world peace"),
    "an id": completion('{"themes": [17]}'),
    "atoms and none": themes("long wait", "none"),
    "too many": themes("long wait", "friendly staff", "food quality", "parking problems"),
    "ten thousand": themes(*["long wait"] * 10_000),
    "empty list": themes(),
    "more keys": completion('{"themes": ["long wait"], "weight": 1e300}'),
    "deep": completion("[" * 100_000),
    "half": completion('{"themes": ["long wa'),
    "lone surrogate": completion('{"themes": ["\\ud800"]}'),
    "lookalike": themes("lоng wait"),
    "not JSON": Said(b"<html>busy</html>"),
    "not text": Said(b"\xff\xfe\x00"),
    "no choices": Said(b'{"choices": []}'),
    "too long a question": failing(400),
    "filtered": failing(422),
}


@pytest.mark.parametrize("what", GARBAGE)
def test_an_answer_that_stays_unreadable_counts_as_none_of_these(model, labeller, what):
    model.speak = lambda text: GARBAGE[what] if text == "odd" else themes("long wait")
    asked = labeller()
    assert mapped(asked, "odd", "slow") == [{NONE: 1.0}, {WAIT: 1.0}]
    assert (asked.tally.asked, asked.tally.unreadable) == (2, 1)
    assert Teacher(asked)(["odd", "slow"]) == [None, (17,)]


def test_an_unreadable_answer_is_asked_for_once_more_with_a_reminder(model, labeller):
    said = iter([completion("Well, long wait."), themes("long wait")])
    model.speak = lambda _: next(said)
    assert mapped(labeller(), "slow") == [{WAIT: 1.0}]
    first, second = (heard.body["messages"][0]["content"] for heard in model.heard[-2:])
    assert second.startswith(first)
    assert "Only one JSON object" in second


def test_a_repeated_atom_counts_once(model, labeller):
    model.speak = lambda _: themes("long wait", "long wait", "food quality")
    assert mapped(labeller(most=2), "slow") == [{WAIT: 0.5, FOOD: 0.5}]


def test_a_busy_endpoint_is_asked_again(model, labeller):
    said = iter([failing(500), themes("long wait")])
    model.speak = lambda _: next(said)
    assert mapped(labeller(), "slow") == [{WAIT: 1.0}]


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
def test_a_failing_endpoint_stops_the_run_and_keeps_what_was_answered(model, labeller, status):
    def speak(text):
        model.knows_public &= text != "secret two"
        return failing(status) if text in {"secret two", *PUBLIC_TEXTS} else themes("long wait")

    model.speak = speak
    with pytest.raises(EndpointError, match=r"Nothing was charged.*run it again") as stopped:
        mapped(labeller(), "secret one", "secret two")
    assert "secret" not in str(stopped.value)
    assert stopped.value.__context__ is None
    model.knows_public, model.speak = True, lambda _: themes("food quality")
    model.heard.clear()
    assert mapped(labeller(), "secret one", "secret two") == [{WAIT: 1.0}, {FOOD: 1.0}]
    assert model.texts == ["secret two"]


@pytest.mark.parametrize("status", [401, 403, 404, 408, 409, 451, 500, 503])
def test_a_text_over_which_the_endpoint_fails_every_time_counts_as_none_and_stops_nothing(model, labeller, status):
    model.speak = lambda text: failing(status) if text == "poison" else themes("long wait")
    asked = labeller()
    assert mapped(asked, "one", "poison", "two") == [{WAIT: 1.0}, {NONE: 1.0}, {WAIT: 1.0}]
    assert (asked.tally.asked, asked.tally.failed, asked.tally.unreadable) == (3, 1, 1)
    model.heard.clear()
    assert mapped(labeller(), "poison") == [{NONE: 1.0}]
    assert model.heard == []


def test_a_text_over_which_the_endpoint_keeps_silent_counts_as_none(model, labeller):
    model.speak = lambda text: Said(b"", headers={"Content-Length": "9"}) if text == "poison" else themes("long wait")
    assert mapped(labeller(), "poison", "two") == [{NONE: 1.0}, {WAIT: 1.0}]


def test_what_no_text_can_cause_stops_the_run_at_once(model, labeller):
    model.speak = lambda text: failing(429) if text == "two" else themes("long wait")
    with pytest.raises(EndpointError, match="run it again"):
        mapped(labeller(), "one", "two")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_a_path_that_is_wrong_for_public_texts_too_stops_the_run(model, labeller, status):
    asked = labeller()
    mapped(asked, "one")
    model.knows_public, model.speak = False, lambda _: failing(status)
    with pytest.raises(EndpointError, match="run it again"):
        mapped(asked, "two")


@pytest.mark.parametrize("broken", [completion("out of memory"), failing(400)])
def test_an_endpoint_that_breaks_down_on_the_way_stops_the_run(model, labeller, broken):
    def speak(text):
        model.knows_public &= text != "two"
        return broken if text in {"two", *PUBLIC_TEXTS} else themes("long wait")

    model.speak = speak
    with pytest.raises(EndpointError, match="test question"):
        mapped(labeller(), "one", "two", "three")
    model.knows_public, model.speak = True, lambda _: themes("food quality")
    assert mapped(labeller(), "one", "two") == [{WAIT: 1.0}, {FOOD: 1.0}]


def test_a_failing_endpoint_costs_no_budget(model, labeller, tmp_path):
    model.knows_public, model.speak = False, lambda _: failing(500)
    ledger = open_ledger(tmp_path / "ledger.db")
    ledger.set_budget("d", PrivacyLoss(1.0))
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=100, size=3)
    fitted = LlmMap(labeller())
    origin = SketchOrigin.of(PAPER_UNIVERSE, fitted.statement, RecordUnit(), Adjacency.ADD_DROP)
    corpus = open_corpus(pa.table({"text": ["slow"]}), Columns("text"))
    with pytest.raises(EndpointError):
        answer(ResolvedRequest("d", PAPER_UNIVERSE, origin, spec), Records(corpus, fitted, origin), ledger)
    assert float(ledger.require_budget("d").spent.epsilon) == 0


def test_a_second_run_asks_nothing_and_the_trial_is_left_out_too(model, labeller):
    model.speak = lambda text: themes("long wait") if text == "slow" else completion("?")
    first = mapped(labeller(), "slow", "odd", "slow")
    assert model.texts == ["slow", "odd", "odd"]
    model.heard.clear()
    assert mapped(labeller(), "slow", "odd", "slow") == first
    assert model.heard == []


@pytest.mark.parametrize("change", [{"most": 1}, {"size": 4}, {"seed": 7}])
def test_other_settings_are_other_questions(model, labeller, change):
    mapped(labeller(), "slow")
    mapped(labeller(**change), "slow")
    assert model.texts == ["slow", "slow"]


def test_only_the_beginning_of_a_very_long_text_is_sent(model, labeller):
    mapped(labeller(), "x" * (LONGEST_TEXT + 5))
    assert model.texts == ["x" * LONGEST_TEXT]


def test_a_large_dictionary_is_asked_through_a_shortlist(model, labeller):
    scorer = ShortlistByMap(NgramMap.fit(BIG, PublicWordIdf(), atoms_per_record=None), BIG.size)
    model.knows_public, model.speak = False, lambda text: themes("theme tt" if "tt" in text else "none")
    assert mapped(labeller(BIG, shortlister=scorer, size=3), "the tt theme", "nothing at all") == [{19: 1.0}, {20: 1.0}]
    names = model.heard[-2].body["response_format"]["json_schema"]["schema"]["properties"]["themes"]["items"]["enum"]
    assert len(names) == 4
    assert names[-2:] == ["theme tt", "none"]
    assert "theme ss" not in str(model.heard[-2].body)


def test_a_large_dictionary_needs_a_shortlister(labeller):
    with pytest.raises(RequestError, match="shortlister"):
        labeller(BIG)


def test_a_shortlister_that_returns_another_table_is_a_broken_contract(labeller):
    class Broken:
        digest = "sha256:broken"

        def __call__(self, texts):
            return np.zeros((2, BIG.size))

    with pytest.raises(BoundViolation, match="one finite score"):
        mapped(labeller(BIG, shortlister=Broken()), "slow")


def test_a_dictionary_with_an_atom_called_none_is_refused(labeller):
    with pytest.raises(DictionaryError, match="none"):
        labeller(universe_of([Atom(id=1, label="None")]))


def test_the_estimate_counts_what_is_still_to_ask(model, labeller):
    asking = LlmMap(labeller())
    asking(pa.array(["slow"]))
    expected = asking.estimate(
        [pa.array(["slow", "x" * 50, "x" * 50]), pa.array([None, "y" * 50, ""])], Price(1.0, 10.0)
    )
    assert expected.calls == 2
    assert expected.answer_tokens == 20
    assert 200 < expected.prompt_tokens < 240
    assert expected.cost == pytest.approx((expected.prompt_tokens + 200) / 1e6)
    assert expected.seconds > 0
    assert str(expected).startswith("about 2 calls, ")
    assert "2" not in repr(expected)
    assert model.texts == ["slow"]


def test_a_teacher_labels_each_text_on_its_own(model, labeller):
    spoken = {"slow": themes("food quality", "long wait"), "odd": themes("none")}
    model.speak = spoken.__getitem__
    teacher = Teacher(labeller())
    assert teacher(["slow", "odd"]) == [(81, 17), ()]
    assert teacher.name == "the language model tiny on the curator's own machine"
