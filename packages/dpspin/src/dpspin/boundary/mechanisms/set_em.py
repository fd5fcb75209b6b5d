"""One private choice of a whole set, then Laplace values on its atoms: pure differential privacy."""

import math
from typing import TYPE_CHECKING, Literal

from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.mechanisms.base import Audited, Regret, SelectingMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.privacy import PrivacyLoss, Sensitivity

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints

NARROWEST_COIN = 16.0  # ticks: the level of the coins is a whole number, and that rounding must not upset them


class SetSelection(SelectingMechanism):
    """One exponential mechanism over all sets of L atoms, P(S) ∝ exp(eps·Σ_S C_j/range), then Laplace values.

    Theorem (set-EM): between neighbours the mass of a set moves by at most r = max_S Σ_S x_j for one unit's x, which
    the L1 bound caps whatever L is; one way under add/drop (range r), both ways under replacement (range 2r). So one
    draw of the whole set is eps-DP, without the factor L of peeling. The values cost ``value_fraction`` of epsilon.
    """

    kind: Literal["set_em"] = "set_em"

    def noise(self, task: Task) -> LaplaceNoise:
        """Return the noise on the values; the choice before it has its own."""
        return LaplaceNoise(scale=laplace_scale(task.sensitivity.l1, self.split(task.loss).values.epsilon))

    def selection_scale(self, task: Task) -> float:
        """Return the scale of the choice."""
        return set_scale(task.sensitivity, self.split(task.loss).selection, task.size)

    def scales(self, task: Task) -> tuple[float, ...]:
        """Return the scales of both draws."""
        return self.selection_scale(task), self.noise(task).scale

    def is_too_fine(self, task: Task) -> bool:
        """Tell whether the grid is too coarse for the coins of the choice."""
        return not self.selection_scale(task) >= NARROWEST_COIN

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Admit a set of L atoms by one draw of set-EM, then measure those with Laplace noise: (eps, 0)-DP."""
        paid, reach = self.split(task.loss), task.sensitivity
        scale = self.selection_scale(task)
        positions = source.choose_set(ticks[: task.atoms], task.size, scale, reach, paid.selection)
        chosen = ticks[self.measured(positions, task)]
        noisy = source.laplace(chosen, self.noise(task).scale, reach, paid.values.epsilon)
        return NoisyTicks.of_chosen(positions, noisy)

    def regret(self, task: Task, beta: float) -> Regret:
        """Bound the mass that the choice may miss: s·(ln C(m, L) + ln(1/beta)), except with probability beta."""
        lost = self.selection_scale(task) * math.log(math.comb(task.atoms, task.size) / beta)
        return Regret(lost, lost)

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        return (
            f"a private choice of {size} themes by one exponential mechanism over all sets of {size}, then "
            f"discrete Laplace noise on their values{besides}; the values take {self.value_percent}% of epsilon"
        )

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Put nearly all of epsilon on one of the two payments, so that each is seen by itself."""
        return (
            Audited("set_em, selection", cls(value_fraction=0.02), PrivacyLoss(1.5), size=1, crowd=(1, 0)),
            Audited("set_em, values", cls(value_fraction=0.98), PrivacyLoss(1.5), size=2, crowd=(1, 1)),
        )


def set_scale(sensitivity: Sensitivity, epsilon: float, size: int) -> float:
    """Return the scale s of set-EM, P(S) ∝ exp(Σ_S C_j/s): the range of a set's mass over epsilon.

    >>> from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, RecordUnit, sensitivity_of
    >>> set_scale(sensitivity_of(RecordUnit(), Adjacency.ADD_DROP), epsilon=0.5, size=10) / TICKS_PER_MASS
    2.0000000000000004
    """
    return laplace_scale(sensitivity.of_sets(size), epsilon)
