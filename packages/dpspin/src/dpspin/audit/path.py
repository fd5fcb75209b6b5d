"""The path from records to plans: the shipped code, with the two seams at which a mutant can break it."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Everyone, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.storage import InMemory
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.records.corpus import TEXT, USER, ProtectedCorpus, open_corpus
from dpspin.curator.records.policy import Columns, RowPolicy
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.noise import SecureNoise

Measure = Callable[[pa.Table, ContributionMap, SketchOrigin], Iterator[Sketch]]


def opened(table: pa.Table, unit: RecordUnit | UserUnit) -> ProtectedCorpus:
    """Open a table as a release does: user ids are read exactly where users are protected."""
    columns = Columns(TEXT, USER) if isinstance(unit, UserUnit) else Columns(TEXT)
    return open_corpus(table, columns, RowPolicy())


def measured(table: pa.Table, contribution_map: ContributionMap, origin: SketchOrigin) -> Iterator[Sketch]:
    """Measure the records by the shipped code: once, where nothing is random before the noise; a sample every time."""
    records = Records(opened(table, origin.unit), contribution_map, origin)
    if isinstance(origin.sampling, Everyone):
        return itertools.repeat(records.measure(InMemory())[0])
    return (records.measure(InMemory())[0] for _ in itertools.count())


@dataclass(frozen=True, slots=True)
class Path:
    """How records become sketches, and where noise comes from; by default as in a release."""

    measure: Measure = measured
    noise: NoiseSource = field(default_factory=SecureNoise)


def releases(
    path: Path, sketches: Iterator[Sketch], universe: AtomUniverse, spec: ReleaseSpec
) -> Iterator[SemanticPlan]:
    """Release again and again through the one gate: what only an audit may do, and only with made-up records."""
    return (release_plan(sketch, universe, spec, path.noise) for sketch in sketches)
