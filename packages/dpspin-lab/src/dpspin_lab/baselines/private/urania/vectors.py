"""Records as integer vectors of length one at most: sums of them have an exact sensitivity, and no order."""

from dataclasses import dataclass, field

import numpy as np

from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.errors import BoundViolation
from dpspin_lab.baselines.private.draws import GRID

_FINE = 2**24  # the grid before the length is known


@dataclass(frozen=True, slots=True)
class UnitVectors:
    """One row per record, in ticks. An instance has rows of length one at most, checked in integers."""

    ticks: Ints = field(repr=False)

    def __post_init__(self) -> None:
        if self.ticks.dtype != np.int64 or (np.abs(self.ticks) > GRID).any():
            raise BoundViolation("a vector has a coordinate above one")
        if ((self.ticks * self.ticks).sum(axis=1) > GRID**2).any():
            raise BoundViolation("a vector is longer than one")


def normalised(rows: Floats) -> UnitVectors:
    """Scale each row to length one; what has no direction stays at zero.

    Integers from the first step: floats would add up differently in different company, so that one record could change
    another's vector. With s = Σq² and r >= √s a whole number, |q·G/r| rounded towards zero has length G at most.

    >>> (normalised(np.array([[3.0, -4.0], [0.0, 0.0]])).ticks / GRID).round(4).tolist()
    [[0.6, -0.8], [0.0, 0.0]]
    """
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    shrunk = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
    fine = np.trunc(shrunk * _FINE).astype(np.int64)
    squared = (fine * fine).sum(axis=1, keepdims=True)
    length = np.ceil(np.sqrt(squared)).astype(np.int64)
    length += length * length < squared
    return UnitVectors(np.sign(fine) * (np.abs(fine) * GRID // np.maximum(length, 1)))
