"""The report card of a map: its weights on held-out text beside the truth."""

from itertools import pairwise

import numpy as np

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.report_card import AtomCard, Reliability, ReportCard
from dpspin.curator.assign.calibrated.fineness import COARSE, EXACT, Fineness
from dpspin.curator.assign.contribution import Floats

NOTICED = 0.1  # an atom with at least this part of a text's mass was found in it
MOST_CONFUSED = 300  # atoms up to which the confusion is small enough to travel with the plan
STEPS = np.linspace(0, 1, 11)
NEXT_TO_NOTHING = 1e-9  # instead of a mass of zero, by which nothing can be divided


def card_of(universe: AtomUniverse, weights: Floats, truth: Floats, measured_on: str, *, real_text: bool) -> ReportCard:
    """Compare weights with true shares, both over the atoms and "none of these", one row per held-out text."""
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
        confusion=_confusion(weights, truth, told) if universe.size <= MOST_CONFUSED else (),
    )


def _atom_card(atom: AtomId, weights: Floats, truth: Floats, told: Fineness) -> AtomCard:
    flags, true = truth > 0, float(truth.sum())
    if not told.allows(true):
        return AtomCard(atom_id=atom, expressed=None, precision=None, recall=None)
    return AtomCard(
        atom_id=atom,
        expressed=told.count(true),
        precision=told.rate((weights * flags).sum(), weights.sum()),
        recall=told.rate(((weights >= NOTICED) & flags).sum(), flags.sum()),
    )


def _reliability(weights: Floats, truth: Floats, told: Fineness) -> tuple[Reliability, ...]:
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


def _shares_in_truth(truth: Floats, told: Fineness) -> tuple[float, ...]:
    """Return the true share of each class, from counts as they may be stated; zero for a class of too few texts."""
    masses = [told.count(mass) if told.allows(mass) else 0.0 for mass in truth.sum(axis=0)]
    return tuple(min(1.0, round(mass / told.count(len(truth)), EXACT.digits)) for mass in masses)


def _confusion(weights: Floats, truth: Floats, told: Fineness) -> tuple[tuple[float, ...], ...]:
    """Return the mean weights of the texts of each true class; a class of too few texts keeps to itself."""
    mass = truth.sum(axis=0)
    stated = np.array([told.allows(one) for one in mass])
    return told.rows(np.divide(truth.T @ weights, mass[:, None], out=np.eye(len(mass)), where=stated[:, None]))


def _shares(masses: Floats) -> Floats:
    total = masses.sum()
    shares: Floats = masses / total if total else masses
    return shares
