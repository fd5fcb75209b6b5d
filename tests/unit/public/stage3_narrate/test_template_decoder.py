import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.privacy import Prevalence
from dpspin.boundary.reading import reading_of, reread
from dpspin.public.stage3_narrate.claims.values import Coverage
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Length, Mode
from dpspin.public.stage3_narrate.sentences import linked_sentences
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import COVERED_PLAN, PAPER_BINS, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

PLANS = {
    "clear": PAPER_PLAN,
    "covered": COVERED_PLAN,
    "empty": plan_of(PAPER_UNIVERSE, [0.0] * 4),
    "single": plan_of(PAPER_UNIVERSE, [50.0, 0.0, 0.0, 0.0]),
    "tied": plan_of(PAPER_UNIVERSE, [50.0, 49.0, 48.0, 47.0]),
    "negative": plan_of(PAPER_UNIVERSE, [50.0, -0.01, -3.0, -4.0], admission="fixed", size=4),
}


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_its_text_is_accepted(plan, mode):
    assert verify(plan, TemplateDecoder(mode)(plan), mode, PAPER_UNIVERSE).violations == ()


def test_audit_text_gives_markers_and_masses_and_groups_by_bin():
    text = TemplateDecoder(Mode.AUDIT)(PAPER_PLAN)
    assert text.splitlines()[-2:] == [
        "- High support: “long wait” [atom:17] (noisy mass 318.4).",
        "- Moderate support: “friendly staff” [atom:42] (noisy mass 271.9) and “food quality” [atom:81] (244.7).",
    ]


def test_display_text_gives_neither():
    text = TemplateDecoder(Mode.DISPLAY)(PAPER_PLAN)
    assert "[atom:" not in text
    assert not re.search(r"318|271|244", text)
    assert text.endswith("- Moderate support is released for “friendly staff” and “food quality”.")


def test_the_highest_theme_is_named_only_when_certified():
    assert "“long wait” has the highest support" in TemplateDecoder(Mode.DISPLAY)(PAPER_PLAN)
    assert "highest" not in TemplateDecoder(Mode.DISPLAY)(PLANS["tied"])


def test_a_tie_is_named():
    close = plan_of(PAPER_UNIVERSE, [300.0, 60.0, 59.0, 0.0], bins=PAPER_BINS, size=3)
    assert "The noise does not tell “friendly staff” and “food quality” apart." in TemplateDecoder(Mode.DISPLAY)(close)


def test_an_empty_plan_gets_a_graceful_text():
    text = TemplateDecoder(Mode.DISPLAY)(PLANS["empty"])
    assert "none stands clear of the noise" in text


def test_what_does_not_clear_the_noise_is_said_to():
    text = TemplateDecoder(Mode.DISPLAY)(PLANS["negative"])
    assert "Not clear of the noise: “friendly staff”, “food quality” and “parking problems”." in text


@pytest.mark.parametrize(
    ("masses", "size", "sentence"),
    [
        (
            [50.0, 40.0, 30.0, 0.5],
            4,
            "The plan lists all 4 themes of the public dictionary, and of these 3 stand clear",
        ),
        ([50.0, 40.0, 30.0, 20.0], 4, "the public dictionary, and all of these stand clear of the noise."),
        (
            [1.0, 0.5, 0.4, 0.3],
            3,
            "The plan lists 3 of the 4 themes in the public dictionary, and none of these stands clear",
        ),
        (
            [50.0, 0.5, 0.4, 0.3],
            1,
            "The plan lists 1 of the 4 themes in the public dictionary, and it stands clear of the",
        ),
    ],
)
def test_the_scope_is_told_in_plain_grammar(masses, size, sentence):
    assert sentence in TemplateDecoder(Mode.DISPLAY)(plan_of(PAPER_UNIVERSE, masses, size=size, admission="fixed"))


def test_a_dictionary_of_one_theme_is_told_in_the_singular():
    text = TemplateDecoder(Mode.DISPLAY)(plan_of(universe_of([Atom(id=1, label="long wait")]), [50.0]))
    assert "The plan lists the only theme of the public dictionary, and it stands clear of the noise." in text


def test_a_mass_that_rounds_to_zero_has_no_sign():
    assert "(noisy mass 0.0)" in TemplateDecoder(Mode.AUDIT)(PLANS["negative"])


