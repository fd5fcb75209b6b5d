"""The stated losses of the private rivals, against accountants that share no code with them."""

import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit
from dpspin.errors import RequestError
from dpspin_lab.baselines.private import urania
from dpspin_lab.baselines.private.histograms import Vocabulary, category_histogram, keyword_histogram
from dpspin_lab.baselines.private.release import GRID, LaplaceDraw, noise_from, of_indicators
from dpspin_lab.baselines.private.urania_schedule import Shape, joint_schedule, paper_schedule, public_schedule

SHAPE = Shape(clusters=10, dimension=64, words=200)
EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0)
DELTA = 1e-6


def events(schedule):
    """Translate what is drawn into the accountant's own events; keywords are five shifted counts of one each."""
    for charge in schedule.statement.charges:
        draw = charge.draw
        if isinstance(draw, LaplaceDraw):
            one = dp_accounting.LaplaceDpEvent(draw.scale)
            yield dp_accounting.SelfComposedDpEvent(one, charge.times * draw.sensitivity.l1)
        else:
            multiplier = draw.sigma / draw.sensitivity.l2
            yield dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(multiplier), charge.times)


def spent(accountant, schedule, delta):
    for event in events(schedule):
        accountant.compose(event)
    return accountant.get_epsilon(delta)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_papers_total_is_the_budget_and_covers_what_is_really_lost(epsilon):
    schedule = paper_schedule(PrivacyLoss(epsilon, DELTA), SHAPE)
    total = schedule.statement.total
    assert math.isclose(total.epsilon, epsilon, rel_tol=1e-12)
    assert math.isclose(total.delta, DELTA, rel_tol=1e-12)
    assert spent(PLDAccountant(), schedule, DELTA) <= total.epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_joint_total_is_what_the_accountant_finds(epsilon):
    schedule = joint_schedule(PrivacyLoss(epsilon, DELTA), SHAPE)
    found = spent(PLDAccountant(), schedule, DELTA)
    assert schedule.statement.total == PrivacyLoss(epsilon, DELTA)
    assert found == pytest.approx(epsilon, rel=2e-3)  # it rounds losses up to its own grid
    assert found <= spent(RdpAccountant(), schedule, DELTA)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_budget_in_which_a_draw_is_forgotten_is_found_out(epsilon):
    schedule = joint_schedule(PrivacyLoss(epsilon, DELTA), SHAPE)
    sums = schedule.rounds[0].sums
    accountant = PLDAccountant()
    for event in (*events(schedule), dp_accounting.GaussianDpEvent(sums.sigma / sums.sensitivity.l2)):
        accountant.compose(event)
    assert accountant.get_epsilon(DELTA) > epsilon * 1.02


def hockey_stick(noise, shift, epsilon):
    """Compare a discrete law on a grid with itself moved by ``shift``, term by term."""
    moved = np.roll(noise, shift)
    return float(np.maximum(noise - math.exp(epsilon) * moved, 0).sum())


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_gaussian_draws_of_one_coordinate_hold_by_brute_force(epsilon):
    counts = paper_schedule(PrivacyLoss(epsilon, DELTA), SHAPE).rounds[0].counts
    ticks = 16  # a grid coarse enough to sum up
    sigma = counts.sigma / GRID * ticks
    reach = math.ceil(12 * sigma)
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    law = weights / weights.sum()
    assert isinstance(counts.cost, PrivacyLoss)
    assert hockey_stick(law, ticks, counts.cost.epsilon) <= counts.cost.delta * 1.001


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("most", [1, 2])
def test_discrete_laplace_loses_epsilon_by_brute_force(epsilon, most):
    draw = LaplaceDraw("counts", of_indicators(most), epsilon)
    places = np.arange(-20, 21)
    logs, moved = -np.abs(places) / draw.scale, -np.abs(places - 1) / draw.scale
    every = np.add.outer(logs, logs) - np.add.outer(moved, moved) if most == 2 else logs - moved
    assert np.abs(every).max() == pytest.approx(epsilon, rel=1e-9)
    assert np.abs(every).max() <= epsilon * (1 + 1e-12)


def test_public_centres_cost_no_delta_and_all_of_epsilon():
    total = public_schedule(PrivacyLoss(1.0), SHAPE).statement.total
    assert (total.epsilon, total.delta) == (pytest.approx(1.0, rel=1e-12), 0.0)
    with pytest.raises(RequestError, match="leave delta out"):
        public_schedule(PrivacyLoss(1.0, DELTA), SHAPE)


@pytest.mark.parametrize("scheduler", [paper_schedule, joint_schedule])
def test_clusters_need_a_delta(scheduler):
    with pytest.raises(RequestError, match="needs a delta"):
        scheduler(PrivacyLoss(1.0), SHAPE)


def test_the_papers_constants():
    schedule = paper_schedule(PrivacyLoss(2.0, 3e-6), SHAPE)
    lloyd = schedule.rounds[0]
    assert len(schedule.rounds) == 3
    assert (lloyd.sums.cost.epsilon, lloyd.sums.cost.delta) == pytest.approx((0.75 * 0.3, 0.75e-6))
    assert (lloyd.counts.cost.epsilon, lloyd.counts.cost.delta) == pytest.approx((0.25 * 0.3, 0.25e-6))
    assert schedule.sizes.scale == pytest.approx(1 / 0.3)
    assert schedule.keywords.scale == pytest.approx(5 / 0.8)
    assert (urania.FEATURES, urania.DIMENSION) == (50_000, 64)
    assert (urania.CLUSTERS, urania.KEYWORDS, urania.THRESHOLD) == (10, 10, 50)


def test_the_joint_budget_buys_a_third_of_the_noise_on_sums():
    one = PrivacyLoss(1.0, DELTA)
    paper, joint = paper_schedule(one, SHAPE), joint_schedule(one, SHAPE)
    assert joint.rounds[0].sums.std < paper.rounds[0].sums.std / 3
    assert joint.keywords.std < 0.85 * paper.keywords.std


def test_histograms_state_their_loss_unit_and_adjacency():
    vocabulary = Vocabulary(("card", "loan"))
    noise = noise_from(0)
    keywords = keyword_histogram(vocabulary.indicators(["card"] * 9), vocabulary, 0.5, noise)
    categories = category_histogram(["a"] * 9, ("a", "b"), 0.5, noise, size=1)
    for release, l1 in ((keywords, 5), (categories, 1)):
        (drawn,) = release.loss.described()["draws"]
        assert release.loss.total == PrivacyLoss(0.5)
        assert (drawn["l1"], drawn["scale"]) == (l1, pytest.approx(2 * l1))
        assert (release.unit, release.adjacency) == (RecordUnit(), Adjacency.ADD_DROP)
        assert release.randomness == "SIMULATED-NOT-PRIVATE"
