"""What can be said of a private choice beforehand: not which themes it takes, but how much mass it may miss."""

import math

from dpspin.boundary.calibration import selection_scale, sensitivity_of, split_loss
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivateTopL
from dpspin.boundary.sealed import Sealed
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
    s·(ln(m-t+1) + ln(L/beta)) of the largest; over all rounds the mass lost is at most the sum. More than all the mass
    there can be is not lost in any case.
    """
    if not isinstance(request.mechanism, PrivateTopL):
        return None
    coordinate = sensitivity_of(request.unit, request.adjacency).coordinate
    budget = split_loss(request.mechanism, request.loss).selection
    scale = selection_scale(coordinate, budget, request.size) / TICKS_PER_MASS
    union = math.log(request.size / request.beta)
    regrets = [scale * (math.log(request.atoms - done) + union) for done in range(request.size)]
    one, together = (min(bound, request.largest_mass) for bound in (max(regrets), sum(regrets)))
    return Selection(one_choice=request.extent(one), all_choices=request.extent(together))
