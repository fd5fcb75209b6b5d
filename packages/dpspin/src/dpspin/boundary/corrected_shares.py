"""Shares as the map gives them, less the error that it made on labelled text: beside the masses, at no privacy cost.

The correction is fixed before any protected record is read, and travels on the map's report card. What is computed here
is a function of released numbers and of that card. It holds as far as the records are sorted like the labelled text.
"""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.report_card import QuantifiedShare, ReportCard, ShareCorrection

Floats = NDArray[np.float64]


def corrected(mapped: Floats, corrections: Sequence[ShareCorrection]) -> Floats:
    """Return slope · share + offset of each class, cut at zero, as parts of one.

    >>> half = ShareCorrection(slope=1.0, offset=-0.25, error=0.01), ShareCorrection(slope=1.0, offset=0.25, error=0.01)
    >>> corrected(np.array([0.5, 0.5]), half).tolist()
    [0.25, 0.75]
    """
    shares = np.maximum([one.slope * share + one.offset for one, share in zip(corrections, mapped, strict=True)], 0.0)
    total = shares.sum()
    parts: Floats = shares / total if total else np.asarray(mapped)
    return parts


def corrected_shares(
    masses: Sequence[float], uncovered: float, card: ReportCard, *, noise_std: float, beta: float, bound: float = 1.0
) -> tuple[QuantifiedShare, ...]:
    """Estimate the true shares of all atoms from noisy masses and the card's corrections.

    The intervals cover, together and approximately, the noise, the chance of which records were written, and the chance
    of which texts were labelled; not a map that errs otherwise on the records than on those texts.
    """
    observed = np.maximum([*masses, uncovered], 0.0)
    total = observed.sum()
    if total <= 0:
        return ()
    observed /= total
    shares = corrected(observed, card.corrections)
    slopes, errors = (np.array([getattr(one, name) for one in card.corrections]) for name in ("slope", "error"))
    of_records = (noise_std / total) ** 2 + observed * (1 - observed) * max(1.0, bound) / total
    reach = NormalDist().inv_cdf(1 - beta / (2 * len(observed))) * np.sqrt(slopes**2 * of_records + errors**2)
    return tuple(
        QuantifiedShare(
            atom_id=atom.atom_id,
            share=_rounded(share),
            low=_rounded(share - width),
            high=_rounded(share + width),
        )
        for atom, share, width in zip(card.atoms, shares, reach, strict=False)  # the last class is none of these
    )


def _rounded(value: float) -> float:
    return min(1.0, max(0.0, round(float(value), 6)))
