"""Public parameters alone never fail once the charge is made: a release is rehearsed on nobody's records first."""

import os
import random  # noqa: TID251  the parameters of a test, no noise

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import expit

from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import gaussian_sigma
from dpspin.boundary.denominator import CountShare, PublicNumber, TotalMass
from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection
from dpspin.boundary.planner import WIDEST, within_floats
from dpspin.boundary.privacy import EVERYONE, Adjacency, PoissonSample, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.answer_request import ResolvedRequest, answer
from dpspin.curator.release.draw_plan import ReleaseSpec, dry_run
from dpspin.curator.release.secure_noise import SecureNoise, level_for
from dpspin.errors import BoundViolation, BudgetRefused, RequestError
from factories import WeightsMap, universe_of

CASES = int(os.environ.get("DPSPIN_FUZZ", "400"))
UNIVERSE = universe_of([Atom(id=number, label=f"theme {number}") for number in range(7)])
MAP = WeightsMap(7, lambda _: [0.5, 0.25, 0, 0, 0, 0, 0, 0.25])
TABLE = pa.table({"text": ["late parcel"] * 40, "who": [f"u{i % 9}" for i in range(40)]})

EPSILONS = [10.0**power for power in range(-12, 4)] + [3e-6, 1e-300, 1e-320, 709.0, 710.0, 1e6, 1e10, 1e300]
DELTAS = (1e-300, 1e-40, 1e-18, 1e-6, 1e-3, 0.5, 1 - 1e-9)
SHARES = (1e-17, 1e-9, 0.1, 0.5, 1 - 1e-16)
UNITS = (RecordUnit(), UserUnit(1.0), UserUnit(2.0**-30), UserUnit(2.0**20))
RATES = (2.0**-29, 1e-4, 0.5, 1 - 1e-12)


def mechanism_of(chance):
    share = chance.choice(SHARES)
    monotone, accounting = chance.random() < 0.5, chance.choice(list(Accounting))
    selecting = PrivateTopL(value_fraction=share, monotone=monotone, accounting=accounting)
    return chance.choice([Laplace(), Gaussian(), selecting, SetSelection(value_fraction=share)])


def case_of(seed):
    """Draw one request; the parts that need each other mostly fit, so that most cases reach the noise."""
    chance = random.Random(seed)
    mechanism = mechanism_of(chance)
    delta = 0.0 if isinstance(mechanism, Laplace | SetSelection) else chance.choice(DELTAS)
    sampling = PoissonSample(rate=chance.choice(RATES)) if chance.random() < 0.25 else EVERYONE
    counted = CountShare(share=chance.choice(SHARES))
    origin = SketchOrigin.of(
        UNIVERSE,
        MAP.statement,
        chance.choice(UNITS),
        Adjacency.ADD_DROP if chance.random() < 0.8 else Adjacency.REPLACE,
        sampling=sampling,
    )
    spec = ReleaseSpec(
        loss=PrivacyLoss(chance.choice(EPSILONS), delta),
        denominator=chance.choice([PublicNumber(value=100), PublicNumber(value=2**53), counted, TotalMass()]),
        mechanism=mechanism,
        size=chance.choice([1, 3, 7]),
        beta=chance.choice([1e-12, 0.05, 0.499]),
    )
    return origin, spec


def test_after_any_failure_the_ledger_has_no_charge(tmp_path):
    ledger = open_ledger(tmp_path / "ledger.db")
    released = 0
    for seed in range(CASES):
        origin, spec = case_of(seed)
        users = isinstance(origin.unit, UserUnit)
        records = Records(open_corpus(TABLE, Columns("text", "who" if users else None)), MAP, origin)
        request = ResolvedRequest("d", UNIVERSE, origin, spec, snapshot=str(seed))
        before = charged(ledger)
        try:
            answer(request, records, ledger, first_budget=PrivacyLoss(1e6, 0.999))
        except (RequestError, BudgetRefused):
            assert charged(ledger) == before, (seed, origin, spec)
        else:
            released += 1
            assert charged(ledger) == before + 1
    assert released > CASES / 20  # the grid is not all refusals


def charged(ledger):
    return len(ledger.history(None))


@pytest.mark.parametrize(
    ("mechanism", "loss", "unit"),
    [
        (Gaussian(), PrivacyLoss(3e-6, 1e-12), RecordUnit()),
        (Gaussian(), PrivacyLoss(1e-7, 1e-12), RecordUnit()),
        (SetSelection(), PrivacyLoss(1e-10), RecordUnit()),
        (SetSelection(), PrivacyLoss(100.0), UserUnit(2.0**-30)),  # its coins would never agree on a set
        (PrivateTopL(accounting=Accounting.ZCDP), PrivacyLoss(1e-300, 1e-6), RecordUnit()),
    ],
)
def test_what_used_to_fail_after_the_charge_is_refused_before_it(mechanism, loss, unit):
    universe = universe_of([Atom(id=number, label=f"theme {number}") for number in range(400)])
    origin = SketchOrigin.of(universe, WeightsMap(400, lambda _: []).statement, unit, Adjacency.ADD_DROP)
    with pytest.raises(RequestError, match=r"nothing was charged|wider than|cannot draw|does not fit"):
        dry_run(origin, universe, ReleaseSpec(loss=loss, denominator=100, mechanism=mechanism, size=20))


def test_a_failure_of_the_samplers_is_met_in_the_rehearsal(tmp_path, monkeypatch):
    def fail(*_):
        raise BoundViolation("the Laplace scale does not meet epsilon")

    monkeypatch.setattr(SecureNoise, "laplace", fail)
    ledger = open_ledger(tmp_path / "ledger.db")
    origin = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
    request = ResolvedRequest("d", UNIVERSE, origin, ReleaseSpec(loss=PrivacyLoss(1.0), denominator=100, size=3))
    with pytest.raises(RequestError, match="rehearsed on an empty collection"):
        answer(
            request, Records(open_corpus(TABLE, Columns("text")), MAP, origin), ledger, first_budget=PrivacyLoss(1.0)
        )
    assert charged(ledger) == 0


def test_at_the_widest_scale_the_level_of_a_set_fits_64_bits_whatever_the_scores_are():
    for scores in (np.array([2**62, 0, 0]), np.zeros(100_000, np.int64), np.array([0, 2**61, 2**61])):
        for size in (1, len(scores)):
            assert abs(level_for(scores.astype(np.int64), size, WIDEST)) < 2**63


def test_a_set_is_drawn_among_scores_that_floats_cannot_tell_apart():
    """Floats of 2^61 are 512 apart; the coins of a set need the level to a fraction of the scale."""
    scores, scale = 2**61 + 100 * np.arange(60, dtype=np.int64), 64.0
    level = level_for(scores, 5, scale)
    assert abs(float(expit((scores - level) / scale).sum()) - 5) < 0.1


def test_what_the_rehearsal_refuses_by_name_is_told_by_name():
    origin = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
    other = universe_of([Atom(id=number, label=f"other {number}") for number in range(7)])
    with pytest.raises(RequestError, match="another dictionary"):
        dry_run(origin, other, ReleaseSpec(loss=PrivacyLoss(1.0), denominator=100, size=3))


def test_a_search_for_sigma_that_does_not_end_is_a_refusal():
    with pytest.raises(RequestError, match="beyond what can be calculated"), within_floats():
        gaussian_sigma(2.0**50, PrivacyLoss(9e-22, 1e-31), coordinates=8)
