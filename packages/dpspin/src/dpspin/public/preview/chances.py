"""What public inputs settle: exact chances under the known noise, the epsilon that a wish needs, mechanisms compared.

The tails are those of the continuous laws. Noise lives on a grid of 2^-30, on which they differ by less than 1e-8.
"""

import math

from dpspin.boundary.certify import comparison_margin
from dpspin.boundary.mechanisms import MECHANISMS, AnyMechanism, Mechanism
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import RequestError
from dpspin.public.preview.public_inputs import RELIABLY, Extent, Known, PublicInputs, known_of
from dpspin.public.wording.numbers import plain, small

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


def listed(request: PublicInputs, known: Known, mass: float) -> Listed:
    """Return the chance that a theme of this true mass exceeds the threshold.

    To be listed it must also be among the L largest noisy values. Which those are only the data know.
    """
    return Listed(**dict(request.extent(mass)), chance=known.noise.tail(known.threshold - mass))


def ordered(request: PublicInputs, known: Known, gap: float) -> Ordered:
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


def admission_curve(request: PublicInputs, known: Known) -> tuple[Listed, ...]:
    """Return the chance to be listed over true support, in even steps."""
    return tuple(listed(request, known, mass) for mass in _grid(request, known.reliably_seen))


def order_curve(request: PublicInputs, known: Known) -> tuple[Ordered, ...]:
    """Return the chances of order over the true gap, in even steps."""
    return tuple(ordered(request, known, gap) for gap in _grid(request, surely_certified(known)))


def _grid(request: PublicInputs, reliable: float) -> list[float]:
    top = min(2 * reliable, request.largest_mass)
    return [top * step / STEPS for step in range(STEPS + 1)]


# The smallest epsilon that answers a question: found by asking the forecast itself.

SMALLEST, LARGEST = 1e-3, 100.0  # below, nobody need save; above, nothing is protected
HALVINGS = 20


class Needed(FrozenModel):
    """A support to be seen reliably, and the smallest epsilon for that; null if none can promise it."""

    support: float
    epsilon: float | None


def needed_for(request: PublicInputs, support: float) -> Needed:
    """Find the smallest epsilon, rounded up to three digits, with which a theme of this support is reliably seen.

    A private choice promises it to no theme, whatever epsilon is.
    """
    if not 0 < support <= request.unit.bound:
        raise RequestError(f"a support to see must lie between 0 and {request.unit.bound:g}, not {support}")
    if request.chooses_at_random or not _sees(request, support, LARGEST):
        return Needed(support=support, epsilon=None)
    return Needed(support=support, epsilon=_smallest(request, support))


def _smallest(request: PublicInputs, support: float) -> float:
    if _sees(request, support, SMALLEST):
        return SMALLEST
    low, high = math.log(SMALLEST), math.log(LARGEST)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _sees(request, support, math.exp(middle)) else (middle, high)
    return _up(math.exp(high))


def _sees(request: PublicInputs, support: float, epsilon: float) -> bool:
    known = known_of(request.asking(loss=PrivacyLoss(epsilon, request.loss.delta)))
    return known.reliably_seen <= support * request.denominator


def _up(value: float) -> float:
    """Round up to three significant digits.

    >>> _up(0.42811), _up(2.0)
    (0.429, 2.0)
    """
    unit = 10.0 ** (math.floor(math.log10(value)) - 2)
    return float(f"{math.ceil(value / unit - 1e-6) * unit:.3g}")


# The mechanisms beside each other, for the same request.

COMPARED: tuple[AnyMechanism, ...] = tuple(variant for each in MECHANISMS for variant in each.compared())


class Compared(FrozenModel):
    """One mechanism at the request's epsilon.

    ``reliably_seen`` is null and ``may_miss`` a mass for a mechanism that chooses its themes at random.
    """

    mechanism: Mechanism
    delta: float
    noise_std: Extent
    admission_threshold: Extent
    reliably_seen: Extent | None
    comparison_margin: Extent
    may_miss: Extent | None


class Comparison(FrozenModel):
    """The mechanisms that the request's loss can pay for, which is best, and why."""

    rows: tuple[Compared, ...]
    best: str
    why: str


def compare(request: PublicInputs) -> Comparison:
    """Forecast the same release by each mechanism; the best is the one that reliably sees the smallest theme.

    Those that need a delta stand there only if the request gives one: who asked for pure privacy did not ask for them.
    """
    own = () if request.mechanism in COMPARED else (request.mechanism,)
    rows = tuple(
        _row(_by(request, mechanism))
        for mechanism in (*COMPARED, *own)
        if mechanism.is_offered_for(request.sensitivity) and (request.loss.delta or not mechanism.needs_delta)
    )
    best = min((row for row in rows if row.may_miss is None), key=lambda row: row.admission_threshold.mass)
    return Comparison(rows=rows, best=best.mechanism.kind, why=_why(best, rows))


def _by(request: PublicInputs, mechanism: Mechanism) -> PublicInputs:
    if mechanism == request.mechanism:
        return request
    delta = request.loss.delta if mechanism.needs_delta else 0.0
    return request.asking(mechanism=mechanism, loss=PrivacyLoss(request.loss.epsilon, delta))


def _row(request: PublicInputs) -> Compared:
    known, selection = known_of(request), request.selection
    return Compared(
        mechanism=request.mechanism,
        delta=request.loss.delta,
        noise_std=request.extent(known.noise.std),
        admission_threshold=request.extent(known.threshold),
        reliably_seen=None if selection else request.extent(known.reliably_seen),
        comparison_margin=request.extent(known.certificates.comparison_margin),
        may_miss=selection.all_choices if selection else None,
    )


def _why(best: Compared, rows: tuple[Compared, ...]) -> str:
    name, lowest = best.mechanism.kind, best.admission_threshold.mass
    limits = ", ".join(
        f"{row.mechanism.kind}'s is {plain(row.admission_threshold.mass / lowest, 2)} times as high"
        for row in rows
        if row is not best and row.may_miss is None
    )
    if not limits:
        return f"{name} measures every theme, and needs no delta; ask by a mechanism with a delta to compare those too."
    delta = "it needs no delta" if best.delta == 0 else f"its delta is {small(best.delta)}"
    return (
        f"{name} is best here: of all that measure every theme it has the lowest detection limit ({limits}); {delta}."
    )
