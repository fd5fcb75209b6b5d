"""Laplace noise on every coordinate: pure differential privacy, and the default."""

import math
from typing import TYPE_CHECKING, Any, Literal

from dpspin.boundary.calibration import laplace_scale, pure_rho
from dpspin.boundary.mechanisms.base import Audited, ReleaseMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks
from dpspin.boundary.noise_laws import AnyNoise, LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivacyLoss, Sensitivity

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints

FINE = 2.0**16  # ticks of noise: from here on the discrete law costs what the continuous one does, to nine digits


class Laplace(ReleaseMechanism):
    """Discrete Laplace noise on all coordinates; (epsilon, 0)-DP (theorem 1). The default."""

    kind: Literal["laplace"] = "laplace"

    def noise(self, task: Task) -> LaplaceNoise:
        """Return Laplace(Δ1/eps)."""
        return LaplaceNoise(scale=laplace_scale(task.sensitivity.l1, task.loss.epsilon))

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Add Laplace(Δ1/eps) to all coordinates: (eps, 0)-DP (theorem 1)."""
        noisy = source.laplace(ticks, self.noise(task).scale, task.sensitivity, task.loss.epsilon)
        return NoisyTicks.of_all(noisy, task.atoms)

    def rho(self, loss: PrivacyLoss, noise: AnyNoise, sensitivity: Sensitivity, size: int) -> float:
        """Return the tight price where the grid is fine, and that of every pure mechanism elsewhere."""
        del sensitivity, size
        return laplace_rho(loss.epsilon) if noise.std * TICKS_PER_MASS >= FINE else pure_rho(loss.epsilon)

    @classmethod
    def loss_distribution(cls, epsilon: float, delta: float, interval: float) -> Any:  # noqa: ANN401
        """Return the distribution of Laplace noise with the whole bound on one coordinate, which is the worst case."""
        from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: PLC0415  slow to import

        del delta
        return pld.from_laplace_mechanism(1 / epsilon, value_discretization_interval=interval)

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        del size
        return f"discrete Laplace noise on every theme of the dictionary{besides}"

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Return the case of the audit."""
        return (Audited("laplace", cls(), PrivacyLoss(1.5), size=2, crowd=(1, 1, 1)),)


def laplace_rho(epsilon: float) -> float:
    """Return eps + e^-eps - 1, the tight zCDP of Laplace noise on a fine grid (Harrison and Manurangsi 2026).

    It is convex and zero at zero, hence superadditive: a unit that spreads its bound over coordinates costs no more.

    >>> round(laplace_rho(1.0), 6), round(laplace_rho(0.1), 8)
    (0.367879, 0.00483742)
    """
    return min(pure_rho(epsilon), epsilon + math.expm1(-epsilon))
