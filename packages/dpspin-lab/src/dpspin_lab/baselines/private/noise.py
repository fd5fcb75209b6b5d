"""Where a rival's randomness comes from: the operating system, or a seed for experiments."""

from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.curator.release.noise import SecureNoise
from dpspin.curator.release.seeded_noise import SimulatedNoise


def noise_from(seed: int | None) -> NoiseSource:
    """Return repeatable noise for a seed, which voids the guarantee and is said in the release; else OpenDP's.

    >>> noise_from(7).randomness, noise_from(None).randomness
    ('SIMULATED-NOT-PRIVATE', 'os-csprng')
    """
    return SecureNoise() if seed is None else SimulatedNoise(seed)
