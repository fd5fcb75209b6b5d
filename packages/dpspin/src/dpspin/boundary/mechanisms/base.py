"""What every mechanism answers for: its noise, its draw, its price, what it may miss, its words, how it is audited.

A mechanism is one file beside this one. It states its parameters as a frozen value that travels in the plan, and all
else follows from them and from public numbers. ``tests/contract/test_mechanism_contract.py`` holds it to its word.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import Field

from dpspin.boundary.calibration import loss_on_sample, pure_rho, rate_of
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise, GumbelNoise
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    TICKS_PER_MASS,
    Adjacency,
    AnyQuantity,
    AnySampling,
    PrivacyLoss,
    Sensitivity,
)
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints

BOTH_ADJACENCIES = (Adjacency.ADD_DROP, Adjacency.REPLACE)


@dataclass(frozen=True, slots=True)
class Task:
    """What a mechanism is asked to do, all of it public: enough to calibrate every draw.

    ``loss`` is what may be spent on the units that are measured, once a count is paid for and a sample is drawn.
    """

    loss: PrivacyLoss
    sensitivity: Sensitivity
    atoms: int
    size: int
    besides: int = 0  # coordinates that are no atoms: "none of these" and "not read"

    @property
    def coordinates(self) -> int:
        """How many values a full sketch has."""
        return self.atoms + self.besides

    @property
    def values(self) -> int:
        """How many values are drawn for the admitted atoms and for what needs no admission."""
        return self.size + self.besides


@dataclass(frozen=True, slots=True)
class Regret:
    """What a private choice may miss, in ticks: bounds that hold together with probability 1 - beta on any data.

    ``one_choice``: no choice is smaller than the largest one left by more. ``all_choices``: the chosen atoms together
    have less mass than the L largest by no more.
    """

    one_choice: float
    all_choices: float


@dataclass(frozen=True, slots=True)
class Audited:
    """A mechanism at parameters where a fault shows after few releases, and the crowd in which one unit shows best.

    The crowd says how many other units are on each atom, and so how many atoms the dictionary has.
    """

    name: str
    mechanism: "ReleaseMechanism"
    loss: PrivacyLoss
    size: int
    crowd: tuple[int, ...]
    adjacencies: tuple[Adjacency, ...] = BOTH_ADJACENCIES  # where the mechanism is offered
    quantity: AnyQuantity = MASS
    sampling: AnySampling = EVERYONE


class ReleaseMechanism(FrozenModel, ABC):
    """The base of all mechanisms. Scales are in ticks."""

    selects: ClassVar[bool] = False  # it publishes L chosen atoms; the others publish every noisy mass
    parameters: ClassVar[Mapping[str, str]] = {}  # fields that a caller may set, and what they do

    kind: str

    @abstractmethod
    def noise(self, task: Task) -> AnyNoise:
        """Return the noise that lies on a released value."""

    @abstractmethod
    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Draw noisy ticks from the exact ones: the atoms in dictionary order, then what is measured besides."""

    @abstractmethod
    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums; ``besides`` names the values that are no themes."""

    @classmethod
    @abstractmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Return the cases in which the audit tries to refute it."""

    @property
    def needs_delta(self) -> bool:
        """Whether its promise has one."""
        return False

    @property
    def short_name(self) -> str:
        """Its name where several variants stand beside each other."""
        return self.kind

    def scales(self, task: Task) -> tuple[float, ...]:
        """Return all scales that are drawn with: each must fit 64-bit integers."""
        return (self.noise(task).width,)

    def is_too_fine(self, task: Task) -> bool:
        """Tell whether the grid is too coarse for a draw; noise on whole ticks is exact at every scale."""
        del task
        return False

    def rho(self, loss: PrivacyLoss, noise: AnyNoise, sensitivity: Sensitivity, size: int) -> float:
        """Return the price in zCDP of a draw with this noise (in units of mass), at the loss that pays for it."""
        del noise, sensitivity, size
        return pure_rho(loss.epsilon)

    @classmethod
    def loss_distribution(cls, epsilon: float, delta: float, interval: float) -> Any:  # noqa: ANN401  dp-accounting has no types
        """Return the privacy loss distribution of one release; without a law of its own, that of (epsilon, delta)."""
        from dp_accounting.pld import common, privacy_loss_distribution  # noqa: PLC0415  slow to import

        parameters = common.DifferentialPrivacyParameters(epsilon, delta)
        return privacy_loss_distribution.from_privacy_parameters(parameters, value_discretization_interval=interval)

    def is_offered_for(self, sensitivity: Sensitivity) -> bool:
        """Tell whether its proof covers such neighbours."""
        del sensitivity
        return True

    def admits(self, size: int) -> bool:
        """Tell whether it can list so many themes as it is set."""
        del size
        return True

    def ordering_noise(self, task: Task) -> AnyNoise | GumbelNoise:
        """Return the noise on the scores that decide which atoms are listed: the planner compares it."""
        return self.noise(task)

    @classmethod
    def planned_for(cls, sensitivity: Sensitivity) -> Self | None:
        """Return the variant that the planner may choose, or None if it never does."""
        del sensitivity
        return cls()  # type: ignore[call-arg]  # every mechanism knows its kind

    @classmethod
    def compared(cls) -> tuple[Self, ...]:
        """Return the variants that a preview sets beside each other."""
        return (cls(),)  # type: ignore[call-arg]

    def regret(self, task: Task, beta: float) -> Regret | None:
        """Bound what its choice may miss; None where it makes none."""
        del task, beta
        return None

    def require_fitting_loss(self, loss: PrivacyLoss) -> None:
        """Refuse a delta that it would not use, and a missing one that it needs."""
        if loss.delta and not self.needs_delta:
            raise RequestError(f"the {self.short_name} mechanism is (epsilon, 0)-DP: leave delta out")
        if self.needs_delta and not loss.delta:
            raise RequestError(f"the {self.kind} mechanism needs a delta above 0, for example `loss.delta: 1e-6`")


