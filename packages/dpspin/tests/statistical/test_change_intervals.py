"""Changes of shares lie in their intervals together, with noisy denominators and two mechanisms too. Seeds are fixed.

A sound comparison errs in at most BETA of the pairs; with 200 pairs more than 0.2 + 0.1 of them are seen by chance with
probability below 0.001. One that takes the noise of one plan alone for that of both errs in most.
"""

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.denominator import CountShare, TotalMass
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from factories import universe_of

pytestmark = pytest.mark.statistical
ATOMS, UNITS, PAIRS, BETA, SLACK = 30, 900, 200, 0.2, 0.1
UNIVERSE = universe_of([Atom(id=i, label=f"theme {i}") for i in range(ATOMS)])
SHARES = np.arange(ATOMS, 0, -1) / sum(range(ATOMS + 1))
STATEMENT = MapStatement(name="given", fitted_on="nothing", atoms_per_record=3, digest="sha256:given")
ORIGIN = SketchOrigin.of(UNIVERSE, STATEMENT, RecordUnit(), Adjacency.ADD_DROP)
BEFORE, AFTER = 0.9 * UNITS * SHARES, 0.8 * 2 * UNITS * np.roll(SHARES, 1)
COUNTED = ((UNITS, BEFORE), (2 * UNITS, AFTER))
CASES = {
    "a number": (UNITS, 2 * UNITS),
    "counts": (CountShare(share=0.2),) * 2,
    "totals": (TotalMass(),) * 2,
}
MECHANISMS = {"laplace": (Laplace(), Laplace()), "two kinds": (Gaussian(), Laplace()), "chosen": (PrivateTopL(),) * 2}


def plan_of(units, masses, whole, mechanism, seed):
    loss = PrivacyLoss(1.0, 0.0 if isinstance(mechanism, Laplace) else 1e-6)
    spec = ReleaseSpec(loss=loss, denominator=whole, mechanism=mechanism, beta=BETA, admission="fixed")
    sketch = Sketch((masses * TICKS_PER_MASS).astype(np.int64), ORIGIN, units)
    return release_plan(sketch, UNIVERSE, spec, SimulatedNoise(seed))


def pairs(case, mechanisms):
    for seed in range(PAIRS):
        halves = zip(COUNTED, CASES[case], MECHANISMS[mechanisms], strict=True)
        yield [plan_of(*of, whole, each, 2 * seed + side) for side, (of, whole, each) in enumerate(halves)]


def true_change(case, place):
    wholes = (UNITS, 2 * UNITS) if case != "totals" else (BEFORE.sum(), AFTER.sum())
    return AFTER[place] / wholes[1] - BEFORE[place] / wholes[0]


def errors(case, mechanisms, part=1.0):
    """Return in how many pairs some change lies outside of its interval, or outside of a part of it."""
    wrong = 0
    for before, after in pairs(case, mechanisms):
        _, changes = certified_changes(before, after, BETA)
        wrong += any(
            abs(true_change(case, place) - (each.low + each.high) / 2) > part * (each.high - each.low) / 2
            for place, each in changes.items()
        )
    return wrong / PAIRS


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mechanisms", ["laplace", "two kinds"])
def test_all_changes_lie_in_their_intervals_together(case, mechanisms):
    assert errors(case, mechanisms) <= BETA + SLACK


def test_those_of_themes_that_both_plans_chose_do_too():
    assert errors("a number", "chosen") <= BETA + SLACK


def test_an_interval_for_the_noise_of_one_plan_is_found_to_be_too_short():
    assert errors("a number", "laplace", part=0.6) > BETA + SLACK


def by_chance(seed, *, independent=True):
    """Return two plans of collections in which everybody writes as before: of single letters, or each with a copy."""
    chance = np.random.default_rng(seed)  # noqa: TID251  who writes, and no noise
    copies = 1 if independent else 4
    masses = [copies * chance.poisson(units * SHARES / copies).astype(float) for units in (UNITS, 2 * UNITS)]
    halves = zip((UNITS, 2 * UNITS), masses, strict=True)
    return [plan_of(units, each, units, Laplace(), 2 * seed + side) for side, (units, each) in enumerate(halves)]


def alarms(chosen, **how):
    told = (certified_changes(*by_chance(seed, **how), BETA)[1].values() for seed in range(PAIRS))
    return sum(any(map(chosen, changes)) for changes in told) / PAIRS


def test_where_only_chance_decides_who_writes_nothing_is_beyond_it_though_much_is_told_apart():
    assert alarms(lambda each: each.beyond_chance) <= BETA
    assert alarms(lambda each: each.direction != "not_apart") > 0.9  # the two collections do differ


def test_who_writes_four_times_is_not_independent_and_that_is_found():
    assert alarms(lambda each: each.beyond_chance, independent=False) > BETA + SLACK
