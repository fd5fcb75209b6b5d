"""A release with `preset: paper` has the paper's settings, one by one, each with the place where the paper names it."""

import pandas as pd
import pytest

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import gaussian_sigma
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.public.narrate.modes import Mode
from factories import universe_of

THEMES = [
    "late parcel",
    "broken zip",
    "rude staff",
    "wrong size",
    "lost refund",
    "cold soup",
    "noisy room",
    "dirty bed",
]
THEMES += ["slow app", "high price", "long queue", "bad smell"]
ATOMS = universe_of([Atom(id=place, label=label) for place, label in enumerate(THEMES)])
USERS, RECORDS = 150, 400


def letters(step: int, who: str) -> pd.DataFrame:
    pairs = [(THEMES[place % 12], THEMES[place * step % 12]) for place in range(RECORDS)]
    texts = [f"the {one} and the {other} again, {who}" for one, other in pairs]
    return pd.DataFrame({"words": texts, "who": [f"{who} {place % USERS}" for place in range(RECORDS)]})


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    return dpspin.release(
        letters(5, "target"),
        text="words",
        user="who",
        unit="user",
        atoms=ATOMS,
        epsilon=1,
        denominator=USERS,
        auxiliary=dpspin.Auxiliary(letters(7, "auxiliary"), text="words", user="who"),
        preset="paper",
        ledger=tmp_path_factory.mktemp("preset") / "l.db",
        dataset="generated",
    )


def test_the_map_is_the_papers_and_fitted_on_auxiliary_text(plan):
    """“Privacy boundary” and “Assignment map” (experiments): fitted on the auxiliary split, before the target."""
    assert plan.statement.contribution_map.name == "ngram"
    assert plan.statement.contribution_map.learned_from_auxiliary


def test_a_record_touches_three_atoms_at_most(plan):
    """“Assignment map”: the main configuration uses K = 3."""
    assert plan.statement.contribution_map.atoms_per_record == 3


def test_ten_atoms_are_admitted_whatever_the_noise(plan):
    """“Assignment map”, L = 10; appendix “Atom and plan parameters”: a released plan contains L admitted atoms."""
    assert plan.rules.size == len(plan.entries) == 10
    assert plan.rules.admission == "fixed"


def test_the_mechanism_is_the_gaussian_sketch(plan):
    """The quality tables and examples of the experiments: “Gaussian sketch + top-L”."""
    assert plan.statement.mechanism == dpspin.Gaussian()


def test_the_calibration_is_analytic(plan):
    """Appendix “Grouped run summaries” (Gaussian calibration), after Balle and Wang; theorem 2."""
    sigma = gaussian_sigma(float(TICKS_PER_MASS), plan.statement.loss, len(THEMES)) / TICKS_PER_MASS
    assert plan.statement.noise.sigma == pytest.approx(sigma)


def test_delta_is_that_of_the_runs(plan):
    """Appendix “Privacy mechanism and budgets”: delta is a field of every run; ours have 1e-6."""
    assert plan.statement.loss == dpspin.PrivacyLoss(1.0, 1e-6)


def test_neighbours_are_add_drop(plan):
    """Appendix “Privacy mechanism and budgets”: all reported experiments use add/drop adjacency."""
    assert plan.statement.adjacency is dpspin.Adjacency.ADD_DROP


def test_a_user_contributes_a_mass_of_one_at_most(plan):
    """Figure “User-level plan utility”: B = 1."""
    assert plan.statement.unit == dpspin.UserUnit(bound=1.0)


def test_the_denominator_is_the_configured_number_of_units(plan):
    """Appendix “Public denominator”: d_public = n_users, fixed before the records are read."""
    assert plan.denominator.value == USERS


def test_bins_are_high_moderate_and_low(plan):
    """Appendix “Decoder modes”: bins are named so; their floors are not published, and stay ours."""
    assert [each.name for each in plan.rules.bins] == ["high", "moderate", "low"]


def test_orders_are_read_by_a_fixed_public_margin(plan):
    """Appendix “Verifier”: the comparison margin is public and fixed before evaluation; it is 0 here."""
    assert plan.rules.margin.kind == "fixed"
    assert plan.rules.comparison_margin == plan.rules.superlative_margin == 0.0


@pytest.mark.parametrize("mode", list(Mode))
def test_the_template_decoder_writes_both_modes(plan, mode):
    """Appendix “Generated configurations”: the sweeps use decoder_backend=template, in audit or display mode."""
    written = dpspin.narrate(plan, ATOMS, mode=mode.value)
    assert len(written.attempts) == 1
    assert dpspin.verify(plan, written.text, mode=mode.value, atoms=ATOMS).accepted
