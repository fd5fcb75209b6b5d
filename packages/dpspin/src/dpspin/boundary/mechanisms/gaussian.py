"""Gaussian noise on every coordinate: less of it where a unit may touch many atoms at full weight."""

from typing import TYPE_CHECKING, Any, Literal

from dpspin.boundary.calibration import gaussian_rho, gaussian_sigma
from dpspin.boundary.mechanisms.base import Audited, ReleaseMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks
from dpspin.boundary.noise_laws import AnyNoise, GaussianNoise
from dpspin.boundary.privacy import PrivacyLoss, Sensitivity

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints


class Gaussian(ReleaseMechanism):
    """Discrete Gaussian noise on all coordinates; (epsilon, delta)-DP (theorem 2)."""

    kind: Literal["gaussian"] = "gaussian"

    @property
    def needs_delta(self) -> bool:
        """Whether its promise has one."""
        return True

    def noise(self, task: Task) -> GaussianNoise:
        """Return the noise that the analytic calibration gives."""
        return GaussianNoise(sigma=gaussian_sigma(task.sensitivity.l2, task.loss, task.coordinates))

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Add Gaussian noise to all coordinates, calibrated analytically: (eps, delta)-DP (theorem 2)."""
        return NoisyTicks.of_all(
            source.gaussian(ticks, self.noise(task).sigma, task.sensitivity, task.loss), task.atoms
        )

    def rho(self, loss: PrivacyLoss, noise: AnyNoise, sensitivity: Sensitivity, size: int) -> float:
        """Return what the noise costs, whatever epsilon and delta it was calibrated to."""
        del loss, size
        return gaussian_rho(noise, sensitivity)

    @classmethod
    def loss_distribution(cls, epsilon: float, delta: float, interval: float) -> Any:  # noqa: ANN401
        """Return the distribution of Gaussian noise, relative to a sensitivity of one."""
        from dp_accounting import get_sigma_gaussian  # noqa: PLC0415  slow to import
        from dp_accounting.pld import privacy_loss_distribution as pld  # noqa: PLC0415

        return pld.from_gaussian_mechanism(get_sigma_gaussian(epsilon, delta), value_discretization_interval=interval)

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        del size
        return f"discrete Gaussian noise on every theme of the dictionary{besides}"

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Return the case of the audit."""
        return (Audited("gaussian", cls(), PrivacyLoss(1.0, 0.2), size=2, crowd=(1, 1, 1)),)
