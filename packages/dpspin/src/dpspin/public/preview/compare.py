"""The mechanisms beside each other, for the same request."""

from dpspin.boundary.mechanisms import MECHANISMS, AnyMechanism, Mechanism
from dpspin.boundary.model_base import Sealed
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.public.preview.request import Extent, Request, known_of
from dpspin.public.wording.numbers import plain, small

COMPARED: tuple[AnyMechanism, ...] = tuple(variant for each in MECHANISMS for variant in each.compared())
USUAL_DELTA = 1e-6  # for mechanisms that need one, where the request has none


class Compared(Sealed):
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


class Comparison(Sealed):
    """All mechanisms, which is best for the request, and why."""

    rows: tuple[Compared, ...]
    best: str
    why: str


def compare(request: Request) -> Comparison:
    """Forecast the same release by each mechanism; the best is the one that reliably sees the smallest theme."""
    own = () if request.mechanism in COMPARED else (request.mechanism,)
    rows = tuple(
        _row(_by(request, mechanism))
        for mechanism in (*COMPARED, *own)
        if mechanism.is_offered_for(request.sensitivity)
    )
    best = min((row for row in rows if row.may_miss is None), key=lambda row: row.admission_threshold.mass)
    return Comparison(rows=rows, best=best.mechanism.kind, why=_why(best, rows))


def _by(request: Request, mechanism: Mechanism) -> Request:
    if mechanism == request.mechanism:
        return request
    delta = (request.loss.delta or USUAL_DELTA) if mechanism.needs_delta else 0.0
    return request.asking(mechanism=mechanism, loss=PrivacyLoss(request.loss.epsilon, delta))


def _row(request: Request) -> Compared:
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
    delta = "it needs no delta" if best.delta == 0 else f"its delta is {small(best.delta)}"
    return (
        f"{name} is best here: of all that measure every theme it has the lowest detection limit ({limits}); {delta}."
    )
