import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.lexicon import plan_stems, stems_of
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


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS.keys())
def test_its_fixed_words_are_all_in_the_public_lexicon(plan, mode):
    fixed = re.sub(r"“[^”]*”|\[atom:\d+\]", "", TemplateDecoder(mode)(plan))
    assert stems_of(fixed) <= plan_stems(plan)


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
