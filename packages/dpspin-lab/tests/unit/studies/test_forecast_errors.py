"""The bar of the preview: against 1,000 simulated releases, half-widths within 3 % and chances within 0.03.

The noise is drawn in balance, one value from each stratum, so that an exact forecast fails with no seed: the measured
half-widths vary by less than 1 %, a chance is off by 0.03 with probability below 1e-6.
"""

from dataclasses import replace

import pytest

from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.privacy import PrivacyLoss
from dpspin_lab.studies.forecast_errors import cases, check_forecast

CASES = list(cases())
WIDTHS = ("noise", "below", "above", "threshold")
CHANCES = ("listed", "right", "certified")


@pytest.mark.statistical
def test_the_laplace_forecast_is_what_a_thousand_releases_show():
    error = check_forecast(CASES[0], releases=1000)
    assert max(getattr(error, name) for name in WIDTHS) < 0.03
    assert max(getattr(error, name) for name in CHANCES) < 0.03


@pytest.mark.slow
@pytest.mark.statistical
def test_the_gaussian_forecast_is_what_a_thousand_releases_show():
    error = check_forecast(replace(CASES[1], steps=(0.0, 0.5, 0.75, 1.0)), releases=1000)
    assert max(getattr(error, name) for name in WIDTHS) < 0.03
    assert max(getattr(error, name) for name in CHANCES) < 0.03


@pytest.mark.statistical
def test_a_forecast_of_other_noise_would_be_found_out(monkeypatch):
    """The check itself can fail: it sees a release whose epsilon is ten per cent smaller than was forecast."""
    from dpspin_lab.studies import forecast_errors

    def with_more_noise(sketch, universe, request, releases, noise):
        weaker = request.asking(loss=PrivacyLoss(0.9 * request.loss.epsilon))
        return simulate(sketch, universe, weaker, releases, noise)

    simulate = forecast_errors.simulate
    monkeypatch.setattr(forecast_errors, "simulate", with_more_noise)
    error = check_forecast(CASES[0], releases=200)
    assert min(getattr(error, name) for name in WIDTHS) > 0.03
    assert error.listed > 0.03


def test_every_shape_is_checked_with_both_full_sketch_mechanisms():
    assert len({case.shape for case in CASES}) >= 3
    for shape in {case.shape for case in CASES}:
        assert {case.mechanism.kind for case in CASES if case.shape == shape} == {"laplace", "gaussian"}
    assert {case.unit.kind for case in CASES} == {"record", "user"}
    assert all((case.loss.delta > 0) == isinstance(case.mechanism, Gaussian) for case in CASES)
