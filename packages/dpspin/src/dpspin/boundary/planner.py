"""What public numbers decide before any record is read: which mechanism shows the most, and which noise can be drawn.

Samplers work on 64-bit integers, and floats end somewhere: a release that could not be drawn is refused before it is
charged.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpspin.boundary.calibration import loss_on_sample, rate_of
from dpspin.boundary.certify import require_fitting_size
from dpspin.boundary.denominator import CountShare, DenominatorChoice, count_scale, loss_of_themes, split_for_count
from dpspin.boundary.mechanisms import MECHANISMS, AnyMechanism
from dpspin.boundary.mechanisms.base import ReleaseMechanism, Task
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import EVERYONE, TICKS_PER_MASS, AnySampling, PrivacyLoss, Sensitivity
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.noise_laws import Floats

REACH, STEPS = 60.0, 12_001  # the grid on which noise laws are compared, in units of their scale


class Auto(FrozenModel):
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
    every_theme: bool = False,
) -> Planned:
    """Choose the mechanism that needs the smallest gap to list the right L atoms every other time.

    The gap is the median of (largest noise of the m-L others) minus (smallest noise of the L), at each mechanism's own
    scale. Under an L1 bound Laplace wins; where a unit may touch many atoms at full weight (prevalence with a large K)
    Gaussian noise or a private selection does. A mechanism that needs a delta is considered only where one is granted,
    one that measures only what it selects not where ``every_theme`` must be measured (a reading corrects them all).

    >>> from dpspin.boundary.privacy import Adjacency, Prevalence, RecordUnit, sensitivity_of
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
    gaps = {each: gap for each, gap in gaps.items() if not (every_theme and each.selects)}
    best = min(gaps, key=lambda mechanism: gaps[mechanism])
    needed = loss if best.needs_delta else PrivacyLoss(loss.epsilon)
    beside = ", ".join(f"{other.kind} {gap / rate_of(sampling):.3g}" for other, gap in gaps.items())
    return Planned(best, needed, f"{best.kind} needs the smallest gap between themes ({beside})")


def needed_gaps(
    loss: PrivacyLoss, sensitivity: Sensitivity, *, atoms: int, size: int, besides: int = 0
) -> dict[AnyMechanism, float]:
    """Return the gap that each mechanism needs, in units of mass."""
    task = Task(loss, sensitivity, atoms, size, besides)
    variants = (variant for each in MECHANISMS if (variant := each.planned_for(sensitivity)) is not None)
    noises = [(each, each.ordering_noise(task)) for each in variants if loss.delta or not each.needs_delta]
    return {
        mechanism: noise.width * median_gap(noise.below, atoms, size) / TICKS_PER_MASS for mechanism, noise in noises
    }


def median_gap(below: "Callable[[Floats], Floats]", atoms: int, size: int) -> float:
    """Return the median of max of m-L draws minus min of L draws, for noise with the distribution function ``below``.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
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


# A sketch has at most 2^62 ticks, and a level or a noisy value lies at most 60 scales beyond it: inside 64 bits, so
# that whether a draw succeeds never depends on the records.
WIDEST = 2.0**56

BEYOND = (
    "these parameters lie beyond what can be calculated: epsilon, delta, a fraction, a rate or the user bound is too "
    "extreme. Choose it nearer to 1 (deltas nearer to 1e-6); nothing was charged"
)


@contextmanager
def within_floats() -> Iterator[None]:
    """Turn the failed arithmetic of public parameters into a refusal; never put it around a calculation on records.

    >>> with within_floats():
    ...     _ = 1e300**2
    Traceback (most recent call last):
    dpspin.errors.RequestError: these parameters lie beyond what can be calculated: epsilon, ...
    """
    try:
        yield
    except (ArithmeticError, ValueError):
        raise RequestError(BEYOND) from None


def require_drawable(
    mechanism: ReleaseMechanism,
    loss: PrivacyLoss,
    denominator: DenominatorChoice,
    sensitivity: Sensitivity,
    *,
    size: int,
    coordinates: int,
    besides: int,
    sampling: AnySampling,
) -> None:
    """Refuse scales that do not fit 64-bit integers, and coins that are too fine for the grid."""
    paid = loss_on_sample(loss_of_themes(loss, denominator), sampling, sensitivity)
    task = Task(paid, sensitivity, coordinates - besides, size, besides)
    scales = [*mechanism.scales(task)]
    if isinstance(denominator, CountShare):
        scales.append(count_scale(split_for_count(loss, denominator.share).count))
    if not max(scales) <= WIDEST:
        raise RequestError(
            "the noise would be wider than 2^26 units of mass, which no sketch can carry: such a release says nothing. "
            "Raise epsilon (or the part of it that is so small), or lower the user bound"
        )
    if mechanism.is_too_fine(task):
        raise RequestError(
            f"{mechanism.kind} cannot draw so fine a choice on its grid of 2^-30: lower epsilon, or raise the user "
            "bound"
        )
