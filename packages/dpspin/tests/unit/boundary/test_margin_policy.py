"""Certified margins, or the paper's fixed public margin: whichever the plan states is the one that is applied."""

import json

import pytest

from dpspin.boundary.certify import CertifiedMargins, FixedMargin
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.read_plan import ReaderChoices, reread
from dpspin.errors import PlanError
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import verify as verify_with
from dpspin.public.report.folder import report
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of

NEVER_TESTED = "The map is untested, so nobody knows how well it sorts these records."
WHAT_SHARES_ARE = (
    "A share is a bounded noisy measure, not a count of records or users. Shares refer to a declared total of 2,000."
)
CLOSE = plan_of(PAPER_UNIVERSE, [300.0, 297.0, 290.0, 1.0], size=3)


def verify(plan, text, mode="display"):
    """Judge a text that says at least that nobody tested the map."""
    told = text if NEVER_TESTED in text else f"{text} {NEVER_TESTED}"
    return verify_with(plan, told, mode, PAPER_UNIVERSE)


def read_with(margin, plan=CLOSE):
    return reread(plan, PAPER_UNIVERSE, ReaderChoices(denominator=2000, size=3, margin=margin))


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


@pytest.mark.parametrize("margin", [CertifiedMargins(), FixedMargin(mass=0.0), FixedMargin(mass=50.0)])
def test_that_intervals_overlap_is_true_under_every_margin(margin):
    plan = read_with(margin)
    assert verify(plan, "The intervals of “long wait” and “friendly staff” overlap.").accepted
    assert verify(plan, "The intervals of “long wait” and “food quality” overlap.").rules() == (
        "unsupported-comparison",
    )


@pytest.mark.parametrize("mass", [0.0, 5.0])
@pytest.mark.parametrize(
    "said",
    [
        f"“Long wait” has a larger share than “food quality”. {WHAT_SHARES_ARE}",
        f"“Long wait” has the largest share of all themes, as filed (15.0%). {WHAT_SHARES_ARE}",
        "With 95% confidence, the privacy noise has not changed the order of the listed themes. “Long wait” is listed.",
    ],
)
def test_a_fixed_margin_supports_no_order_of_the_themes(mass, said):
    assert verify(read_with(FixedMargin(mass=mass)), said).rules() == ("unsupported-comparison",)


def test_certified_margins_support_the_order_that_they_certify():
    said = f"“Long wait” has a larger share than “food quality”. {WHAT_SHARES_ARE}"
    assert verify(CLOSE, said).accepted
    assert verify(CLOSE, said.replace("food quality", "friendly staff")).rules() == ("unsupported-comparison",)


@pytest.mark.parametrize("margin", [CertifiedMargins(), FixedMargin(mass=5.0)])
def test_the_highest_released_share_is_named_with_the_interval_that_it_overlaps(margin):
    said = "“Long wait” has the highest released share (15.0%), but its interval overlaps that of “friendly staff”."
    assert verify(read_with(margin), f"{said} {WHAT_SHARES_ARE}").accepted


@pytest.mark.parametrize("mass", [0.0, 3.5, 50.0])
@pytest.mark.parametrize("mode", ["display", "audit"])
@pytest.mark.parametrize("read", [CLOSE, PAPER_PLAN], ids=["close", "apart"])
def test_the_template_claims_no_confidence_for_a_fixed_margin(mass, mode, read):
    plan = read_with(FixedMargin(mass=mass), read)
    text = narrate(plan, PAPER_UNIVERSE, mode=mode).text
    assert verify(plan, text, mode).accepted
    assert "confidence" not in text
    assert "than under any other" not in text
    assert ("has the highest released share" in text) is (read is CLOSE)  # intervals that are apart overlap nowhere


def test_the_report_says_that_a_fixed_margin_bounds_no_error():
    assert "it bounds no error" in report(read_with(FixedMargin(mass=1.0)), PAPER_UNIVERSE)
    assert "it bounds no error" not in report(CLOSE, PAPER_UNIVERSE)


@pytest.mark.parametrize("mass", [-1.0, float("nan"), float("inf")])
def test_a_margin_is_a_mass(mass):
    forged = json.loads(PAPER_PLAN.to_json())
    forged["rules"]["margin"] = {"kind": "fixed", "mass": mass}
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(forged))
