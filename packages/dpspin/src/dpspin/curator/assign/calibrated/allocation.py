"""From log odds to contributions: how one record's mass one is dealt to atoms and to "none of these"."""

from dataclasses import dataclass
from typing import assert_never

import numpy as np
from scipy.special import expit

from dpspin.curator.assign.contribution import Floats


@dataclass(frozen=True, slots=True)
class Expressed:
    """Calibrated odds, several atoms per record: those at least this probable share the mass by their probability."""

    threshold: float


@dataclass(frozen=True, slots=True)
class Competing:
    """Odds that can only be compared with each other: atoms and "none of these" share the mass by their odds."""


@dataclass(frozen=True, slots=True)
class Exclusive:
    """Each record is of one class, the last of which is "none of these": the mass is dealt by probability."""


Allocation = Expressed | Competing | Exclusive
SMALLEST = 1e-4  # smaller weights say nothing, and would make every record touch every atom


def allocate(odds: Floats, allocation: Allocation, atoms_per_record: int | None) -> Floats:
    """Return weights over the atoms and "none of these"; each row sums to at most one.

    >>> allocate(np.array([[2.0, -9.0]]), Expressed(threshold=1 / 3), None).round(2)
    array([[1., 0., 0.]])
    >>> allocate(np.array([[0.0, 0.0]]), Competing(), None).round(2)
    array([[0.33, 0.33, 0.33]])
    """
    match allocation:
        case Expressed(threshold):
            chance = expit(odds)
            weights = _kept(np.where(chance >= threshold, chance, 0.0), atoms_per_record)
            total = weights.sum(axis=1, keepdims=True)
            atoms = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        case Competing():
            atoms = _kept(_softmax(np.column_stack([odds, np.zeros(len(odds))]))[:, :-1], atoms_per_record)
        case Exclusive():
            atoms = _kept(_softmax(odds)[:, :-1], atoms_per_record)
        case _:
            assert_never(allocation)
    return np.column_stack([atoms, np.maximum(1 - atoms.sum(axis=1), 0.0)])


def _softmax(odds: Floats) -> Floats:
    raised: Floats = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _kept(weights: Floats, most: int | None) -> Floats:
    """Drop what is too small to matter and, where K is given, all but the K best; what is left carries the whole.

    >>> _kept(np.array([[0.5, 0.25, 0.25, 0.00001]]), 2).round(3)
    array([[0.667, 0.333, 0.   , 0.   ]])
    """
    kept = np.where(weights >= SMALLEST, weights, 0.0)
    if most is not None and most < weights.shape[1]:
        worst = np.argsort(-kept, axis=1, kind="stable")[:, most:]  # of equal ones the lower index is kept
        np.put_along_axis(kept, worst, 0.0, axis=1)
    before, after = (part.sum(axis=1, keepdims=True) for part in (weights, kept))
    carried: Floats = np.divide(kept * before, after, out=np.zeros_like(kept), where=after > 0)
    return carried
