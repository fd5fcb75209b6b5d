"""From evidence to weights: a few fitted numbers turn scores into odds, and odds deal out a record's mass one."""

from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax
from sklearn.linear_model import LogisticRegression

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.term_classifier import ONE_THREAD, on_grid


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


# Composed records have all atoms equally often, and the odds that fit them best lean towards that; the records have
# their own mixture, which nobody knows. Sharper odds lean less: mass goes where the evidence is.
SHARPER = 2.0
MATCHING_ROUNDS = 50
SHARPNESS = (0.8, 1.0, 1.25, 1.5, 2.0)
# Half the price of a squared number, in texts: a class with few labels keeps near what its evidence says.
OF_OFFSETS, OF_WEIGHTS = 0.15, 0.05
HEAVIEST_LAYER, FARTHEST_CLASS = 10.0, 20.0


@dataclass(frozen=True)
class Calibration:
    """odds = Σ weight · layer + offset, with one weight per layer for all atoms: there is too little text for more."""

    weights: Floats = field(repr=False)
    offsets: Floats = field(repr=False)  # one per class

    def __post_init__(self) -> None:
        for name in ("weights", "offsets"):
            object.__setattr__(self, name, on_grid(getattr(self, name)))

    @property
    def digest(self) -> str:
        """Identify the numbers."""
        return digest_of([self.weights.tolist(), self.offsets.tolist()])

    def __call__(self, layers: Floats) -> Floats:
        """Return log odds, one row per record."""
        return weighed(self.weights, layers) + self.offsets


def weighed(weights: Floats, layers: Floats) -> Floats:
    """Return Σ weight · layer, one layer after the other: a record's sum must not depend on its batch, as BLAS sums do.

    >>> weighed(np.array([2.0, 1.0]), np.array([[[1.0, 0.0]], [[0.5, 3.0]]]))
    array([[2.5, 3. ]])
    """
    total: Floats = np.zeros(layers.shape[1:])
    for weight, layer in zip(weights, layers, strict=True):
        total += weight * layer
    return total


def calibrate_expressed(layers: Floats, flags: Floats) -> Calibration:
    """Fit the odds that a record expresses an atom, pooled over atoms, with each atom's base rate."""
    rates = (flags.sum(axis=0) + 0.5) / (len(flags) + 1)
    base = np.broadcast_to(np.log(rates / (1 - rates)), flags.shape)
    if flags.all() or not flags.any():  # nothing to compare: the base rate is all there is to say
        return Calibration(np.zeros(len(layers)), base[0])
    features = np.stack([*layers, base]).reshape(len(layers) + 1, -1).T
    model = LogisticRegression(C=100.0, max_iter=1000).fit(features, flags.ravel() > 0)
    *weights, of_base = model.coef_[0]
    return Calibration(np.array(weights), model.intercept_[0] + of_base * base[0])


def calibrate_competing(layers: Floats, shares: Floats) -> Calibration:
    """Fit one weight per layer and one offset so that the shares of composed records are most likely, and sharpen."""
    start = np.append(np.full(len(layers), 1.0), 1.0)
    bounds = [(0.0, 10.0)] * len(layers) + [(-10.0, 10.0)]
    with ONE_THREAD:
        best = SHARPER * minimize(surprise, start, (layers, shares), jac=True, method="L-BFGS-B", bounds=bounds).x
    return Calibration(best[:-1], np.full(layers.shape[2], best[-1]))


def surprise(numbers: Floats, layers: Floats, shares: Floats) -> tuple[float, Floats]:
    """Return how unlikely the shares of competing atoms are under weights and an offset, per record; and its slope."""
    odds = weighed(numbers[:-1], layers) + numbers[-1]
    log_chances = log_softmax(np.column_stack([odds, np.zeros(len(odds))]), axis=1)
    off = (np.exp(log_chances) - shares)[:, :-1]
    slope = np.append((layers * off).sum(axis=(1, 2)), off.sum())
    return -float((shares * log_chances).sum()) / len(shares), slope / len(shares)


def calibrate_exclusive(log_chances: Floats, shares: Floats) -> Calibration:
    """Match the mean of each class to its true share on held-out texts, at the sharpness that fits them best."""
    candidates = [_matched(log_chances, shares, sharpness) for sharpness in SHARPNESS]
    return max(candidates, key=lambda found: _likelihood(found, log_chances, shares))


def calibrate_stacked(layers: Floats, shares: Floats) -> Calibration:
    """Weigh what the dictionary says and what labels taught: the softmax over both under which the truth is likeliest.

    One weight per layer, none of them negative, and one offset per class, both at a small price.
    """
    sources, _, classes = layers.shape

    def cost(numbers: Floats) -> tuple[float, Floats]:
        weights, offsets = numbers[:sources], numbers[sources:]
        found = _softmax(weighed(weights, layers) + offsets)
        off = found - shares
        price = OF_OFFSETS * (offsets**2).sum() + OF_WEIGHTS * (weights**2).sum()
        of_weights = (layers * off).sum(axis=(1, 2)) + 2 * OF_WEIGHTS * weights
        slope = np.append(of_weights, off.sum(axis=0) + 2 * OF_OFFSETS * offsets)
        return price - float((shares * np.log(found + 1e-9)).sum()), slope

    start = np.append(np.full(sources, 0.5), np.zeros(classes))
    bounds = [(0.0, HEAVIEST_LAYER)] * sources + [(-FARTHEST_CLASS, FARTHEST_CLASS)] * classes
    best = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return Calibration(best[:sources], best[sources:])


def _matched(log_chances: Floats, shares: Floats, sharpness: float) -> Calibration:
    wanted, offsets = shares.mean(axis=0) + 1e-5, np.zeros(shares.shape[1])
    for _ in range(MATCHING_ROUNDS):
        found = allocate(sharpness * log_chances[0] + offsets, Exclusive(), None).mean(axis=0)
        offsets += np.log(wanted / (found + 1e-5))
    return Calibration(np.array([sharpness]), offsets)


def _likelihood(calibration: Calibration, log_chances: Floats, shares: Floats) -> float:
    weights = allocate(calibration(log_chances), Exclusive(), None)
    return float((shares * np.log(weights + 1e-6)).sum())
