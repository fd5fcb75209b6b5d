"""Which noise can be drawn: samplers work on 64-bit integers, and floats end somewhere. Public parameters decide it.

A release that could not be drawn is refused before it is charged, and before any record is read.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from dpspin.boundary.calibration import loss_on_sample
from dpspin.boundary.denominator import CountShare, DenominatorChoice, count_scale, loss_of_themes, split_for_count
from dpspin.boundary.mechanisms.base import ReleaseMechanism, Task
from dpspin.boundary.privacy import AnySampling, PrivacyLoss
from dpspin.boundary.sensitivity import Sensitivity
from dpspin.errors import RequestError

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
