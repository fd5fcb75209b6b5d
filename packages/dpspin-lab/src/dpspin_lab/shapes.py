"""Shapes of sketches for experiments: shares of atoms, and masses as they would come from records."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

# How often each atom occurred in the paper's auxiliary text, in its order of atoms (the tables of its atom appendices).
AMAZON_SUPPORT = (
    *(3781, 2560, 2426, 2033, 1675, 1589, 1530, 1526, 1207, 1197, 984, 919, 825, 751, 666, 643, 617, 587, 550, 483),
    *(453, 451, 427, 426, 399, 368, 361, 339, 326, 309, 292, 283, 277, 252, 190, 186, 184, 109, 93, 90, 81, 78, 63),
    *(47, 30, 26),
)
YELP_SUPPORT = (
    *(62502, 58087, 38604, 34677, 31452, 25145, 24201, 19223, 14345, 13887, 11137, 10288, 10182, 9421, 8988, 8852),
    *(8811, 8665, 8618, 7813, 6933, 6418, 6230, 6195, 5979, 5585, 5566, 5397, 5251, 5211, 5209, 5090, 4936, 4610),
    *(4495, 4118, 3893, 3774, 3745, 3650, 3509, 3298, 3230, 3077, 3060, 3021, 2956, 2941, 2705, 2666),
)


def shares_of(support: ArrayLike) -> Floats:
    """Scale non-negative numbers to a sum of one."""
    values = np.asarray(support, np.float64)
    shares: Floats = values / values.sum()
    return shares


def zipf(atoms: int) -> Floats:
    """Return shares in proportion to 1/rank."""
    return shares_of(1 / np.arange(1, atoms + 1))


AUXILIARY: Mapping[str, Floats] = {
    "amazon": shares_of(AMAZON_SUPPORT),
    "yelp": shares_of(YELP_SUPPORT),
    "cfpb": zipf(200),
}

SHARES: Mapping[str, Floats] = {
    "zipf": zipf(100),
    "flat": shares_of(np.ones(50)),
    "ties": shares_of(np.repeat(np.arange(12, 0, -1), 5)),
    "two levels": shares_of(np.repeat([30, 1], [10, 190])),
    "sparse": shares_of(np.concatenate([np.arange(12, 0, -1), np.zeros(188)])),
    "empty": np.zeros(100),
    "amazon": AUXILIARY["amazon"],
    "yelp": AUXILIARY["yelp"],
}
