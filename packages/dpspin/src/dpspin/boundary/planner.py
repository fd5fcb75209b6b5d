"""Which mechanism shows the most, decided from public inputs alone: the records play no part in the choice."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpspin.boundary.calibration import loss_on_sample, rate_of
from dpspin.boundary.certify import require_fitting_size
from dpspin.boundary.mechanisms import MECHANISMS, AnyMechanism
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.model_base import Sealed
from dpspin.boundary.privacy import EVERYONE, TICKS_PER_MASS, AnySampling, PrivacyLoss
from dpspin.boundary.sensitivity import Sensitivity

if TYPE_CHECKING:
    from dpspin.boundary.noise import Floats

REACH, STEPS = 60.0, 12_001  # the grid on which noise laws are compared, in units of their scale


class Auto(Sealed):
    """Let the planner choose the mechanism."""

    kind: Literal["auto"] = "auto"


@dataclass(frozen=True, slots=True)
class Planned:
    """A mechanism, the loss it needs (pure mechanisms leave delta unspent), and why."""

    mechanism: AnyMechanism
    loss: PrivacyLoss
    reason: str


def planned(
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    besides: int = 0,
    sampling: AnySampling = EVERYONE,
) -> Planned:
    """Choose the mechanism that needs the smallest gap to list the right L atoms every other time.

    The gap is the median of (largest noise of the m-L others) minus (smallest noise of the L), at each mechanism's own
    scale. Under an L1 bound Laplace wins; where a unit may touch many atoms at full weight (prevalence with a large K)
    Gaussian noise or a private selection does. A mechanism that needs a delta is considered only where one is granted.

    >>> from dpspin.boundary.sensitivity import sensitivity_of
    >>> from dpspin.boundary.privacy import Adjacency, Prevalence, RecordUnit
    >>> mass = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> planned(PrivacyLoss(1.0, 1e-6), mass, atoms=200, size=10).mechanism.kind
    'laplace'
    >>> many = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP, Prevalence(most_atoms=50))
    >>> planned(PrivacyLoss(1.0, 1e-6), many, atoms=200, size=10).mechanism.kind
    'private_topL'
    """
    require_fitting_size(size, atoms)
    paid = loss_on_sample(loss, sampling, sensitivity)
    gaps = needed_gaps(paid, sensitivity, atoms=atoms, size=size, besides=besides)
    best = min(gaps, key=lambda mechanism: gaps[mechanism])
    needed = loss if best.needs_delta else PrivacyLoss(loss.epsilon)
    beside = ", ".join(f"{other.kind} {gap / rate_of(sampling):.3g}" for other, gap in gaps.items())
    return Planned(best, needed, f"{best.kind} needs the smallest gap between themes ({beside})")


def needed_gaps(
    loss: PrivacyLoss, sensitivity: Sensitivity, *, atoms: int, size: int, besides: int = 0
) -> dict[AnyMechanism, float]:
    """Return the gap that each mechanism needs, in units of mass."""
    task = Task(loss, sensitivity, atoms, size, besides)
    usable = (each for each in MECHANISMS if loss.delta or not each.needs_delta)
    considered = [variant for each in usable if (variant := each.planned_for(sensitivity)) is not None]
    noises = [(mechanism, mechanism.ordering_noise(task)) for mechanism in considered]
    return {
        mechanism: noise.width * median_gap(noise.below, atoms, size) / TICKS_PER_MASS for mechanism, noise in noises
    }


def median_gap(below: "Callable[[Floats], Floats]", atoms: int, size: int) -> float:
    """Return the median of max of m-L draws minus min of L draws, for noise with the distribution function ``below``.

    >>> from dpspin.boundary.noise import LaplaceNoise
    >>> round(median_gap(LaplaceNoise(scale=1.0).below, 200, 10), 1)
    7.1
    """
    import numpy as np  # noqa: PLC0415  slow to import

    if size >= atoms:
        return 0.0
    grid = np.linspace(-REACH, REACH, STEPS)
    least = np.diff(1 - (1 - below(grid)) ** size)  # how likely the smallest of the L falls into each step
    middles = (grid[1:] + grid[:-1]) / 2
    low, high = -REACH, 2 * REACH
    for _ in range(40):
        gap = (low + high) / 2
        right = float((least * below(middles + gap) ** (atoms - size)).sum())
        low, high = (gap, high) if right < 0.5 else (low, gap)  # noqa: PLR2004  the median
    return high
