"""Which themes a ticket has: a skewed public profile, and company that makes sense."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.demo.bank import ticket_bank
from dpspin.demo.chance import Chance
from dpspin.errors import RequestError
from dpspin.public.atoms import packs

SKEW, SHIFT = 0.9, 2.0  # Zipf-Mandelbrot: the head holds about 9 %, the tail below 1 %
ATTRACTION = 5.0  # a second theme comes more often from the same group, or complains about support
SUPPORT = "support and guidance"
OFF_TOPIC = 0.065
SECOND, THIRD = 0.38, 0.25  # the chance to go on to a second theme, and from there to a third


@cache
def ticket_pack() -> AtomUniverse:
    """Return the dictionary that the tickets are written for."""
    return packs.load("support-tickets")


def public_profile() -> dict[AtomId, float]:
    """Return the shares by which themes are drawn unless the caller plants others.

    >>> profile = public_profile()
    >>> round(sum(profile.values()), 9), round(max(profile.values()), 3), round(min(profile.values()), 4)
    (1.0, 0.093, 0.0067)
    """
    ranks = np.arange(1, ticket_pack().size + 1)
    weights = (ranks + SHIFT) ** -SKEW
    return dict(zip(ticket_bank().popularity, (weights / weights.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Mixture:
    """Theme shares in pack order, and how themes attract or exclude each other."""

    shares: NDArray[np.float64]
    affinity: NDArray[np.float64]  # (m, m), zero where two themes do not meet

    def draw(self, chance: Chance) -> list[AtomId]:
        """Return the themes of one ticket: none to three, the first one leading."""
        if chance.random() < OFF_TOPIC:
            return []
        chosen: list[int] = []
        for go_on in (1.0, SECOND, THIRD):
            weights = self.shares * self.affinity[chosen].prod(axis=0)
            if chance.random() >= go_on or not weights.any():
                break
            ladder = weights.cumsum()
            chosen.append(int(np.searchsorted(ladder, chance.random() * ladder[-1], side="right")))
        return [ticket_pack().ids[position] for position in chosen]


def mixture_of(shares: Mapping[AtomId, float]) -> Mixture:
    """Check the shares and put them into pack order; a theme that is not named never occurs."""
    unknown = sorted(set(shares) - set(ticket_pack().ids))
    if unknown:
        raise RequestError(f"the pack {ticket_pack().name} has no atom {unknown[0]}")
    weights = np.array([shares.get(atom, 0.0) for atom in ticket_pack().ids])
    if not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
        raise RequestError("theme shares must be finite and not negative, and at least one above zero")
    return Mixture(weights / weights.sum(), _affinity())


@cache
def _affinity() -> NDArray[np.float64]:
    atoms, apart = ticket_pack().atoms, ticket_bank().apart
    return np.array(
        [
            [
                0.0
                if one.id == two.id or (one.id, two.id) in apart
                else ATTRACTION
                if two.parent in {one.parent, SUPPORT}
                else 1.0
                for two in atoms
            ]
            for one in atoms
        ]
    )
