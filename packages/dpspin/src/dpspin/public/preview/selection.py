"""What can be said of a private choice beforehand: not which themes it takes, but how much mass it may miss."""

import math

from dpspin.boundary.calibration import rate_of, set_scale, split_loss, top_l_scales
from dpspin.boundary.model_base import Sealed
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivateTopL, SetSelection
from dpspin.public.preview.request import Extent, Request


class Selection(Sealed):
    """Bounds that hold together with probability 1 - beta, whatever the data are.

    ``one_choice``: no round takes a theme that is smaller than the largest one left by more. ``all_choices``: the
    chosen themes together have less mass than the L largest by no more.
    """

    one_choice: Extent
    all_choices: Extent


def selection_of(request: Request) -> Selection | None:
    """Bound the mass that the choice may miss (the paper's certificate for sequential private atom admission).

    Round t chooses among m-t+1 themes with P(j) ∝ exp(C_j/s). Except with probability beta/L it stays within
    s·(ln(m-t+1) + ln(L/beta)) of the largest; over all rounds the mass lost is at most the sum. One draw of a whole set
    loses at most s·(ln C(m, L) + ln(1/beta)), except with probability beta.
    """
    match request.mechanism:
        case PrivateTopL():
            regrets = _regrets_of_rounds(request, request.mechanism)
            return _bounded(request, max(regrets), sum(regrets))
        case SetSelection():
            lost = _regret_of_a_set(request, request.mechanism)
            return _bounded(request, lost, lost)
        case _:
            return None


def _regrets_of_rounds(request: Request, mechanism: PrivateTopL) -> list[float]:
    values = request.size + request.besides
    scales = top_l_scales(mechanism, request.paid, request.sensitivity, rounds=request.size, values=values)
    scale, union = _in_mass(scales.selection, request), math.log(request.size / request.beta)
    return [scale * (math.log(request.atoms - done) + union) for done in range(request.size)]


def _regret_of_a_set(request: Request, mechanism: SetSelection) -> float:
    scale = set_scale(request.sensitivity, split_loss(mechanism, request.paid).selection, request.size)
    return _in_mass(scale, request) * math.log(math.comb(request.atoms, request.size) / request.beta)


def _in_mass(scale: float, request: Request) -> float:
    return scale / TICKS_PER_MASS / rate_of(request.sampling)


def _bounded(request: Request, one: float, together: float) -> Selection:
    """More than all the mass there can be is not lost in any case."""
    one, together = (min(bound, request.largest_mass) for bound in (one, together))
    return Selection(one_choice=request.extent(one), all_choices=request.extent(together))
