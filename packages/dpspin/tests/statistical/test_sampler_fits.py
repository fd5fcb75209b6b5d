"""Every sampler of a release fits its law and would not fit one a tenth off. False alarms: 1e-7 per test."""

import numpy as np
import pytest

from dpspin.audit.samplers import FALSE_ALARM, SAMPLERS
from dpspin.curator.release.secure_noise import SecureNoise

pytestmark = pytest.mark.statistical
PAIRS = [sampler for sampler in SAMPLERS if "pairs" in sampler.name]


class Repeating(SecureNoise):
    """Gives two coordinates the same noise: each has the right law, together they do not."""

    def laplace(self, values, scale, sensitivity, epsilon):
        return np.repeat(super().laplace(values[::2], scale, sensitivity, epsilon), 2).tolist()

    def gaussian(self, values, scale, sensitivity, loss):
        return np.repeat(super().gaussian(values[::2], scale, sensitivity, loss), 2).tolist()


@pytest.mark.parametrize("sampler", SAMPLERS, ids=lambda sampler: sampler.name)
def test_draws_fit_the_law_and_no_law_a_tenth_off(sampler):
    fit = sampler.fit(SecureNoise())
    assert fit.chance > FALSE_ALARM
    assert fit.notices_a_tenth


@pytest.mark.parametrize("sampler", PAIRS, ids=lambda sampler: sampler.name)
def test_noise_that_is_used_twice_is_noticed(sampler):
    assert not sampler.fit(Repeating()).as_it_should_be
