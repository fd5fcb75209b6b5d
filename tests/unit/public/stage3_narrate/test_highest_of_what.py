"""“Highest” is a claim about everything that was measured; where a selection chose the themes, it must say so."""

import pytest

from dpspin.boundary.calibration import noise_of
from dpspin.boundary.privacy import PrivacyLoss, PrivateTopL
from dpspin.boundary.reading import ChosenAtoms, Reading, read_noise
from dpspin.boundary.sensitivity import sensitivity_of
from dpspin.public.stage3_narrate.narrate import narrate
from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of


def chosen(masses):
    """Return a private_topL plan of the paper's themes."""
    old = PAPER_PLAN.statement
    loss, mechanism = PrivacyLoss(1.0, 1e-6), PrivateTopL()
    noise = noise_of(mechanism, loss, sensitivity_of(old.unit, old.adjacency), atoms=4, size=len(masses))
    statement = old.model_copy(update={"loss": loss, "mechanism": mechanism, "noise": noise})
    reading = Reading(denominator=2000, size=len(masses))
    return read_noise(ChosenAtoms(range(len(masses)), masses), statement, PAPER_UNIVERSE, reading, software="test")


def test_a_selection_speaks_only_of_the_listed_themes():
    plan = chosen([900.0, 300.0, 200.0])
    text = narrate(plan).text
    assert "has the highest support of the listed themes" in text
    assert verify(plan, text).accepted
    assert "unsupported-superlative" in verify(plan, "Long wait has the highest support.").rules()
    assert verify(plan, "Of the listed themes, long wait has the highest support.").accepted
    assert verify(plan, "Long wait has the highest support among the released themes.").accepted


def test_one_listed_theme_is_not_highest_by_being_alone():
    close = plan_of(PAPER_UNIVERSE, [300.0, 299.0, 5.0, 1.0], size=1)
    assert "unsupported-superlative" in verify(close, "Long wait has the highest support.").rules()
    clear = plan_of(PAPER_UNIVERSE, [300.0, 200.0, 5.0, 1.0], size=1)
    assert verify(clear, "Long wait has the highest support.").accepted


@pytest.mark.parametrize("gap", [5.0, 7.0, 30.0])
def test_the_certified_leader_is_not_also_called_inseparable(gap):
    plan = plan_of(PAPER_UNIVERSE, [300.0 + gap, 300.0, 299.5, 1.0], size=3)
    text = narrate(plan).text
    assert "With 95% confidence, “long wait” has the highest support." in text
    assert "does not tell “friendly staff” and “food quality” apart" in text
    assert verify(plan, text).accepted
