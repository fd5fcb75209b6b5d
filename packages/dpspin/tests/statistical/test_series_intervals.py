"""Everything that is told of a series holds together, over all of its periods. Seeds are fixed.

A sound series errs in at most BETA of the runs; with 200 runs more than 0.2 + 0.1 of them are seen by chance with
probability below 0.001. One that gives each pair of periods, or each period, the whole of beta errs in most.
"""

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, UserUnit
from dpspin.boundary.series import SeriesStep
from dpspin.boundary.series_changes import PlansInTime
from dpspin.boundary.series_levels import areas_in, areas_of, counted_part, levels_of
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from factories import universe_of
from series_plans import PeriodFacet, terms_of

pytestmark = pytest.mark.statistical
ATOMS, UNITS, RUNS, BETA, SLACK = 12, 3000, 200, 0.2, 0.1
UNIVERSE = universe_of([Atom(id=i, label=f"theme {i}", parent=f"area {i % 3}") for i in range(ATOMS)])
SHARES = np.arange(ATOMS, 0, -1) / sum(range(ATOMS + 1))
EVERY = PeriodFacet(column="date", every="month", first="2026-01", last="2026-06")
TERMS = terms_of(EVERY, fading_share=0.5)
MAP = MapStatement(name="given", fitted_on="nothing", atoms_per_record=3, digest="sha256:given")
ORIGIN = SketchOrigin.of(UNIVERSE, MAP, UserUnit(bound=TERMS.lifetime_bound), Adjacency.ADD_DROP)
WANTED = 1.25  # times what was counted
WHOLES = {"a number": UNITS, "totals": TotalMass()}


def plan_of(period, masses, whole, seed):
    step = SeriesStep(period=period, life=1, terms=TERMS)
    given = {"loss": PrivacyLoss(TERMS.epsilon), "denominator": whole, "beta": BETA, "admission": "fixed"}
    ticks = (masses * TICKS_PER_MASS).astype(np.int64)
    sketch = Sketch(ticks, ORIGIN, UNITS, wanted=int(WANTED * ticks.sum()))
    return release_plan(sketch, UNIVERSE, ReleaseSpec(**given, series=step), SimulatedNoise(seed))


def runs(whole, masses=lambda _: UNITS * SHARES):
    for seed in range(RUNS):
        yield PlansInTime(
            tuple(
                plan_of(period, masses(place), WHOLES[whole], 100 * seed + place)
                for place, period in enumerate(EVERY.declared)
            )
        )


@pytest.fixture(scope="module", params=WHOLES)
def unchanged(request):
    return [*runs(request.param)]


@pytest.fixture(scope="module")
def of_a_number():
    return [*runs("a number")]


def part(found):
    return sum(found) / RUNS


def told_apart(time):
    return any(step.moved for step in (*time.steps.values(), *time.from_first.values()))


def test_where_nothing_changes_hardly_any_series_tells_a_change(unchanged):
    assert part(told_apart(time) for time in unchanged) <= BETA + SLACK
    assert part(any(map(time.since, UNIVERSE.ids)) for time in unchanged) <= BETA + SLACK


def test_pairs_that_have_all_of_beta_each_tell_changes_that_are_not_there(of_a_number):
    def alarms(time):
        pairs = [(first, later) for first, later in zip(time.released, time.released[1:], strict=False)]
        pairs += [(time.released[0], later) for later in time.released[2:]]
        changes = (certified_changes(*pair, BETA)[1].values() for pair in pairs)
        return any(each.direction != "not_apart" for changed in changes for each in changed)

    assert part(map(alarms, of_a_number)) > BETA + SLACK


def test_signs_alone_always_do(of_a_number):
    signs = (any(c.share_b > c.share_a for c in step.themes.values()) for t in of_a_number for step in t.steps.values())
    assert all(signs)


def test_all_changes_of_a_series_that_changes_lie_in_their_intervals_together():
    def masses(place):
        return UNITS * (SHARES if place < 3 else np.roll(SHARES, 1))

    def wrong(time):
        return any(
            not change.low <= truth(step.period, theme) - truth(step.earlier, theme) <= change.high
            for step in (*time.steps.values(), *time.from_first.values())
            for theme, change in step.themes.items()
        )

    def truth(period, theme):
        return masses(EVERY.declared.index(period))[theme] / UNITS

    told = [*runs("a number", masses)]
    assert part(map(wrong, told)) <= BETA + SLACK
    assert part(time.since(0) is not None and time.since(0).period == "2026-04" for time in told) > 1 - BETA - SLACK


def outside(level, truth):
    return not level.low <= truth <= level.high


def wrong_levels(time, beta):
    levels = (levels_of(plan, beta) for plan in time.released)
    return any(outside(level, SHARES[theme]) for found in levels for theme, level in found.items())


def wrong_areas(time, beta):
    sums = {name: sum(SHARES[atom] for atom in atoms) for name, atoms in areas_in(UNIVERSE).items()}
    levels = (areas_of(plan, areas_in(UNIVERSE), beta) for plan in time.released)
    return any(outside(level, sums[name]) for found in levels for name, level in found.items())


def wrong_parts(time, beta):
    return any(outside(counted_part(plan, beta), 1 / WANTED) for plan in time.released)


@pytest.mark.parametrize("wrong", [wrong_levels, wrong_areas, wrong_parts])
def test_shares_areas_and_counted_parts_lie_in_their_intervals_in_all_periods_together(unchanged, wrong):
    assert part(wrong(time, time.beta_of_a_period) for time in unchanged) <= BETA + SLACK


@pytest.mark.parametrize("wrong", [wrong_levels, wrong_areas])
def test_they_do_not_where_each_period_has_all_of_beta(of_a_number, wrong):
    assert part(wrong(time, BETA) for time in of_a_number) > BETA + SLACK


def test_a_counted_part_that_takes_the_released_value_for_the_true_one_is_wrong(of_a_number):
    assert part(wrong_parts(time, 0.999) for time in of_a_number) > BETA + SLACK
