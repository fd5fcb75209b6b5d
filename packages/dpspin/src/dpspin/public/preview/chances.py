"""Exact chances under the known noise: of being listed, and of two themes standing in the right order.

The tails are those of the continuous laws. Noise lives on a grid of 2^-30, on which they differ by less than 1e-8.
"""

from dpspin.boundary.certify import comparison_margin
from dpspin.public.preview.request import RELIABLY, Extent, Known, Request

STEPS = 60  # of a curve, from zero to twice what is reliable


class Listed(Extent):
    """A true support, and the chance that its noisy value exceeds the threshold."""

    chance: float


class Ordered(Extent):
    """A true gap between two listed themes, and what the plan then shows and says of the two.

    ``right``: the larger one has the larger value. ``certified``: it may be said to have more. ``wrong``: the other
    may be said to have more, which is what beta bounds.
    """

    right: float
    certified: float
    wrong: float


def listed(request: Request, known: Known, mass: float) -> Listed:
    """Return the chance that a theme of this true mass exceeds the threshold.

    To be listed it must also be among the L largest noisy values. Which those are only the data know.
    """
    return Listed(**dict(request.extent(mass)), chance=known.noise.tail(known.threshold - mass))


def ordered(request: Request, known: Known, gap: float) -> Ordered:
    """Return what becomes of two listed themes whose true masses differ by ``gap``."""
    margin = known.certificates.comparison_margin
    return Ordered(
        **dict(request.extent(gap)),
        right=known.noise.difference_tail(-gap),
        certified=known.noise.difference_tail(margin - gap),
        wrong=known.noise.difference_tail(margin + gap),
    )


def surely_right(known: Known) -> float:
    """Return the true gap from which on the larger theme has the larger value with 95 % probability.

    A margin counts both signs of a difference; a gap has to outweigh one.
    """
    return comparison_margin(known.noise, size=2, beta=2 * (1 - RELIABLY))


def surely_certified(known: Known) -> float:
    """Return the true gap from which on the report may say which has more, with 95 % probability."""
    return known.certificates.comparison_margin + surely_right(known)


def admission_curve(request: Request, known: Known) -> tuple[Listed, ...]:
    """Return the chance to be listed over true support, in even steps."""
    return tuple(listed(request, known, mass) for mass in _grid(request, known.reliably_seen))


def order_curve(request: Request, known: Known) -> tuple[Ordered, ...]:
    """Return the chances of order over the true gap, in even steps."""
    return tuple(ordered(request, known, gap) for gap in _grid(request, surely_certified(known)))


def _grid(request: Request, reliable: float) -> list[float]:
    top = min(2 * reliable, request.largest_mass)
    return [top * step / STEPS for step in range(STEPS + 1)]
