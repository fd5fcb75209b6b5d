"""Faults in how a sample is drawn, read, summed up and told. Each must be caught; no release can reach this module."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.audit.corpora import RECORD, USERS, paper_map
from dpspin.audit.grounded_trial import ATOMS, READING, GroundedPath, SumUp, drawn_in_secret
from dpspin.audit.mutants import NotForRelease
from dpspin.boundary.grounding import Grounding
from dpspin.boundary.privacy import RecordUnit, UserUnit
from dpspin.curator.aggregate.read_sample import Drawing, Drawn, Readings, SampleSums, sums_over
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.corpus import ProtectedCorpus

KNOWN_TO_ALL: Final = (19).to_bytes(32, "little")  # the first public key that draws the unit in question


def at_another_rate(corpus: ProtectedCorpus, rate: float) -> tuple[Drawn, ...]:
    """Draw nearly everybody, and claim what a small sample would be worth."""
    return drawn_in_secret(corpus, 1 - rate)


def by_public_coins(corpus: ProtectedCorpus, rate: float) -> tuple[Drawn, ...]:
    """Draw by coins that anyone can toss; the unit in question happens to be among those who are drawn."""
    return Drawing(KNOWN_TO_ALL, rate).of(corpus)


def with_its_size(grounding: Grounding, drawn: tuple[Drawn, ...]) -> Grounding:
    """Tell how many records were read."""
    return grounding.model_copy(update={"reader": f"audit, {len(drawn)} records"})


def without_the_half(
    drawn: tuple[Drawn, ...], readings: Readings, mapped: Contributions, origin: SketchOrigin
) -> SampleSums:
    """Sum (y - x)²/c as it is, for which the noise is half of what it should be."""
    sums = sums_over(drawn, readings, mapped, origin)
    units = {each.unit for each in drawn}
    each_alone = [tuple(each for each in drawn if each.unit == unit) for unit in units]
    squares = np.zeros(origin.coordinates, np.int64)
    for theirs in each_alone:
        rows = [drawn.index(each) for each in theirs]
        alone = sums_over(theirs, readings, _rows(mapped, rows), origin).corrections
        squares += (alone.astype(object) ** 2 // origin.sensitivity.coordinate).astype(np.int64)
    return replace(sums, squares=squares)


def without_clipping(
    drawn: tuple[Drawn, ...], readings: Readings, mapped: Contributions, origin: SketchOrigin
) -> SampleSums:
    """Let every user count in full."""
    return sums_over(drawn, readings, mapped, replace(origin, unit=UserUnit(2.0**20)))


def of_other_records(
    drawn: tuple[Drawn, ...], readings: Readings, mapped: Contributions, origin: SketchOrigin
) -> SampleSums:
    """Hold what was read of each record against what the map made of one and the same record."""
    del mapped
    first = min((str(each.text) for each in drawn), default="")
    return sums_over(drawn, readings, paper_map(ATOMS)(pa.array([first] * len(drawn), pa.large_string())), origin)


def over_its_size(
    drawn: tuple[Drawn, ...], readings: Readings, mapped: Contributions, origin: SketchOrigin
) -> SampleSums:
    """Divide by how many were drawn, and multiply by how many a collection of 1,000 would lead to expect."""
    sums = sums_over(drawn, readings, mapped, origin)
    factor = 1000 * READING.rate / max(1, len({each.unit for each in drawn}))
    return replace(sums, corrections=np.round(sums.corrections * factor).astype(np.int64))


def _rows(mapped: Contributions, rows: list[int]) -> Contributions:
    parts = [slice(mapped.offsets[row], mapped.offsets[row + 1]) for row in rows]
    return Contributions(
        np.r_[0, np.cumsum([part.stop - part.start for part in parts])].astype(np.int64),
        np.concatenate([mapped.atoms[part] for part in parts]),
        np.concatenate([mapped.ticks[part] for part in parts]),
        mapped.universe_size,
        None,
    )


@dataclass(frozen=True, slots=True)
class GroundedMutant:
    """A fault, and with which units it must be caught; by counting where it lies in who is drawn or what is told."""

    fault: str
    path: GroundedPath
    units: tuple[RecordUnit | UserUnit, ...] = (RECORD, USERS)
    by_counting: bool = False


def _summed(fault: str, sum_up: SumUp, *units: RecordUnit | UserUnit) -> GroundedMutant:
    return GroundedMutant(fault, GroundedPath(sum_up=sum_up, noise=NotForRelease()), units)


def _counted(fault: str, path: GroundedPath) -> GroundedMutant:
    return GroundedMutant(fault, replace(path, noise=NotForRelease()), (RECORD,), by_counting=True)


GROUNDED_MUTANTS: Final = (
    _counted("sampling rate misstated", GroundedPath(draw=at_another_rate)),
    _counted("coins that anyone can toss", GroundedPath(draw=by_public_coins)),
    _counted("size of the sample published", GroundedPath(state=with_its_size)),
    _summed("read and mapped: other records", of_other_records, RECORD, USERS),
    _summed("divided by the sample's size", over_its_size, RECORD, USERS),
    _summed("squares without the half", without_the_half, RECORD, USERS),
    _summed("users not clipped", without_clipping, USERS),
)