@dataclass(frozen=True, slots=True)
class SplitLoss:
    """The two payments of a mechanism that selects: admission (pure) and values."""

    selection: float
    values: PrivacyLoss


class SelectingMechanism(ReleaseMechanism):
    """The base of those that choose L atoms first and measure only them: ``value_fraction`` pays for the values."""

    selects: ClassVar[bool] = True
    parameters: ClassVar[Mapping[str, str]] = {"value_fraction": "the part of the budget that pays for the values"}

    value_fraction: float = Field(0.5, gt=0, lt=1)

    @classmethod
    def planned_for(cls, sensitivity: Sensitivity) -> Self | None:
        """Let the planner leave it alone, unless it says otherwise."""
        del sensitivity
        return None

    @property
    def value_percent(self) -> str:
        """The part of the values in percent, with three digits and no exponent."""
        return f"{Decimal(f'{100 * self.value_fraction:.3g}').normalize():f}"

    def split(self, loss: PrivacyLoss) -> SplitLoss:
        """Split epsilon into eps_sel = (1-rho)·eps and eps_val = rho·eps; delta goes to the values."""
        values = self.value_fraction * loss.epsilon
        return SplitLoss(loss.epsilon - values, PrivacyLoss(values, loss.delta))

    @staticmethod
    def measured(positions: list[int], task: Task) -> list[int]:
        """Return the coordinates that are measured: the admitted atoms and all that is no atom."""
        return [*positions, *range(task.atoms, task.coordinates)]


def noise_of(
    mechanism: ReleaseMechanism,
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    besides: int = 0,
    sampling: AnySampling = EVERYONE,
) -> AnyNoise:
    """Return the noise that lies on a released value, in units of mass (or of prevalence): the only calibration.

    "None of these" is one more coordinate of the same vector, inside the same bound. So theorems 1 and 2 and
    proposition 1 hold for m+1 (or L+1) values as they do for m (or L): the sensitivity stays, one more value is drawn.
    The values of a sample are scaled up to the collection, and their noise with them.
    """
    mechanism.require_fitting_loss(loss)
    paid = loss_on_sample(loss, sampling, sensitivity)
    in_ticks = mechanism.noise(Task(paid, sensitivity, atoms, size, besides))
    return in_ticks.scaled(1 / (TICKS_PER_MASS * rate_of(sampling)))
