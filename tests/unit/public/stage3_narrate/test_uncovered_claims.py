"""What belongs to no theme: true statements pass, false ones do not, and other plans are not spoken of like that."""

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

WAIT = " Long wait [atom:17] is listed."
TRUE = [
    "Text that belongs to none of the 4 themes [none] has a support of 12.4%.",
    "Text that belongs to none of the four themes [none] has a support of 12.405%.",
    "Text that fits no theme [none] has a noisy mass of 248.1.",
    "Part of the text fits none of the themes [none].",
    "“None of these” [none] (noisy mass 248.1) has a support of 12.4%.",
    "The rest [none] has a support of 12.4% (interval 12.1% to 12.7%).",
    "With 95% confidence, what is covered by none of the themes [none] is within 12.1% to 12.7%, around 12.4%.",
]
FALSE = {
    "another share": ("Text that belongs to none of the themes [none] has a support of 13.4%.", "unsupported-number"),
    "another mass": ("Text that belongs to none of the themes [none] has a noisy mass of 318.4.", "unsupported-number"),
    "a theme's share": ("Text that fits none of the themes [none] has a support of 15.9%.", "unsupported-number"),
    "a public constant": ("Text that fits none of the themes [none] is 5%, not 12.4%.", "unsupported-number"),
    "zero": ("Text that fits none of the themes [none] is 12.4% or 0%.", "unsupported-number"),
    "the listed themes": ("Text that fits none of the 3 themes [none] has a support of 12.4%.", "unsupported-number"),
    "a bin": ("Text that fits none of the themes [none] has low support, 12.4%.", "unsupported-coverage"),
    "noise": ("“None of these” [none], 12.4%, does not stand clear of the noise.", "unsupported-coverage"),
    "a rank": ("“None of these” [none], 12.4%, has the highest support.", "unsupported-coverage"),
    "a comparison": (
        "Long wait [atom:17] has more support than “none of these” [none], which has 12.4%.",
        "unsupported-coverage",
    ),
    "a tie": (
        "Food quality [atom:81], friendly staff [atom:42] and “none of these” [none] (12.4%) have the same support.",
        "unsupported-comparison",
    ),
    "people": ("12.4% of users belong to no theme [none].", "frequency-reading"),
    "all of it": ("All text belongs to none of the themes [none], 12.4%.", "unsupported-quantifier"),
    "no marker": ("Text that belongs to none of the themes has a support of 12.4%.", "missing-marker"),
    "another marker": ("Text of no theme [None] has a support of 12.4%.", "malformed-marker"),
    "the rest": ("The dictionary covers 87.6%.", "unsupported-coverage"),
    "the rest, as a theme's share": ("The themes in the public dictionary cover 15.9%.", "unsupported-coverage"),
    "everything": ("The themes cover the records.", "unsupported-coverage"),
    "everything, passively": ("The text is covered.", "unsupported-coverage"),
}


@pytest.mark.parametrize("text", TRUE)
def test_a_true_statement_is_accepted(text):
    assert verify(COVERED_PLAN, text + WAIT, Mode.AUDIT, PAPER_UNIVERSE).violations == ()


@pytest.mark.parametrize("text", TRUE)
def test_the_same_is_refused_where_the_plan_did_not_measure_it(text):
    assert "unsupported-coverage" in verify(PAPER_PLAN, text + WAIT, Mode.AUDIT, PAPER_UNIVERSE).rules()


@pytest.mark.parametrize("what", FALSE)
def test_a_false_statement_is_refused(what):
    text, rule = FALSE[what]
    assert rule in verify(COVERED_PLAN, text + WAIT, Mode.AUDIT, PAPER_UNIVERSE).rules()


def test_display_text_says_it_in_words():
    said = "Long wait is listed. Text that belongs to none of the 4 themes has a support of 12.4%."
    assert verify(COVERED_PLAN, said, Mode.DISPLAY).accepted
    assert verify(COVERED_PLAN, said.replace("themes", "themes [none]"), Mode.DISPLAY).rules() == ("marker-in-display",)
    assert "unsupported-coverage" in verify(PAPER_PLAN, said, Mode.DISPLAY).rules()


def test_a_theme_whose_label_sounds_like_it_is_still_a_theme():
    universe = universe_of([Atom(id=1, label="none of these"), Atom(id=2, label="belongs to none of the themes")])
    plan = plan_of(universe, [300.0, 200.0])
    text = "“None of these” [atom:1] and “belongs to none of the themes” [atom:2] are listed."
    assert verify(plan, text, Mode.AUDIT, universe).violations == ()


def test_a_marker_of_none_is_not_an_unsupported_atom():
    assert verify(PAPER_PLAN, TRUE[0] + WAIT, Mode.AUDIT).unsupported_atom_rate == 0


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (
            Mode.DISPLAY,
            "dictionary has a support of 12.4% of the public denominator of 2,000 (interval 12.1% to 12.7%).",
        ),
        (
            Mode.AUDIT,
            "dictionary [none] has a noisy mass of 248.1, a support of 12.4% of the public denominator of 2,000",
        ),
    ],
)
def test_the_template_says_it_right_after_its_opening(mode, words):
    text = TemplateDecoder(mode)(COVERED_PLAN)
    assert f"plan. Text that belongs to none of the 4 themes in the public {words}" in text
    assert "Support is relative" not in text  # the denominator is told


def test_the_template_says_it_where_no_theme_stands_clear_and_for_a_dictionary_of_one():
    empty = plan_of(PAPER_UNIVERSE, [0.0] * 4, none=1900.0)
    assert "has a support of 95.0% of the public denominator" in TemplateDecoder(Mode.DISPLAY)(empty)
    one = plan_of(universe_of([Atom(id=1, label="long wait")]), [50.0], none=-3.0)
    assert "Text that belongs to no theme of the public dictionary has a support of 0.0%" in TemplateDecoder("display")(
        one
    )
