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

CLOSE = plan_of(PAPER_UNIVERSE, [300.0, 297.0, 290.0, 1.0], size=3)


def verify(plan, text, mode="display"):
    return verify_with(plan, text, mode, PAPER_UNIVERSE)


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


@pytest.mark.parametrize(
    ("margin", "accepted"), [(CertifiedMargins(), False), (FixedMargin(mass=0.0), True), (FixedMargin(mass=3.5), False)]
)
def test_the_verifier_applies_the_margin_of_the_plan(margin, accepted):
    plan = read_with(margin)
    assert verify(plan, "Long wait has higher support than friendly staff.").accepted is accepted


def test_under_a_fixed_margin_rank_one_is_the_highest():
    said = "Long wait has the highest released rank (15.0%)."
    assert verify(read_with(FixedMargin(mass=5.0)), said).accepted
    assert not verify(read_with(FixedMargin(mass=5.0)), "Long wait is the largest theme (15.0%).").accepted
    assert not verify(read_with(CertifiedMargins()), "Long wait is the largest theme (15.0%).").accepted


@pytest.mark.parametrize("mass", [0.0, 3.5, 50.0])
@pytest.mark.parametrize("mode", ["display", "audit"])
def test_the_template_claims_no_confidence_for_a_fixed_margin(mass, mode):
    plan = read_with(FixedMargin(mass=mass))
    text = narrate(plan, PAPER_UNIVERSE, mode=mode).text
    assert verify(plan, text, mode).accepted
    assert "confidence" not in text
    assert "highest released rank" in text


def test_a_text_may_not_claim_confidence_for_a_fixed_margin():
    said = "Long wait is listed. With 95% confidence, the privacy noise has not changed the order of the listed themes."
    assert not verify(read_with(FixedMargin(mass=0.0)), said).accepted
    assert verify(PAPER_PLAN, said).accepted


def test_the_template_says_how_the_order_was_decided():
    assert (
        "that of a public margin, and the noise leaves it uncertain"
        in narrate(read_with(FixedMargin(mass=0.0)), PAPER_UNIVERSE).text
    )
    assert "The public margin does not separate" in narrate(read_with(FixedMargin(mass=8.0)), PAPER_UNIVERSE).text


def test_the_report_says_that_a_fixed_margin_bounds_no_error():
    assert "It bounds no error" in report(read_with(FixedMargin(mass=1.0)), PAPER_UNIVERSE)
    assert "It bounds no error" not in report(CLOSE, PAPER_UNIVERSE)


@pytest.mark.parametrize("mass", [-1.0, float("nan"), float("inf")])
def test_a_margin_is_a_mass(mass):
    forged = json.loads(PAPER_PLAN.to_json())
    forged["rules"]["margin"] = {"kind": "fixed", "mass": mass}
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(forged))
