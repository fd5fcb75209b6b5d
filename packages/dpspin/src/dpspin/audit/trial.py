"""One trial: release two neighbours many times, and bound from below how well they can be told apart.

The path from records to plans is the shipped code, with two seams at which a mutant can break it.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, product

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from dpspin.audit.corpora import TWO_ATOMS, dictionary, neighbours, paper_map
from dpspin.audit.epsilon_bound import Floats, Witness, at_least, at_most, epsilon_at_least, released_masses
from dpspin.boundary.calibration import rate_of
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, Everyone, Prevalence, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.storage import InMemory
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.records.columns import TEXT, USER, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise

Measure = Callable[[pa.Table, ContributionMap, SketchOrigin], Iterator[Sketch]]
THRESHOLDS = 100  # among which the pilot chooses
DOUBT = 0.1  # the pilot's shares are read with this doubt, so that it does not choose a rare event by chance
CENTRED_ON = 100  # sketches of a corpus: all equal or, of a sample, with and without the unit in question


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
class ReleasePath:
    """How records become sketches, and where noise comes from; by default as in a release."""

    measure: Measure = measured
    noise: NoiseSource = field(default_factory=SecureNoise)


@dataclass(frozen=True, slots=True)
class Effort:
    """How many releases of each neighbour: first a pilot that chooses the event, then those that count.

    The counted ones are looked at several times, each twice as long as the one before; a refuted claim ends the trial.
    ``failure`` bounds the chance that a trial's bound is above the truth at any of its looks.
    """

    pilot: int
    releases: int
    failure: float = 2e-8
    looks: int = 5

    @property
    def ends(self) -> tuple[int, ...]:
        """The number of counted releases at each look.

        >>> Effort(pilot=100, releases=4000).ends
        (250, 500, 1000, 2000, 4000)
        """
        return tuple(self.releases >> back for back in reversed(range(self.looks)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial found: epsilon is at least ``bound``, after so many counted releases of each neighbour.

    ``exact_loss`` is that of the hardest pair of files itself, where a trial begins with files: it needs no counting.
    """

    bound: float
    releases: int
    exact_loss: float | None = None

    @property
    def loss(self) -> float:
        """What is certainly lost."""
        return max(self.bound, self.exact_loss or 0.0)


@dataclass(frozen=True, slots=True)
class Event:
    """All plans whose witness is at least a threshold; or at most, where they speak for the first neighbour."""

    threshold: float
    speaks_for_after: bool

    def counts(self, before: Floats, after: Floats) -> tuple[int, int]:
        """Return how often it happened for the neighbour it speaks for, and for the other one."""
        if self.speaks_for_after:
            return int((after >= self.threshold).sum()), int((before >= self.threshold).sum())
        return int((before <= self.threshold).sum()), int((after <= self.threshold).sum())


def trial(
    audited: Audited, unit: RecordUnit | UserUnit, adjacency: Adjacency, path: ReleasePath, effort: Effort
) -> Outcome:
    """Bound from below the epsilon of a release path at the claimed delta; stop as soon as the claim is refuted."""
    if isinstance(audited.quantity, Prevalence):
        unit = replace(unit, bound=1.0) if isinstance(unit, UserUnit) else unit  # K is the bound there
        pair = neighbours(unit, adjacency, audited.crowd, TWO_ATOMS)
    else:
        pair = neighbours(unit, adjacency, audited.crowd)
    sides = [_Side.of(table, audited, unit, adjacency, path) for table in (pair.before, pair.after)]
    witness, event = _learned(sides, audited, effort)
    counted = [np.empty(0), np.empty(0)]
    outcome = Outcome(0.0, 0)
    for end in effort.ends:
        more = end - outcome.releases
        counted = [np.r_[old, witness(side.masses(more))] for old, side in zip(counted, sides, strict=True)]
        outcome = Outcome(float(bound_of(*event.counts(*counted), end, audited.loss.delta, effort)), end)
        if outcome.bound > audited.loss.epsilon:
            break
    return outcome


def _learned(sides: "list[_Side]", audited: Audited, effort: Effort) -> tuple[Witness, Event]:
    """Learn from the pilot alone what to look at, so that the counted releases are fresh."""
    pilots = [side.masses(effort.pilot) for side in sides]
    noise = next(sides[0].plans).statement.noise
    witness = Witness.trained((sides[0].centre, sides[1].centre), noise, (pilots[0], pilots[1]))
    before, after = (witness(pilot) for pilot in pilots)
    return witness, learned_event(before, after, audited.loss.delta, effort)


def learned_event(before: Floats, after: Floats, delta: float, effort: Effort) -> Event:
    """Choose by the pilot's witnesses the event that promises the highest bound."""
    thresholds = np.unique(np.quantile(np.r_[before, after], np.linspace(0, 1, THRESHOLDS), method="nearest"))
    events = [Event(float(at), side) for at, side in product(thresholds, (False, True))]
    here, there = np.array([event.counts(before, after) for event in events]).T
    expected = bound_of(
        at_least(here, effort.pilot, DOUBT) * effort.releases,
        at_most(there, effort.pilot, DOUBT) * effort.releases,
        effort.releases,
        delta,
        effort,
    )
    return events[int(np.argmax(expected))]


def bound_of(here: ArrayLike, there: ArrayLike, trials: int, delta: float, effort: Effort) -> Floats:
    """Return a bound on epsilon from below that holds at each of several looks."""
    return epsilon_at_least(here, there, trials, delta, effort.failure / effort.looks)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the neighbours, and its endless releases: what only an audit may do, and only with made-up records."""

    centre: Floats
    plans: Iterator[SemanticPlan]
    ids: tuple[int, ...]

    @classmethod
    def of(
        cls, table: pa.Table, audited: Audited, unit: RecordUnit | UserUnit, adjacency: Adjacency, path: ReleasePath
    ) -> "_Side":
        universe, mapped = dictionary(len(audited.crowd)), paper_map(len(audited.crowd))
        origin = SketchOrigin.of(universe, mapped.statement, unit, adjacency, audited.quantity, audited.sampling)
        sketches = path.measure(table, mapped, origin)
        one = TICKS_PER_MASS * rate_of(audited.sampling)
        centre = np.max([sketch.ticks for sketch in islice(sketches, CENTRED_ON)], axis=0) / one
        spec = ReleaseSpec(loss=audited.loss, mechanism=audited.mechanism, size=audited.size, denominator=1000)
        plans = (release_plan(sketch, universe, spec, path.noise) for sketch in sketches)
        return cls(centre, plans, universe.ids)

    def masses(self, count: int) -> Floats:
        """Release so many times, and keep what was published."""
        return released_masses(islice(self.plans, count), self.ids)
