"""Chances are those of the noise itself: by integration, at the ends, and in the curves."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace, norm

from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit
from dpspin.public.preview.forecast import forecast

LAWS = [(LaplaceNoise(scale=2.0), laplace(scale=2.0)), (GaussianNoise(sigma=3.0), norm(scale=3.0))]
MECHANISMS = [(Laplace(), 0.0), (Gaussian(), 1e-6), (PrivateTopL(), 1e-6)]


def forecast_by(mechanism, delta, **changes):
    shape = {"atoms": 46, "size": 10, "denominator": 2000} | changes
    return forecast(RecordUnit(), Adjacency.ADD_DROP, PrivacyLoss(1.0, delta), mechanism, **shape)


@pytest.mark.parametrize(("noise", "law"), LAWS, ids=["laplace", "gaussian"])
@pytest.mark.parametrize("distance", [-9.0, -0.5, 0.0, 1.3, 7.0])
def test_tails_are_those_of_the_law_and_of_its_difference(noise, law, distance):
    assert noise.tail(distance) == pytest.approx(law.sf(distance), rel=1e-12)
    by_integration, _ = quad(lambda z: law.pdf(z) * law.sf(distance + z), -60, 60, points=[0.0, -distance], limit=200)
    assert noise.difference_tail(distance) == pytest.approx(by_integration, abs=1e-9)


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS, ids=str)
def test_what_is_called_reliable_has_a_chance_of_95_percent(mechanism, delta):
    it = forecast_by(mechanism, delta)
    assert it.listed_at(it.reliably_seen.points / 100).chance == pytest.approx(0.95)
    assert it.listed_at(it.admission_threshold.points / 100).chance == pytest.approx(0.5)
    assert it.ordered_at(it.reliably_right.points / 100).right == pytest.approx(0.95)
    assert it.ordered_at(it.reliably_certified.points / 100).certified == pytest.approx(0.95)


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS[:2], ids=str)
def test_no_theme_of_zero_support_is_listed_but_with_probability_beta(mechanism, delta):
    false_alarm = forecast_by(mechanism, delta).listed_at(0.0).chance
    assert -math.expm1(46 * math.log1p(-false_alarm)) == pytest.approx(0.05, rel=1e-6)


def test_at_no_gap_both_orders_are_equally_likely_and_rarely_said():
    it = forecast_by(Laplace(), 0.0).ordered_at(0.0)
    assert it.right == 0.5
    assert it.certified == it.wrong == pytest.approx(0.05 / 45 / 2, rel=1e-6)


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS, ids=str)
def test_curves_rise_from_zero_to_twice_what_is_reliable(mechanism, delta):
    it = forecast_by(mechanism, delta)
    for curve, chance, reliable in (
        (it.admission, "chance", it.reliably_seen),
        (it.order, "right", it.reliably_certified),
        (it.order, "certified", it.reliably_certified),
    ):
        assert curve[0].mass == 0
        assert curve[-1].mass == pytest.approx(2 * reliable.mass)
        chances = [getattr(point, chance) for point in curve]
        assert (np.diff(chances) >= 0).all()
        assert chances[-1] > 0.99


def test_curves_end_where_all_the_mass_is():
    it = forecast_by(Laplace(), 0.0, denominator=5)
    assert it.admission[-1].mass == it.order[-1].mass == 5
    assert it.admission[-1].points == 100
