"""Rounds of the exponential mechanism, one atom each: their scale, their price, and how they are drawn."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.mechanisms.drawing import NoiseSource, Price
from dpspin.boundary.privacy import Sensitivity
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints


@dataclass(frozen=True, slots=True)
class Peeling:
    """Rounds of admission at one scale (in ticks), and what they may cost together."""

    rounds: int
    scale: float
    price: Price


def admitted(scores: "Ints", admission: tuple[Peeling, ...], source: NoiseSource) -> list[int]:
    """Return the positions that all rounds pick, in their order; what one picked is not there for the next."""
    left, picked = list(range(len(scores))), list[int]()
    for each in admission:
        places = source.peel(scores[left], each.rounds, each.scale, each.price)
        picked += [left[place] for place in places]
        for place in sorted(places, reverse=True):
            del left[place]
    return picked


def selection_scale(sensitivity: Sensitivity, epsilon: float, rounds: int, *, monotone: bool = False) -> float:
    """Return the scale s of each exponential-mechanism round, P(j) ∝ exp(C_j/s), s = 2·Δ·L/eps_sel (proposition 1).

    Monotone scores need Δ·L/eps_sel only.

    >>> from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, RecordUnit, sensitivity_of
    >>> record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> selection_scale(record, epsilon=0.5, rounds=10) / TICKS_PER_MASS
    40.00000000000001
    """
    return laplace_scale(selection_range(sensitivity, monotone=monotone) * rounds, epsilon)


def selection_range(sensitivity: Sensitivity, *, monotone: bool) -> int:
    """Return how far the gap between two scores can move, which is what a round of selection pays for."""
    if monotone and not sensitivity.monotone:
        raise RequestError(
            "the monotone exponent is for add/drop neighbours: under replacement one score rises while another falls, "
            "and its proof fails; leave it out, or use add_drop"
        )
    return sensitivity.coordinate if monotone else 2 * sensitivity.coordinate


def selection_rho(epsilon: float, rounds: int) -> float:
    """Return L·eps0²/8 for L rounds of the exponential mechanism at eps0 = eps/L each.

    With the paper's exponent a round has a log-ratio of range eps0 at most, under both adjacencies: it is
    eps0-bounded-range, hence (eps0²/8)-zCDP (Durfee and Rogers 2019; Cesar and Rogers 2021).

    >>> round(selection_rho(0.5, rounds=10), 9)
    0.003125
    """
    return rounds * (epsilon / rounds) ** 2 / 8
