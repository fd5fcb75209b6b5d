"""What the boundary refuses: dictionaries, requests and plans whose parts do not fit together."""

import json
import math
import sys

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import gaussian_sigma
from dpspin.boundary.certify import three_bins
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise, reread
from dpspin.errors import DictionaryError, InputError, MissingExtra, PlanError, RequestError
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of
from report_cards import card_of, identity

FIXED = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], size=3, admission="fixed")


def chosen(masses=(900.0, 300.0, 200.0)):
    """Return a private_topL plan of the first themes."""
    old = PAPER_PLAN.statement
    loss, mechanism = PrivacyLoss(1.0, 1e-6), PrivateTopL()
    noise = noise_of(mechanism, loss, sensitivity_of(old.unit, old.adjacency), atoms=4, size=len(masses))
    statement = old.model_copy(update={"loss": loss, "mechanism": mechanism, "noise": noise})
    reading = ReaderChoices(denominator=2000, size=len(masses))
    return read_noise(
        NoisyMasses(masses, positions=range(len(masses))), statement, PAPER_UNIVERSE, reading, software="test"
    )


def forged(plan, change):
    content = json.loads(plan.to_json())
    change(content)
    return json.dumps(content)


def refusal(plan, change):
    with pytest.raises(PlanError) as refused:
        SemanticPlan.from_json(forged(plan, change))
    return str(refused.value)


def test_a_plan_longer_than_its_size():
    def shorten(plan):
        plan["rules"]["size"] = 2

    assert "more atoms than its size" in refusal(FIXED, shorten)


def test_ranks_that_do_not_follow_the_masses():
    def swap(plan):
        first, second = plan["entries"][:2]
        first["rank"], second["rank"] = 2, 1
        plan["entries"][:2] = [second, first]

    assert "ranks must follow" in refusal(FIXED, swap)


def test_an_entry_in_the_noise_under_a_threshold():
    def lower(plan):
        plan["rules"]["admission"] = "threshold"

    low = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 2.0, 1.3], size=3, admission="fixed")
    assert "does not clear the admission threshold" in refusal(low, lower)


def test_a_private_selection_with_an_entry_left_out():
    assert "exactly as many atoms" in refusal(chosen(), lambda plan: plan["entries"].pop())


def test_bins_of_one_name():
    def rename(plan):
        plan["rules"]["bins"][1]["name"] = "high"

    assert "different names" in refusal(PAPER_PLAN, rename)


def test_a_private_selection_is_read_again_with_its_own_size_only():
    plan = chosen()
    assert reread(plan, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=3)).entries[0].support == pytest.approx(
        0.9
    )
    with pytest.raises(RequestError, match="another size needs another release"):
        reread(plan, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=2))
    with pytest.raises(RequestError, match="a threshold does not apply"):
        reread(plan, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=3, admission="threshold"))


def test_a_report_card_of_another_dictionary():
    contribution_map = PAPER_PLAN.statement.contribution_map.model_copy(
        update={"card": card_of(identity(5), ids=[1, 2, 3, 4])}
    )
    statement = PAPER_PLAN.statement.model_copy(update={"contribution_map": contribution_map})
    with pytest.raises(DictionaryError, match="report card is of another dictionary"):
        read_noise(
            NoisyMasses([1.0] * 4), statement, PAPER_UNIVERSE, ReaderChoices(denominator=1, size=3), software="test"
        )


def test_atoms_have_words_of_their_own():
    assert Atom(id=1, label="long wait", description="Guests wait.").text == "long wait. Guests wait."
    twins = [Atom(id=1, label="long wait"), Atom(id=2, label="long wait")]
    with pytest.raises((InputError, ValueError), match="two atoms share"):
        universe_of(twins)


@pytest.mark.parametrize("bound", [0.0, -1.0, math.inf, math.nan, 2.0**21])
def test_a_bound_that_is_none(bound):
    with pytest.raises(RequestError, match="user bound"):
        UserUnit(bound=bound)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.0, 0.0), (-1.0, 0.0), (math.nan, 0.0), (1.0, -0.1), (1.0, 1.0)])
def test_a_loss_that_is_none(epsilon, delta):
    with pytest.raises(RequestError, match=r"epsilon must|delta must"):
        PrivacyLoss(epsilon, delta)


def test_a_delta_that_the_mechanism_needs_or_does_not_use():
    with pytest.raises(RequestError, match="needs a delta"):
        Gaussian().require_fitting_loss(PrivacyLoss(1.0))
    with pytest.raises(RequestError, match="leave delta out"):
        Laplace().require_fitting_loss(PrivacyLoss(1.0, 1e-6))


def test_a_delta_below_the_tail_of_the_discrete_gaussian():
    with pytest.raises(RequestError, match="does not fit gaussian noise"):
        gaussian_sigma(2.0**30, PrivacyLoss(1.0, 1e-44), coordinates=46)


def test_a_frame_of_the_entries_needs_pandas(monkeypatch):
    assert list(PAPER_PLAN.to_frame()["rank"]) == [1, 2, 3]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="frames"):
        PAPER_PLAN.to_frame()


def test_three_bins_are_listed_from_high_to_low():
    assert [one.name for one in three_bins(0.1, 0.05)] == ["high", "moderate", "low"]
