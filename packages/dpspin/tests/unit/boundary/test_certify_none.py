"""“None of these” has its part in the intervals that hold together, and in nothing else."""

import numpy as np
import pytest

from dpspin.boundary.certify import TICK, certificates
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, RecordUnit, sensitivity_of
from dpspin.curator.release.seeded_noise import SimulatedNoise

CASES = {
    "laplace": (Laplace(), LaplaceNoise(scale=1.0), 46),
    "gaussian": (Gaussian(), GaussianNoise(sigma=1.0), 46),
    "private_topL": (PrivateTopL(), GaussianNoise(sigma=1.0), 10),
}


@pytest.mark.parametrize("case", CASES)
def test_one_more_value_takes_its_part_of_beta(case):
    mechanism, noise, contenders = CASES[case]
    without, with_none = (
        certificates(mechanism, noise, atoms=46, size=10, beta=0.05, besides=answers) for answers in (False, True)
    )
    assert with_none.interval_below == noise.upper_quantile(0.8 * 0.05 / (contenders + 1)) + TICK
    assert with_none.interval_above == pytest.approx(noise.upper_quantile(0.2 * 0.05 / 11) + TICK)
    assert with_none.interval_below > without.interval_below
    for name in ("admission_threshold", "comparison_margin", "superlative_margin"):
        assert getattr(with_none, name) == getattr(without, name)


def drawn(count):
    sensitivity = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    return np.array(SimulatedNoise(5).laplace(np.zeros(count, np.int64), TICKS_PER_MASS, sensitivity, 1.0)) * TICK


def test_all_intervals_hold_together_none_included():
    """With 3 atoms and beta 0.4 a forgotten coordinate would show: 20,000 draws, standard error 0.0035."""
    beta, atoms, size, noise_law = 0.4, 3, 1, LaplaceNoise(scale=1.0)
    c = certificates(Laplace(), noise_law, atoms=atoms, size=size, beta=beta, besides=1)
    noise = drawn(20_000 * (atoms + 1)).reshape(20_000, atoms + 1)
    listed = np.zeros_like(noise, bool)
    listed[np.arange(len(noise)), noise[:, :atoms].argmax(axis=1)] = True  # equal masses: the noise decides
    listed[:, atoms] = True
    wrong = listed & ((noise > c.interval_below) | (noise < -c.interval_above))
    assert wrong.any(axis=1).mean() <= beta
    forgotten = certificates(Laplace(), noise_law, atoms=1, size=1, beta=beta)
    assert (listed & ((noise > forgotten.interval_below) | (noise < -forgotten.interval_above))).any(
        axis=1
    ).mean() > beta
