"""A random sample: each unit is measured or not by a coin of its own, and nobody can find out which.

The coins come from the operating system and are forgotten with the run: they are not hashes of anything, so no list of
ids and no later run brings the sample back. Amplification rests on that, and on nobody keeping a log of who was drawn.
"""

import os
from dataclasses import dataclass, field
from typing import Protocol, assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpspin.boundary.privacy import Everyone, PoissonSample, RecordUnit, UserUnit
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.records.columns import USER

Flags = NDArray[np.bool_]


class Draw(Protocol):
    """Which rows of a batch are measured."""

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows whose units were drawn."""
        ...


def flips(number: int, rate: float) -> Flags:
    """Flip secret coins, each with probability floor(rate·2^64)/2^64: never above the stated rate.

    >>> flips(3, rate=0.5).shape
    (3,)
    """
    fresh = np.frombuffer(os.urandom(8 * number), "<u8")
    return fresh < np.uint64(int(rate * 2**64))


@dataclass(frozen=True, slots=True)
class SampleOfRecords:
    """One coin for every record."""

    rate: float

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the records that were drawn."""
        return batch.filter(pa.array(flips(batch.num_rows, self.rate)))


@dataclass(frozen=True, slots=True)
class SampleOfUsers:
    """One coin for every user, flipped at their first record and kept in memory; one for each record without a user."""

    rate: float
    coins: dict[str, bool] = field(default_factory=dict, repr=False)

    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the records of the users who were drawn."""
        ids = batch.column(USER).dictionary_encode()
        new = [name for name in ids.dictionary.to_pylist() if name not in self.coins]
        self.coins.update(zip(new, flips(len(new), self.rate).tolist(), strict=True))
        drawn = pa.array([self.coins[name] for name in ids.dictionary.to_pylist()], pa.bool_())
        named = drawn.take(ids.indices)
        return batch.filter(pc.coalesce(named, pa.array(flips(batch.num_rows, self.rate))))


def draw_for(origin: SketchOrigin) -> Draw:
    """Return how the units of a sketch are drawn."""
    match origin.sampling, origin.unit:
        case Everyone(), _:
            return lambda batch: batch
        case PoissonSample(rate=rate), RecordUnit():
            return SampleOfRecords(rate)
        case PoissonSample(rate=rate), UserUnit():
            return SampleOfUsers(rate)
        case _:
            assert_never(origin.sampling)
