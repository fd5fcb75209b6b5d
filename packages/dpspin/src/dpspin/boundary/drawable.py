"""Which noise can be drawn: samplers work on 64-bit integers, and floats end somewhere. Public parameters decide it.

A release that could not be drawn is refused before it is charged, and before any record is read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from dpspin.boundary.calibration import (
    gaussian_sigma,
    laplace_scale,
    loss_on_sample,
    set_scale,
    split_loss,
    top_l_scales,
)
from dpspin.boundary.denominator import CountShare, DenominatorChoice, count_scale, loss_of_themes, split_for_count
from dpspin.boundary.privacy import (
    AnyMechanism,
    AnySampling,
    Gaussian,
    Laplace,
    PrivacyLoss,
    PrivateTopL,
    SetSelection,
)
from dpspin.boundary.sensitivity import Sensitivity
from dpspin.errors import RequestError

# A sketch has at most 2^62 ticks, and a level or a noisy value lies at most 60 scales beyond it: inside 64 bits, so
# that whether a draw succeeds never depends on the records.
WIDEST = 2.0**56
NARROWEST_COIN = 16.0  # ticks: the level of set_em is a whole number, and that rounding must not upset its coins

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
    mechanism: AnyMechanism,
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
    scales = _scales(mechanism, paid, sensitivity, size=size, coordinates=coordinates, besides=besides)
    if isinstance(denominator, CountShare):
        scales.append(count_scale(split_for_count(loss, denominator.share).count))
    if not max(scales) <= WIDEST:
        raise RequestError(
            "the noise would be wider than 2^26 units of mass, which no sketch can carry: such a release says nothing. "
            "Raise epsilon (or the part of it that is so small), or lower the user bound"
        )
    if isinstance(mechanism, SetSelection) and not scales[0] >= NARROWEST_COIN:
        raise RequestError(
            "set_em cannot draw so fine a choice on its grid of 2^-30: lower epsilon, or raise the user bound"
        )


def _scales(
    mechanism: AnyMechanism,
    paid: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    size: int,
    coordinates: int,
    besides: int,
) -> list[float]:
    """Return the scales that are drawn with, in ticks; of a mechanism that selects, that of the selection first."""
    match mechanism:
        case Laplace():
            return [laplace_scale(sensitivity.l1, paid.epsilon)]
        case Gaussian():
            return [gaussian_sigma(sensitivity.l2, paid, coordinates)]
        case PrivateTopL():
            drawn = top_l_scales(mechanism, paid, sensitivity, rounds=size, values=size + besides)
            return [drawn.selection, drawn.sigma]
        case SetSelection():
            parts = split_loss(mechanism, paid)
            of_set = set_scale(sensitivity, parts.selection, size)
            return [of_set, laplace_scale(sensitivity.l1, parts.values.epsilon)]
        case _:
            assert_never(mechanism)
