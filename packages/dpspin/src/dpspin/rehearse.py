"""Rehearse a release on auxiliary text: simulated noise, known truth, never the protected records.

Noise from a seed protects nobody. The text must be public or separate: what comes out here is exact, and as private as
the text that went in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.postprocess import top
from dpspin.boundary.privacy import MAX_BOUND, TICKS_PER_MASS, RecordUnit, UserUnit, bound_ticks
from dpspin.boundary.statement import MapStatement, Separation, separation_of
from dpspin.curator.aggregate.local import read_into
from dpspin.curator.aggregate.sketch import MOST_TICKS, Sketch, SketchOrigin
from dpspin.curator.aggregate.totals import RecordTotals, UserTotals, totals_for
from dpspin.curator.assign.calibrated_map import as_if_new
from dpspin.curator.assign.contribution import ContributionMap, Ints
from dpspin.curator.records.columns import USER
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import RequestError
from dpspin.public.preview.public_inputs import PublicInputs, known_of
from dpspin.public.preview.rehearsed import Clipping, Rehearsal, RehearsedTheme, Spread

Floats = NDArray[np.float64]
RELEASES = 400
BOUNDS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """The auxiliary text once mapped: integer totals, and the number of records or users behind them."""

    totals: RecordTotals | UserTotals
    units: int

    def clipped(self, unit: RecordUnit | UserUnit) -> Ints:
        """Return the exact sums, with every unit clipped to its bound."""
        if isinstance(self.totals, RecordTotals):
            return self.totals.settled
        return self.totals.sums.clipped(bound_ticks(unit), self.totals.origin.marginals[0])

    def kept(self, bound: float) -> float:
        """Return the mass per user that clipping at a bound leaves."""
        return float(self.clipped(UserUnit(bound)).sum()) / TICKS_PER_MASS / self.units

    def rescaled(self, unit: RecordUnit | UserUnit, denominator: int) -> Ints:
        """Return the sums as they would be if there were ``denominator`` units like these."""
        sums = np.floor(self.clipped(unit) * (denominator / self.units))
        if sums.sum() > MOST_TICKS:
            raise RequestError("the denominator is too large for a rehearsal: more than 2^32 units of mass")
        ticks: Ints = sums.astype(np.int64)
        return ticks


def rehearse(
    corpus: ProtectedCorpus,
    fitted: ContributionMap,
    universe: AtomUniverse,
    request: PublicInputs,
    *,
    learned_from_it: bool = False,
    releases: int = RELEASES,
    seed: int = 0,
) -> Rehearsal:
    """Map the auxiliary text once, and release it many times with simulated noise, at the size of the request.

    Labelled texts that taught the map are mapped held out; ``learned_from_it`` says that it knows its text even so.
    """
    separation = declared_public(universe, fitted.statement)
    whole = SketchOrigin.of(universe, fitted.statement, request.unit, request.adjacency, separation=separation)
    measured = _measure(corpus, as_if_new(fitted), whole)
    statement = fitted.statement.model_copy(update={"card": None})  # without it no share is quantified: not used here
    origin = replace(whole, contribution_map=statement)
    sketch = Sketch(measured.rescaled(request.unit, request.denominator), origin)
    truth, place = masses_of(sketch), {atom: position for position, atom in enumerate(universe.ids)}
    trials = [trial(plan, truth, place) for plan in simulate(sketch, universe, request, releases, SimulatedNoise(seed))]
    return Rehearsal(
        request=request,
        units=measured.units,
        learned_from_it=learned_from_it,
        uncovered=float(truth[universe.size]) / request.denominator if statement.answers_none else None,
        themes=_themes(universe, truth / request.denominator, trials),
        clipping=tuple(_clipping(measured, request)) if isinstance(request.unit, UserUnit) else (),
        releases=releases,
        overlap=_spread([it.overlap for it in trials]),
        admitted=_spread([len(it.listed) for it in trials]),
        certified_pairs=_spread([it.pairs for it in trials]),
        orders_hold=float(np.mean([it.orders_hold for it in trials])),
        intervals_hold=float(np.mean([it.intervals_hold for it in trials])),
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """One simulated release beside the truth.

    ``overlap`` is Overlap@L: of the L truly largest atoms, the part that was listed. ``pairs`` are those of which the
    plan may say which has more; ``orders_hold`` and ``intervals_hold`` tell whether all that may be said is true.
    """

    listed: frozenset[int]  # positions in the dictionary
    overlap: float
    pairs: int
    orders_hold: bool
    intervals_hold: bool


def simulate(
    sketch: Sketch, universe: AtomUniverse, request: PublicInputs, releases: int, noise: SimulatedNoise
) -> Iterator[SemanticPlan]:
    """Release a sketch many times through the real gate, with simulated noise: every plan says it is not private."""
    spec = ReleaseSpec(
        loss=request.loss,
        denominator=request.denominator,
        mechanism=request.mechanism,
        size=request.size,
        beta=request.beta,
        bins=request.bins,
    )
    for _ in range(releases):
        yield release_plan(sketch, universe, spec, noise)


def masses_of(sketch: Sketch) -> Floats:
    """Return the exact masses of the atoms and then, where they are measured, of "none of these" and "not read"."""
    return np.ldexp(sketch.ticks, -30, dtype=np.float64)


def trial(plan: SemanticPlan, truth: Floats, place: Mapping[AtomId, int]) -> Trial:
    """Compare a plan with the exact masses; ``place`` is the position of each atom id."""
    listed = frozenset(place[entry.atom_id] for entry in plan.entries)
    margin = plan.rules.certificates.comparison_margin
    beside = [value for value in (plan.uncovered, plan.not_read) if value is not None]
    pairs = [(a, b) for a, b in combinations(plan.entries, 2) if a.noisy_mass - b.noisy_mass > margin]
    return Trial(
        listed=listed,
        overlap=len(listed.intersection(top(truth[: len(place)].tolist(), plan.rules.size))) / plan.rules.size,
        pairs=len(pairs),
        orders_hold=all(truth[place[a.atom_id]] >= truth[place[b.atom_id]] for a, b in pairs),
        intervals_hold=all(
            [_holds(entry, truth[place[entry.atom_id]]) for entry in plan.entries]
            + [_holds(value, true) for value, true in zip(beside, truth[len(place) :], strict=True)]
        ),
    )


def _holds(released: PlanEntry | Uncovered, true: float) -> bool:
    return bool(released.low <= true <= released.high)


def _measure(corpus: ProtectedCorpus, fitted: ContributionMap, origin: SketchOrigin) -> Measured:
    totals = totals_for(origin)
    seen = read_into(totals, corpus, fitted)
    units = seen.records if isinstance(totals, RecordTotals) else _users(corpus)
    if units == 0:
        raise RequestError("there is no auxiliary record to rehearse on")
    return Measured(totals, units)


def _users(corpus: ProtectedCorpus) -> int:
    """Count the users, also those whose records say nothing of any theme."""
    return len({user for batch in corpus.batches() for user in batch.column(USER).to_pylist()})


def _themes(universe: AtomUniverse, supports: Floats, trials: Sequence[Trial]) -> tuple[RehearsedTheme, ...]:
    listed = np.zeros(universe.size)
    for it in trials:
        listed[list(it.listed)] += 1
    by_size = np.argsort(-supports[: universe.size], kind="stable").tolist()
    return tuple(
        RehearsedTheme(
            atom_id=universe.atoms[place].id,
            label=universe.atoms[place].label,
            support=float(supports[place]),
            listed=float(listed[place]) / len(trials),
        )
        for place in by_size
    )


def _clipping(measured: Measured, request: PublicInputs) -> Iterator[Clipping]:
    """Go up in bounds until nothing is lost; the request's own bound is always there."""
    whole = measured.kept(MAX_BOUND) or 1.0
    for bound in sorted({*BOUNDS, request.unit.bound}):
        other = request.asking(unit=UserUnit(bound))
        kept, threshold = measured.kept(bound), known_of(other).threshold
        yield Clipping(
            bound=bound,
            lost=max(0.0, 1 - kept / whole),
            admission_threshold=other.extent(threshold),
            limit_of_kept=threshold / (kept * request.denominator or 1.0),
        )
        if kept == whole and bound >= request.unit.bound:
            return


def _spread(figures: Sequence[float]) -> Spread:
    low, high = np.quantile(figures, [0.05, 0.95])
    return Spread(mean=float(np.mean(figures)), low=float(low), high=float(high))


def declared_public(universe: AtomUniverse, contribution_map: MapStatement) -> Separation:
    """Declare public what was read to build the dictionary and to fit the map, where anything was."""
    read, learned = universe.provenance.needs_comparison, contribution_map.learned_from_auxiliary
    return separation_of(behind_map=learned, map_is_public=learned, behind_dictionary=read, dictionary_is_public=read)