HEADED = universe_of(
    [
        Atom(id=1, label="late parcel", parent="delivery"),
        Atom(id=2, label="lost parcel", parent="delivery"),
        Atom(id=3, label="double charge", parent="billing"),
        Atom(id=4, label="slow refund", parent="billing"),
        Atom(id=5, label="rude reply", parent="service"),
    ]
)


def test_every_tie_is_named_and_a_long_one_is_told_without_names():
    pairs = TemplateDecoder(Mode.DISPLAY)(plan_of(HEADED, [300.0, 299.0, 200.0, 199.0, 100.0]))
    assert "The noise does not tell “late parcel” and “lost parcel” apart." in pairs
    assert "“double charge” and “slow refund” cannot be told apart under the noise." in pairs
    five = TemplateDecoder(Mode.DISPLAY)(plan_of(HEADED, [50.0, 49.9, 49.8, 49.7, 49.6]))
    assert "Themes that are close in mass cannot be told apart under the noise." in five
    assert "does not tell" not in five


def test_headings_of_several_themes_are_added_up_the_largest_first():
    text = TemplateDecoder(Mode.DISPLAY)(plan_of(HEADED, [100.0, 80.0, 300.0, 200.0, 60.0]))
    billing = "“double charge” and “slow refund” have together a support of 25.0% (interval 24.5% to 25.6%)."
    delivery = "Together, “late parcel” and “lost parcel” have a support of 9.0% (interval 8.5% to 9.6%)."
    assert f"{billing} {delivery}" in text
    assert "Together, the listed themes have a support of 37.0% of the public denominator of 2,000" in text


def test_a_heading_of_all_listed_themes_is_not_told_twice():
    text = TemplateDecoder(Mode.DISPLAY)(plan_of(HEADED, [100.0, 80.0, 0.0, 0.0, 0.0]))
    assert text.count("ogether a support") + text.count("Together,") == 1


def test_the_largest_departures_from_the_baseline_come_first_and_are_three_at_most():
    baseline = baseline_of(HEADED, {1: 20, 2: 20, 3: 20, 4: 20, 5: 20}, source="a survey")
    plan = plan_of(HEADED, [600.0, 100.0, 50.0, 150.0, 200.0])
    plan = reread(plan, HEADED, reading_of(plan).model_copy(update={"baseline": baseline}))
    text = TemplateDecoder(Mode.DISPLAY)(plan)
    told = [sentence for sentence in re.split(r"(?<=\.)\s+", text) if " its share" in sentence]
    assert told == [
        "“late parcel” lies above its share in the public baseline.",
        "Relative to the public baseline, “double charge” lies below its share.",
        "“lost parcel” lies below its share in the public baseline.",
    ]


def test_prevalences_are_not_added_up():
    statement = PAPER_PLAN.statement.model_copy(update={"quantity": Prevalence()})
    counted = PAPER_PLAN.model_copy(update={"statement": statement})
    assert not Coverage().holds(counted)
    assert Coverage().holds(PAPER_PLAN)
    text = TemplateDecoder(Mode.DISPLAY)(counted)
    assert "Together" not in text
    assert "Support is relative to the public denominator of 2,000." in text


@pytest.mark.parametrize(
    ("masses", "told"), [([50.0, 0.0, 0.0, 0.0, 0.0], True), ([50.0, 40.0, 30.0, 20.0, 10.0], False)]
)
def test_what_is_not_listed_is_said_to_be_unclear_only_where_the_noise_hides_it(masses, told):
    assert ("A theme that is not listed" in TemplateDecoder(Mode.DISPLAY)(plan_of(HEADED, masses, size=2))) == told


@pytest.mark.parametrize("mode", list(Mode))
def test_the_short_text_is_five_sentences_of_the_full_one(mode):
    short, full = (TemplateDecoder(mode, length)(COVERED_PLAN) for length in (Length.SHORT, Length.FULL))
    assert len(linked_sentences(short, COVERED_PLAN, mode)) == 5
    assert {each.text for each in linked_sentences(short, COVERED_PLAN, mode)} < {
        each.text for each in linked_sentences(full, COVERED_PLAN, mode)
    }


def test_nothing_is_said_for_the_sake_of_saying_it():
    assert not any("carries noise" in TemplateDecoder(mode)(plan) for mode in Mode for plan in PLANS.values())
