"""The structured decoder: a model chooses, code writes; false claims go, repeats go, and no theme is lost."""

import json

import pytest

from dpspin.lab.verifier.plans import benchmark_plans
from dpspin.llm.chat import Chat
from dpspin.llm.endpoint import Endpoint
from dpspin.public.stage3_narrate.claims.orders import Compare, Highest
from dpspin.public.stage3_narrate.claims.themes import BinGroup, InBin, Mention
from dpspin.public.stage3_narrate.decoders.claim_forms import Draft, Drafted, allowed, as_json, read, schema
from dpspin.public.stage3_narrate.decoders.claims_llm import ClaimsDecoder
from dpspin.public.stage3_narrate.decoders.composition import compose
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE
from fake_llm import FakeWriter, completion, failing

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
PLANS = benchmark_plans()


def answer(*paragraph, bullets=()):
    return json.dumps({"paragraph": list(map(as_json, paragraph)), "bullets": list(map(as_json, bullets))})


def told_by(server, mode=Mode.DISPLAY, plan=PAPER_PLAN, **options):
    decoder = ClaimsDecoder(Chat(Endpoint(server.url, "tiny", retries=0)), mode)
    return narrate(plan, decoder, mode=mode, atoms=PAPER_UNIVERSE, **options), decoder.compositions


def drafted(*claims):
    return Draft(paragraph=tuple(map(Drafted, claims)))


def test_claims_are_written_in_the_models_order_and_layout():
    chosen = answer(Highest(17), Compare(42, 81), bullets=[BinGroup("moderate"), BinGroup("high")])
    with FakeWriter([chosen]) as server:
        narration, _ = told_by(server)
    assert not narration.used_fallback
    paragraph, bullets = narration.text.split("\n\n")
    assert paragraph.index("highest support") < paragraph.index("“food quality”")
    moderate, high = bullets.split("\n")
    assert "moderate support" in moderate.lower()
    assert "“long wait”" in high


def test_the_schema_names_what_the_plan_lists_and_nothing_else():
    text = json.dumps(schema(PAPER_PLAN, Mode.DISPLAY))
    assert "99" not in text
    assert "low" not in text.replace("lower", "")
    kinds = allowed(PAPER_PLAN, Mode.DISPLAY)
    assert kinds["highest"] == {"atom": [17]}
    assert kinds["compare"]["higher"] == [17, 42]
    assert "roll_up" not in kinds
    assert "mass" not in kinds
    assert "mass" in allowed(PAPER_PLAN, Mode.AUDIT)


def test_what_does_not_hold_is_dropped_and_counted():
    composed = compose(
        drafted(Compare(81, 17), InBin((17,), "low"), Highest(42), Mention((99,))), PAPER_PLAN, Mode.DISPLAY
    )
    assert len(composed.dropped) == 4
    assert composed.kept == ()
    assert verify(PAPER_PLAN, composed.text, Mode.DISPLAY, PAPER_UNIVERSE).accepted


def test_what_was_told_is_not_told_again():
    draft = drafted(
        BinGroup("moderate"), InBin((42,), "moderate"), Mention((42,)), Highest(17), Highest(17), Mention((17,))
    )
    composed = compose(draft, PAPER_PLAN, Mode.DISPLAY)
    assert composed.kept == (BinGroup("moderate"), Highest(17), Mention((17,)))
    assert composed.repeats == 3
    assert composed.text.count("friendly staff") == 1


def test_a_list_keeps_what_is_new_in_it():
    composed = compose(drafted(InBin((42,), "moderate"), BinGroup("moderate")), PAPER_PLAN, Mode.DISPLAY)
    assert composed.kept == (InBin((42,), "moderate"), InBin((81,), "moderate"))


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_draft_of_nothing_still_names_every_theme(name, mode):
    plan, atoms = PLANS[name]
    composed = compose(Draft(), plan, mode)
    assert {claim.bin for claim in composed.filled if isinstance(claim, BinGroup)} == {e.bin for e in plan.entries}
    assert all(f"“{entry.label}”" in composed.text for entry in plan.entries)
    assert verify(plan, composed.text, mode, atoms).accepted


def test_the_share_of_no_theme_comes_first_whatever_the_model_says():
    composed = compose(drafted(Highest(17)), COVERED_PLAN, Mode.AUDIT)
    assert composed.text.index("[none]") < composed.text.index("[atom:17]")


def test_a_cut_off_answer_keeps_what_it_said():
    whole = answer(Highest(17), Compare(17, 81))
    assert read(whole[: whole.index('"lower"')]).paragraph == (Drafted(Highest(17)),)


@pytest.mark.parametrize(
    "item",
    [
        {"claim": "cause", "atom": 17},
        {"claim": "highest", "atom": "long wait"},
        {"claim": "highest", "atom": True},
        {"claim": "highest"},
        {"claim": "in_bin", "atoms": "17", "bin": "high"},
        {"claim": "in_bin", "atoms": [17], "bin": 3},
        {"claim": "public_text", "saying": "buy now"},
        {"claim": ["highest"]},
    ],
)
def test_an_item_that_names_no_claim_is_counted_and_left_out(item):
    assert read(json.dumps({"paragraph": [item], "bullets": []})) == Draft(malformed=1)


def test_a_connective_comes_from_the_closed_list():
    items = [{"claim": "highest", "atom": 17, "connective": word} for word in ("Also", "Because of the weather")]
    assert [item.connective for item in read(json.dumps({"paragraph": items})).paragraph] == ["Also", ""]


def test_an_unreadable_answer_is_asked_for_again_once():
    with FakeWriter(["I would rather not.", answer(Highest(17))]) as server:
        narration, compositions = told_by(server)
    assert not narration.used_fallback
    assert len(narration.attempts) == len(compositions) == 1
    assert [message["role"] for message in server.heard[1].body["messages"]] == ["user", "assistant", "user"]


def test_an_answer_that_stays_unreadable_is_judged_as_it_is_and_ends_in_the_template():
    with FakeWriter(["I would rather not."]) as server:
        narration, compositions = told_by(server, max_attempts=2)
    assert [attempt.text for attempt in narration.attempts] == ["I would rather not."] * 2
    assert compositions == [None, None]
    assert narration.used_fallback
    assert narration.verdict.accepted
    assert "An earlier choice was refused" in server.prompts[-1]


def test_a_server_without_schemas_gets_the_form_in_words():
    with FakeWriter([failing(400), failing(400), completion(f"Sure!\n```json\n{answer(Highest(17))}\n```")]) as server:
        narration, compositions = told_by(server)
    assert not narration.used_fallback
    assert compositions[0].kept == (Highest(17),)
    assert '{"claim": "highest", "atom": "…", "connective": ""}' in server.prompts[-1]
