"""Certified margins, or the paper's fixed public margin: whichever the plan states is the one that is applied."""

import json

import pytest

from dpspin.boundary.certify import CertifiedMargins, FixedMargin
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.reading import Reading, reread
from dpspin.errors import PlanError
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify as verify_with
from dpspin.public.report.folder import report
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of

BY_MARGIN = "Any order of the listed themes rests on a public margin, which bounds no error of the noise."
NEVER_TESTED = "This release holds no test of how well the map sorts."
NOT_A_COUNT = "A share is a bounded noisy measure, not a count of records or users."
CLOSE = plan_of(PAPER_UNIVERSE, [300.0, 297.0, 290.0, 1.0], size=3)


def verify(plan, text, mode="display"):
    """Judge a text that says at least that nobody tested the map."""
    told = text if NEVER_TESTED in text else f"{text} {NEVER_TESTED}"
    return verify_with(plan, told, mode, PAPER_UNIVERSE)


def read_with(margin, plan=CLOSE):
    return reread(plan, PAPER_UNIVERSE, Reading(denominator=2000, size=3, margin=margin))


def test_certified_margins_are_the_default_and_stand_in_the_plan():
    assert PAPER_PLAN.rules.margin == CertifiedMargins()
    assert PAPER_PLAN.rules.comparison_margin == PAPER_PLAN.rules.certificates.comparison_margin
    assert PAPER_PLAN.rules.superlative_margin == PAPER_PLAN.rules.certificates.superlative_margin
    assert json.loads(PAPER_PLAN.to_json())["rules"]["margin"] == {"kind": "certified"}


def test_a_fixed_margin_changes_what_is_said_and_no_number():
    fixed = read_with(FixedMargin(mass=0.0))
    assert (fixed.rules.comparison_margin, fixed.rules.superlative_margin) == (0.0, 0.0)
    assert fixed.entries == read_with(CertifiedMargins()).entries
    assert fixed.rules.certificates == CLOSE.rules.certificates
    assert SemanticPlan.from_json(fixed.to_json()) == fixed


@pytest.mark.parametrize(("mass", "accepted"), [(0.0, False), (2.9, False), (3.5, True), (50.0, True)])
def test_the_verifier_applies_the_margin_of_the_plan(mass, accepted):
    plan = read_with(FixedMargin(mass=mass))
    said = "The intervals of “long wait” and “friendly staff” overlap."
    assert verify(plan, f"{BY_MARGIN} {said}").accepted is accepted
    assert not verify(CLOSE, said).accepted
    assert verify(CLOSE, said.replace("public margin", "noise")).accepted


@pytest.mark.parametrize("mass", [0.0, 5.0])
@pytest.mark.parametrize(
    "said", ["“Long wait” has a larger share than “food quality”.", "More was filed under “long wait” than under any other theme (15.0%)."]
)
def test_a_fixed_margin_orders_released_values_and_supports_no_order_of_the_themes(mass, said):
    verdict = verify(read_with(FixedMargin(mass=mass)), f"{BY_MARGIN} {said} {NOT_A_COUNT}")
    assert verdict.rules() == ("unsupported-comparison",)


def test_under_a_fixed_margin_rank_one_is_the_highest_and_the_margin_is_called_one():
    said = (
        "“Long wait” has the highest released share (15.0%), and may not be the largest without the privacy noise. "
        f"{NOT_A_COUNT}"
    )
    plan = read_with(FixedMargin(mass=5.0))
    assert verify(plan, f"{said} {BY_MARGIN}").accepted
    assert verify(plan, said).rules() == ("left-unsaid",)
    assert verify(CLOSE, said).accepted
    assert verify(CLOSE, BY_MARGIN).rules() == ("wrong-parameter", "no-theme")
    largest = f"More was filed under “long wait” than under any other theme (15.0%). {NOT_A_COUNT}"
    assert verify(CLOSE, largest).rules() == ("unsupported-superlative",)


@pytest.mark.parametrize("mass", [0.0, 3.5, 50.0])
@pytest.mark.parametrize("mode", ["display", "audit"])
@pytest.mark.parametrize("read", [CLOSE, PAPER_PLAN], ids=["close", "apart"])
def test_the_template_claims_no_confidence_for_a_fixed_margin(mass, mode, read):
    plan = read_with(FixedMargin(mass=mass), read)
    text = narrate(plan, PAPER_UNIVERSE, mode=mode).text
    assert verify(plan, text, mode).accepted
    assert "confidence" not in text
    assert "the largest theme" not in text
    assert BY_MARGIN in text
    assert ("has the highest released share" in text) is (read is CLOSE)  # what leads beyond the noise is no maybe


def test_a_text_may_not_claim_confidence_for_a_fixed_margin():
    said = (
        "“Long wait” is listed. With 95% confidence, the privacy noise has not changed the order of the listed themes."
    )
    assert verify(read_with(FixedMargin(mass=0.0)), f"{said} {BY_MARGIN}").rules() == ("unsupported-comparison",)
    assert verify(PAPER_PLAN, said).accepted


def test_the_template_says_how_the_order_was_decided():
    (opening, *_) = narrate(read_with(FixedMargin(mass=0.0)), PAPER_UNIVERSE).text.split("\n\n")
    assert BY_MARGIN in opening
    assert BY_MARGIN not in narrate(CLOSE, PAPER_UNIVERSE).text
    assert "The public margin does not separate" in narrate(read_with(FixedMargin(mass=8.0)), PAPER_UNIVERSE).text


def test_the_report_says_that_a_fixed_margin_bounds_no_error():
    assert "it bounds no error" in report(read_with(FixedMargin(mass=1.0)), PAPER_UNIVERSE)
    assert "it bounds no error" not in report(CLOSE, PAPER_UNIVERSE)


@pytest.mark.parametrize("mass", [-1.0, float("nan"), float("inf")])
def test_a_margin_is_a_mass(mass):
    forged = json.loads(PAPER_PLAN.to_json())
    forged["rules"]["margin"] = {"kind": "fixed", "mass": mass}
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(forged))
