"""Quantification: what the true shares would be, given how the map confuses atoms on labelled text.

Everything here is a function of released numbers and of the public report card: post-processing, at no cost to privacy.
A map leans towards what it was taught; the confusion on held-out text says by how much, and undoing it lets the shares
follow a change. The price is variance, so the raw masses stay beside it, and the intervals are wider.
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.card import QuantifiedShare, ReportCard

Floats = NDArray[np.float64]
ROUNDS = 30  # more rounds undo more confusion, and amplify more noise
TRUSTED_AFTER = 10.0  # held-out texts of a class after which its row of the confusion is believed by half


def quantify(
    masses: Sequence[float], uncovered: float, card: ReportCard, *, noise_std: float, beta: float, bound: float = 1.0
) -> tuple[QuantifiedShare, ...]:
    """Estimate the true shares of all atoms from noisy masses (iterated Bayes unfolding, from the raw shares).

    The intervals cover, together and approximately, the noise, the chance of which records were written, and the
    uncertainty of the confusion itself; not a map whose confusion is another one on the records than on the card.
    """
    observed = np.maximum([*masses, uncovered], 0.0)
    total = observed.sum()
    if total <= 0:
        return ()
    observed /= total
    confusion, texts = np.array(card.confusion), _texts(card)
    shares = unfold(observed, confusion, texts)
    spread = _spread(observed, shares, confusion, texts, noise=noise_std / total, units=total / max(1.0, bound))
    reach = NormalDist().inv_cdf(1 - beta / (2 * len(observed))) * spread
    return tuple(
        QuantifiedShare(
            atom_id=atom.atom_id,
            share=_rounded(share),
            low=_rounded(max(0.0, share - width)),
            high=_rounded(min(1.0, share + width)),
        )
        for atom, share, width in zip(card.atoms, shares, reach, strict=False)  # the last class is none of these
    )


def unfold(observed: Floats, confusion: Floats, texts: Floats) -> Floats:
    """Return the shares whose confused image is nearest to what was observed.

    Each round is one step of expectation-maximisation; a class that the card knows from few texts moves slowly.

    >>> unfold(np.array([0.6, 0.4]), np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([1e6, 1e6])).round(3)
    array([0.5, 0.5])
    """
    shares, pace = observed.copy(), texts / (texts + TRUSTED_AFTER)
    for _ in range(ROUNDS):
        image = shares @ confusion
        step = shares * (confusion @ (observed / np.maximum(image, 1e-12)))
        shares = pace * step + (1 - pace) * shares
        shares /= shares.sum()
    return shares


def _spread(
    observed: Floats, shares: Floats, confusion: Floats, texts: Floats, *, noise: float, units: float
) -> Floats:
    """Return the standard deviation of each estimated share, to first order."""
    slope = _slope(observed, confusion, texts)
    of_observed = noise**2 + observed * (1 - observed) / units
    known = texts[:, None]
    believed = (known * confusion + 1 / len(texts)) / (known + 1)  # a cell of zero from one text is not certain
    of_confusion = (shares[:, None] ** 2 * believed * (1 - believed) / (known + 2)).sum(axis=0)
    spread: Floats = np.sqrt(slope**2 @ (of_observed + of_confusion))
    return spread


def _slope(observed: Floats, confusion: Floats, texts: Floats) -> Floats:
    """Return how each estimated share moves with each observed one (by differences)."""
    step = 1e-4
    moved = [unfold((observed + step * unit) / (1 + step), confusion, texts) for unit in np.eye(len(observed))]
    slope: Floats = (np.array(moved).T - unfold(observed, confusion, texts)[:, None]) / step
    return slope


def _texts(card: ReportCard) -> Floats:
    return np.array(card.shares_in_truth) * card.texts


def _rounded(value: float) -> float:
    return min(1.0, max(0.0, round(float(value), 6)))
