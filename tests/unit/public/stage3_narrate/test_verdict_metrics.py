import json

import pytest

from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of

A, B, C = "long wait [atom:17]", "friendly staff [atom:42]", "food quality [atom:81]"


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("no marker at all", 0.0),
        (A, 0.0),
        ("[atom:99]", 1.0),
        (f"{A} [atom:99]", 0.5),
        (f"{A} {A} {B} [atom:99] [atom:99]", 1 / 3),
    ],
)
def test_unsupported_atom_rate_counts_distinct_markers(text, rate):
    assert verify(PAPER_PLAN, text, Mode.AUDIT).unsupported_atom_rate == pytest.approx(rate)


@pytest.mark.parametrize(
    ("text", "rate", "comparisons"),
    [
        (f"{A} is listed.", 0.0, 0),
        (f"{A} has higher support than {B}.", 0.0, 1),
        (f"{B} has higher support than {A}.", 1.0, 1),
        (f"{A} has higher support than {B}. {C} has the highest support.", 0.5, 2),
        (f"{A} has the highest support. {B} has rank 2. {C} has rank 1.", 1 / 3, 3),
    ],
)
def test_unsupported_comparison_rate_is_read_with_the_number_of_comparisons(text, rate, comparisons):
    verdict = verify(PAPER_PLAN, text, Mode.AUDIT)
    assert verdict.unsupported_comparison_rate == pytest.approx(rate)
    assert verdict.comparisons == comparisons


def test_violations_are_in_the_order_of_the_text():
    spans = [
        v.span for v in verify(PAPER_PLAN, f"[atom:99] 612. Bob laughed. {A} has low support.", Mode.AUDIT).violations
    ]
    assert len(spans) > 3
    assert spans == sorted(spans)


def test_a_verdict_survives_its_json_form():
    verdict = verify(PAPER_PLAN, f"{A} has low support.", Mode.AUDIT)
    assert type(verdict).model_validate_json(verdict.to_json()) == verdict
    assert json.loads(verdict.to_json())["violations"][0]["rule"] == "wrong-bin"


def test_on_an_empty_plan_every_theme_is_unsupported():
    empty = plan_of(PAPER_UNIVERSE, [0.0] * 4)
    assert verify(empty, "No theme stands clear of the noise.").accepted
    assert verify(empty, f"{A} is listed.", Mode.AUDIT, PAPER_UNIVERSE).rules() == (
        "unsupported-label",
        "unknown-marker",
    )
