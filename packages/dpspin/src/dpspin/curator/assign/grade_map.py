"""The report card of a map: its weights on held-out text beside the truth, as finely as may be told.

A card is published without noise. Labelled auxiliary text may be somebody's, so its card holds round figures only, and
none that rests on a few texts. That is discretion, not differential privacy: auxiliary people have no such promise.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.report_card import AtomCard, Reliability, ReportCard
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.share_correction import corrections_of, rival_shares

FEWEST_TEXTS = 10


@dataclass(frozen=True, slots=True)
class Rounding:
    """The fewest texts of which a figure may be stated, and the digits of a rate."""

    fewest: int
    digits: int

    def allows(self, mass: float) -> bool:
        """Tell whether so many texts, or texts' worth of mass, may have figures of their own."""
        return mass > 0 and mass >= self.fewest

    def count(self, mass: float) -> float:
        """Return a number of texts as it may be stated."""
        return about(mass) if self.fewest else round(float(mass), 3)

    def rate(self, part: float, whole: float) -> float | None:
        """Return a rate, unless it rests on too little."""
        return self.rounded(part / whole) if self.allows(whole) else None

    def rounded(self, value: float) -> float:
        """Return a share as it may be stated."""
        return min(1.0, round(float(value), self.digits))

    def rows(self, shares: Floats) -> tuple[tuple[float, ...], ...]:
        """Round rows of shares so that they keep their sums: what is left over goes to the cells it was cut from.

        >>> Rounding(fewest=0, digits=1).rows(np.array([[0.55, 0.27, 0.18]]))
        ((0.5, 0.3, 0.2),)
        """
        parts = 10**self.digits
        units = np.floor(shares * parts)
        order = np.argsort(units - shares * parts, axis=1, kind="stable")
        left = np.rint((shares * parts - units).sum(axis=1, keepdims=True))
        np.put_along_axis(units, order, np.take_along_axis(units, order, 1) + (np.arange(units.shape[1]) < left), 1)
        return tuple(tuple(round(float(cell) / parts, self.digits) for cell in row) for row in units)


EXACT = Rounding(fewest=0, digits=5)
COARSE = Rounding(fewest=FEWEST_TEXTS, digits=2)


def about(count: float) -> int:
    """Round a count to tens, and to two digits; what is there at all is at least ten.

    >>> [about(count) for count in (3, 14, 96, 1787)]
    [10, 10, 100, 1800]
    """
    step: int = max(FEWEST_TEXTS, 10 ** (len(str(int(count))) - 2))
    return max(step, step * int(count / step + 0.5))


NOTICED = 0.1  # an atom with at least this part of a text's mass was found in it
MOST_CONFUSED = 300  # atoms up to which the confusion is small enough to travel with the plan
STEPS = np.linspace(0, 1, 11)
NEXT_TO_NOTHING = 1e-9  # instead of a mass of zero, by which nothing can be divided


def card_of(
    universe: AtomUniverse,
    weights: Floats,
    truth: Floats,
    measured_on: str,
    *,
    real_text: bool,
    corrects: bool = False,
) -> ReportCard:
    """Compare weights with true shares, both over the atoms and "none of these", one row per held-out text.

    A card that ``corrects`` says how to mend shares; the others keep the confusion, and so their maps the digest.
    """
    told = COARSE if real_text else EXACT
    atoms, flags = weights[:, :-1], truth[:, :-1] > 0
    assigned, true = atoms.sum(axis=0), truth[:, :-1].sum(axis=0)
    found = (atoms >= NOTICED) & flags
    return ReportCard(
        measured_on=measured_on,
        real_text=real_text,
        texts=round(told.count(len(weights))),
        precision=told.rounded((atoms * flags).sum() / max(atoms.sum(), NEXT_TO_NOTHING)),
        recall=told.rounded(found.sum() / max(flags.sum(), 1)),
        total_variation=told.rounded(np.abs(_shares(assigned) - _shares(true)).sum() / 2),
        covered_in_truth=told.rounded(true.sum() / len(truth)),
        covered_by_map=told.rounded(assigned.sum() / len(truth)),
        atoms=tuple(
            _atom_card(atom.id, atoms[:, place], truth[:, place], told) for place, atom in enumerate(universe.atoms)
        ),
        reliability=_reliability(atoms, truth[:, :-1], told),
        shares_in_truth=_shares_in_truth(truth, told),
        confusion=() if corrects or universe.size > MOST_CONFUSED else _confusion(weights, truth, told),
        corrections=corrections_of(weights, truth, told.fewest) if corrects else (),
        rivals=rival_shares(weights, truth, told.fewest) if corrects else None,
    )


def _atom_card(atom: AtomId, weights: Floats, truth: Floats, told: Rounding) -> AtomCard:
    flags, true = truth > 0, float(truth.sum())
    if not told.allows(true):
        return AtomCard(atom_id=atom, expressed=None, precision=None, recall=None)
    return AtomCard(
        atom_id=atom,
        expressed=told.count(true),
        precision=told.rate((weights * flags).sum(), weights.sum()),
        recall=told.rate(((weights >= NOTICED) & flags).sum(), flags.sum()),
    )


def _reliability(weights: Floats, truth: Floats, told: Rounding) -> tuple[Reliability, ...]:
    """Group assignments by their weight, and compare it with the true share behind them."""
    bands = [(weights > low) & (weights <= high) for low, high in pairwise(STEPS)]
    return tuple(
        Reliability(
            claimed=told.rounded(weights[band].mean()),
            observed=told.rounded(truth[band].mean()),
            assignments=round(told.count(band.sum())),
        )
        for band in bands
        if told.allows(band.any(axis=1).sum())
    )


def _shares_in_truth(truth: Floats, told: Rounding) -> tuple[float, ...]:
    """Return the true share of each class, from counts as they may be stated; zero for a class of too few texts."""
    masses = [told.count(mass) if told.allows(mass) else 0.0 for mass in truth.sum(axis=0)]
    return tuple(min(1.0, round(mass / told.count(len(truth)), EXACT.digits)) for mass in masses)


def _confusion(weights: Floats, truth: Floats, told: Rounding) -> tuple[tuple[float, ...], ...]:
    """Return the mean weights of the texts of each true class; a class of too few texts keeps to itself."""
    mass = truth.sum(axis=0)
    stated = np.array([told.allows(one) for one in mass])
    return told.rows(np.divide(truth.T @ weights, mass[:, None], out=np.eye(len(mass)), where=stated[:, None]))


def _shares(masses: Floats) -> Floats:
    total = masses.sum()
    shares: Floats = masses / total if total else masses
    return shares
