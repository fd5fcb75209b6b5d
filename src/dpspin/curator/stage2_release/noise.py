"""The only place where a release draws noise: OpenDP's exact integer samplers, seeded by the operating system."""

from functools import cache
from types import ModuleType
from typing import Protocol

from dpspin.boundary.calibration import Sensitivity
from dpspin.boundary.privacy import PrivacyLoss, Randomness
from dpspin.curator.stage1_assign.contribution import Ints
from dpspin.errors import BoundViolation


class NoiseSource(Protocol):
    """The three draws the mechanisms need. All scales are in ticks."""

    @property
    def randomness(self) -> Randomness:
        """What the plan says about where the randomness came from."""
        ...

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add discrete Laplace noise to each value."""
        ...

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, loss: PrivacyLoss) -> list[int]:
        """Add discrete Gaussian noise to each value."""
        ...

    def peel(self, scores: Ints, rounds: int, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Pick ``rounds`` distinct positions one after the other, each with P(j) ∝ exp(score_j/scale)."""
        ...


class SecureNoise:
    """Noise for releases. It has no seed, and each draw checks its own privacy map against the budget first."""

    randomness: Randomness = "os-csprng"

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add exact discrete Laplace noise; OpenDP's map must confirm (epsilon, 0)-DP at this sensitivity."""
        dp = _opendp()
        measurement = dp.m.make_laplace(_integers(), dp.l1_distance(T="i64"), scale=scale)
        if not measurement.map(sensitivity.l1) <= epsilon:
            raise BoundViolation("the Laplace scale does not meet epsilon")
        return [int(value) for value in measurement(values.tolist())]

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, loss: PrivacyLoss) -> list[int]:
        """Add exact discrete Gaussian noise; the analytic curve must confirm (epsilon, delta)-DP."""
        dp = _opendp()
        if not _gaussian_epsilon(scale / sensitivity.l2, loss.delta) <= loss.epsilon:
            raise BoundViolation("the Gaussian scale does not meet epsilon and delta")
        measurement = dp.m.make_gaussian(_integers(), dp.l2_distance(T=float), scale=scale)
        return [int(value) for value in measurement(values.tolist())]

    def peel(self, scores: Ints, rounds: int, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Run the peeled exponential mechanism (exact Gumbel top-k); each round costs 2·Δ/scale, pure DP.

        OpenDP states this sampler's privacy as zCDP; the proof of pure DP is the paper's proposition 1.
        """
        dp = _opendp()
        if not rounds * 2 * sensitivity.coordinate / scale <= epsilon:
            raise BoundViolation("the selection scale does not meet epsilon")
        measurement = dp.m.make_noisy_top_k(
            _integers(), dp.linf_distance(T="i64"), dp.zero_concentrated_divergence(), k=rounds, scale=scale
        )
        picked = [int(position) for position in measurement(scores.tolist())]
        if len(set(picked)) != rounds:
            raise BoundViolation("the selection did not admit the stated number of distinct atoms")
        return picked


@cache  # public parameters only
def _gaussian_epsilon(multiplier: float, delta: float) -> float:
    from dp_accounting import get_epsilon_gaussian  # noqa: PLC0415  slow to import

    return float(get_epsilon_gaussian(multiplier, delta))


@cache
def _opendp() -> ModuleType:
    import opendp.prelude as dp  # noqa: PLC0415  a large library; only releases need it

    dp.enable_features("contrib")
    return dp  # type: ignore[no-any-return]


@cache
def _integers() -> object:
    dp = _opendp()
    return dp.vector_domain(dp.atom_domain(T="i64"))  # T=int would mean 32 bits
