"""The report card of a map: its weights on held-out text beside the truth."""

from itertools import pairwise

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.card import AtomCard, Reliability, ReportCard
from dpspin.curator.stage1_assign.contribution import Floats

NOTICED = 0.1  # an atom with at least this part of a text's mass was found in it
MOST_CONFUSED = 300  # atoms up to which the confusion is small enough to travel with the plan
STEPS = np.linspace(0, 1, 11)


def card_of(universe: AtomUniverse, weights: Floats, truth: Floats, measured_on: str, *, real_text: bool) -> ReportCard:
    """Compare weights with true shares, both over the atoms and "none of these", one row per held-out text."""
    atoms, flags = weights[:, :-1], truth[:, :-1] > 0
    assigned, true = atoms.sum(axis=0), truth[:, :-1].sum(axis=0)
    found = (atoms >= NOTICED) & flags
    return ReportCard(
        measured_on=measured_on,
        real_text=real_text,
        texts=len(weights),
        precision=_share((atoms * flags).sum(), atoms.sum()) or 0.0,
        recall=_share(found.sum(), flags.sum()) or 0.0,
        total_variation=_rounded(np.abs(_shares(assigned) - _shares(true)).sum() / 2),
        covered_in_truth=_rounded(true.sum() / len(truth)),
        covered_by_map=_rounded(assigned.sum() / len(truth)),
        atoms=tuple(
            AtomCard(
                atom_id=atom.id,
                expressed=round(float(true[place]), 3),
                precision=_share((atoms[:, place] * flags[:, place]).sum(), assigned[place]),
                recall=_share(found[:, place].sum(), flags[:, place].sum()),
            )
            for place, atom in enumerate(universe.atoms)
        ),
        reliability=_reliability(atoms, truth[:, :-1]),
        shares_in_truth=tuple(_rounded(share) for share in truth.mean(axis=0)),
        confusion=_confusion(weights, truth) if universe.size <= MOST_CONFUSED else (),
    )


def _reliability(weights: Floats, truth: Floats) -> tuple[Reliability, ...]:
    """Group assignments by their weight, and compare it with the true share behind them."""
    bands = [(weights > low) & (weights <= high) for low, high in pairwise(STEPS)]
    return tuple(
        Reliability(
            claimed=_rounded(weights[band].mean()), observed=_rounded(truth[band].mean()), assignments=int(band.sum())
        )
        for band in bands
        if band.any()
    )


def _confusion(weights: Floats, truth: Floats) -> tuple[tuple[float, ...], ...]:
    """Return the mean weights of the texts of each true class; a class without text keeps to itself."""
    mass = truth.sum(axis=0)
    rows = np.divide(truth.T @ weights, mass[:, None], out=np.eye(len(mass)), where=mass[:, None] > 0)
    return tuple(tuple(_rounded(cell) for cell in row) for row in rows)


def _shares(masses: Floats) -> Floats:
    total = masses.sum()
    shares: Floats = masses / total if total else masses
    return shares


def _share(part: float, whole: float) -> float | None:
    return _rounded(part / whole) if whole > 0 else None


def _rounded(value: float) -> float:
    return min(1.0, round(float(value), 5))
