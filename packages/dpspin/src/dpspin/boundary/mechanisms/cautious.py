"""A toy: Laplace noise that is wider than epsilon needs. It shows what a new mechanism takes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.mechanisms.base import Audited, ReleaseMechanism, Task
from dpspin.boundary.mechanisms.drawing import FullSketch, NoiseSource
from dpspin.boundary.noise import LaplaceNoise
from dpspin.boundary.privacy import PrivacyLoss

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints


class Cautious(ReleaseMechanism):
    """Discrete Laplace noise, ``caution`` times as wide as theorem 1 asks: (epsilon, 0)-DP with something to spare."""

    parameters: ClassVar[Mapping[str, str]] = {"caution": "how many times the needed scale is drawn"}

    kind: Literal["cautious"] = "cautious"
    caution: float = Field(1.1, ge=1, le=2)

    def noise(self, task: Task) -> LaplaceNoise:
        """Return Laplace(caution·Δ1/eps)."""
        return LaplaceNoise(scale=self.caution * laplace_scale(task.sensitivity.l1, task.loss.epsilon))

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> FullSketch:
        """Add the noise to all coordinates."""
        noisy = source.laplace(ticks, self.noise(task).scale, task.sensitivity, task.loss.epsilon)
        return FullSketch.of(noisy, task.atoms)

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        del size
        return f"discrete Laplace noise, {self.caution:g} times as wide as needed, on every theme{besides}"

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Return the case of the audit."""
        return (Audited("cautious", cls(), PrivacyLoss(1.5), size=2, crowd=(1, 1, 1)),)
