"""Intervals of shares hold together at their stated level, with a noisy denominator too. Seeds are fixed."""

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.denominator import CountShare, TotalMass
from dpspin.boundary.mechanisms import Gaussian, Laplace
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.public.narrate.claims.beside_baseline import themes_beside_baseline
from factories import universe_of

ATOMS, UNITS, DRAWS, BETA = 40, 900, 300, 0.2
UNIVERSE = universe_of([Atom(id=i, label=f"theme {i}") for i in range(ATOMS)])
MASSES = 0.9 * UNITS / np.arange(1, ATOMS + 1) / sum(1 / np.arange(1, ATOMS + 1))
STATEMENT = MapStatement(name="zipf", fitted_on="nothing", atoms_per_record=3, digest="sha256:zipf")
ORIGIN = SketchOrigin.of(UNIVERSE, STATEMENT, RecordUnit(), Adjacency.ADD_DROP)
SKETCH = Sketch((MASSES * TICKS_PER_MASS).astype(np.int64), ORIGIN, UNITS)
BASELINE = baseline_of(UNIVERSE, dict(enumerate(MASSES)), source="the truth")
CASES = {
    "count, laplace": (CountShare(share=0.2), Laplace(), UNITS),
    "count, gaussian": (CountShare(share=0.2), Gaussian(), UNITS),
    "total, laplace": (TotalMass(), Laplace(), MASSES.sum()),
    "total, gaussian": (TotalMass(), Gaussian(), MASSES.sum()),
}


def plans(denominator, mechanism):
    loss = PrivacyLoss(1.0, 0.0 if isinstance(mechanism, Laplace) else 1e-6)
    spec = ReleaseSpec(loss=loss, denominator=denominator, mechanism=mechanism, beta=BETA, admission="fixed")
    for seed in range(DRAWS):
        yield release_plan(SKETCH, UNIVERSE, spec, SimulatedNoise(seed))


@pytest.mark.parametrize("case", CASES)
def test_all_shares_lie_in_their_intervals_together(case):
    denominator, mechanism, truth = CASES[case]
    wrong = sum(
        any(not e.support_low <= MASSES[e.atom_id] / truth <= e.support_high for e in plan.entries)
        for plan in plans(denominator, mechanism)
    )
    assert wrong / DRAWS <= BETA  # the union bound leaves room: a sound interval misses far less often


def test_a_true_baseline_is_seldom_called_wrong():
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=1000, beta=BETA, baseline=BASELINE)
    plans_beside = (release_plan(SKETCH, UNIVERSE, spec, SimulatedNoise(seed)) for seed in range(60))
    wrong = sum(any(each.differs for each in themes_beside_baseline(plan)) for plan in plans_beside)
    assert wrong / 60 <= BETA


def test_a_count_has_the_noise_that_its_epsilon_buys():
    counts = [plan.denominator for plan in plans(CountShare(share=0.2), Laplace())]
    spread = np.std([count.noisy_count for count in counts])
    assert counts[0].noise_std == pytest.approx(np.sqrt(2) * laplace_scale(1, 0.2), rel=0.01)
    assert spread == pytest.approx(counts[0].noise_std, rel=0.25)
