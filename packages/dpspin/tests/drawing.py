"""Seeded draws of the noise that a mechanism states, for tests of what its certificates promise."""

import numpy as np

from dpspin.boundary.noise_laws import LaplaceNoise


def seeded(*seed):
    return np.random.default_rng(seed)


def drawn(noise, shape, rng):
    return (
        rng.laplace(0.0, noise.scale, shape) if isinstance(noise, LaplaceNoise) else rng.normal(0.0, noise.sigma, shape)
    )
