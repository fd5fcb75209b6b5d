"""The smallest epsilon that answers a question: found by asking the forecast itself."""

import math

from dpspin.boundary.model_base import Sealed
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import RequestError
from dpspin.public.preview.request import Request, known_of

SMALLEST, LARGEST = 1e-3, 100.0  # below, nobody need save; above, nothing is protected
HALVINGS = 20


class Needed(Sealed):
    """A support to be seen reliably, and the smallest epsilon for that; null if none can promise it."""

    support: float
    epsilon: float | None


def needed_for(request: Request, support: float) -> Needed:
    """Find the smallest epsilon, rounded up to three digits, with which a theme of this support is reliably seen.

    A private choice promises it to no theme, whatever epsilon is.
    """
    if not 0 < support <= request.unit.bound:
        raise RequestError(f"a support to see must lie between 0 and {request.unit.bound:g}, not {support}")
    if request.chooses_at_random or not _sees(request, support, LARGEST):
        return Needed(support=support, epsilon=None)
    return Needed(support=support, epsilon=_smallest(request, support))


def _smallest(request: Request, support: float) -> float:
    if _sees(request, support, SMALLEST):
        return SMALLEST
    low, high = math.log(SMALLEST), math.log(LARGEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _sees(request, support, math.exp(middle)) else (middle, high)
    return _up(math.exp(high))


def _sees(request: Request, support: float, epsilon: float) -> bool:
    known = known_of(request.asking(loss=PrivacyLoss(epsilon, request.loss.delta)))
    return known.reliably_seen <= support * request.denominator


def _up(value: float) -> float:
    """Round up to three significant digits.

    >>> _up(0.42811), _up(2.0)
    (0.429, 2.0)
    """
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / unit - 1e-6) * unit:.3g}")
