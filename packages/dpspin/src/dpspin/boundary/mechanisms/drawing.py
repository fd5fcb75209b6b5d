"""How mechanisms draw: through a source of noise that they are given. The one of releases is the curator's alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dpspin.boundary.privacy import PrivacyLoss, Randomness, Sensitivity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Price:
    """What a peeled selection may cost, and the range of its scores' gaps, on which the cost rests."""

    reach: int  # ticks
    epsilon: float | None = None  # pure DP, the paper's accounting
    rho: float | None = None  # zCDP

    def covers(self, rounds: int, scale: float) -> bool:
        """Say whether so many rounds at this scale stay within the price.

        A round is reach/scale-DP and (reach/scale)²/8-zCDP (bounded range).

        >>> Price(reach=2, epsilon=1.0).covers(rounds=5, scale=10.0), Price(reach=2, rho=0.02).covers(5, scale=10.0)
        (True, False)
        """
        by_epsilon = self.epsilon is not None and rounds * self.reach / scale <= self.epsilon
        by_rho = self.rho is not None and rounds * (self.reach / scale) ** 2 / 8 <= self.rho
        return by_epsilon or by_rho


class NoiseSource(Protocol):
    """The draws that the mechanisms need. All scales are in ticks."""

    @property
    def randomness(self) -> Randomness:
        """What the plan says about where the randomness came from."""
        ...

    def laplace(self, values: "Ints", scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add discrete Laplace noise to each value."""
        ...

    def gaussian(self, values: "Ints", scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add discrete Gaussian noise to each value; the cost is (epsilon, delta), or rho in zCDP."""
        ...

    def peel(self, scores: "Ints", rounds: int, scale: float, price: Price) -> list[int]:
        """Pick ``rounds`` distinct positions one after the other, each with P(j) ∝ exp(score_j/scale)."""
        ...

    def choose_set(
        self, scores: "Ints", size: int, scale: float, sensitivity: Sensitivity, epsilon: float
    ) -> list[int]:
        """Pick a set of ``size`` positions at once, with P(S) ∝ exp(Σ_S score_j/scale), listed by position."""
        ...


@dataclass(frozen=True, slots=True)
class NoisyTicks:
    """Noisy ticks of every atom in dictionary order, or of those at ``positions``, in the order of their admission.

    ``beside`` has what is measured besides: none, and not read.
    """

    ticks: tuple[int, ...]
    beside: tuple[int, ...]
    positions: tuple[int, ...] | None = None

    @classmethod
    def of_all(cls, noisy: Sequence[int], atoms: int) -> "NoisyTicks":
        """Tell the atoms from what comes after them."""
        return cls(tuple(noisy[:atoms]), tuple(noisy[atoms:]))

    @classmethod
    def of_chosen(cls, positions: Sequence[int], noisy: Sequence[int]) -> "NoisyTicks":
        """Tell the values of the admitted atoms from what comes after them."""
        return cls(tuple(noisy[: len(positions)]), tuple(noisy[len(positions) :]), tuple(positions))
