"""Which mechanism, which epsilon, and what a private choice may miss."""

import math

import pytest

from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.errors import RequestError
from dpspin.public.preview.chances import COMPARED, LARGEST, SMALLEST
from dpspin.public.preview.forecast import forecast

RECORD, ADD_DROP = RecordUnit(), Adjacency.ADD_DROP
SHAPE = {"atoms": 54, "size": 10, "denominator": 10_000}


def of(mechanism, epsilon=1.0, delta=0.0, unit=RECORD, adjacency=ADD_DROP, **changes):
    return forecast(unit, adjacency, PrivacyLoss(epsilon, delta), mechanism, **(SHAPE | changes))


def test_each_row_is_what_the_mechanism_itself_would_forecast():
    compared = of(Gaussian(), delta=1e-6).mechanisms
    assert [row.mechanism for row in compared.rows] == list(COMPARED)
    for row in compared.rows:
        own = of(row.mechanism, delta=row.delta)
        assert row.noise_std == own.noise_std
        assert row.admission_threshold == own.admission_threshold
        assert row.comparison_margin == own.comparison_margin
        assert row.reliably_seen == (own.reliably_seen if own.selection is None else None)
        assert row.may_miss == (own.selection.all_choices if own.selection else None)


def test_without_a_delta_only_mechanisms_that_need_none_are_compared():
    compared = of(Laplace()).mechanisms
    assert [row.mechanism for row in compared.rows] == [each for each in COMPARED if not each.needs_delta]
    assert compared.best == "laplace"
    assert "with a delta to compare those too" in compared.why


def test_laplace_is_best_under_a_bound_on_mass_and_the_sentence_says_why():
    compared = of(Gaussian(), delta=1e-6).mechanisms
    assert compared.best == "laplace"
    assert "gaussian's is 2.1 times as high" in compared.why
    assert "needs no delta" in compared.why


def test_gaussian_is_best_where_it_has_the_lower_detection_limit():
    compared = of(Gaussian(), epsilon=0.1, delta=0.04, adjacency=Adjacency.REPLACE).mechanisms
    assert compared.best == "gaussian"
    assert "its delta is 0.04" in compared.why


def test_a_private_choice_is_never_called_best_however_small_its_noise():
    compared = of(PrivateTopL(value_fraction=0.999), delta=1e-6).mechanisms
    assert compared.rows[-1].mechanism.value_fraction == 0.999  # the request's own stands beside the usual ones
    assert compared.best == "laplace"


def test_the_requests_own_delta_is_compared_with():
    rows = of(Gaussian(), delta=1e-8).mechanisms.rows
    assert [row.delta for row in rows] == [1e-8 if row.mechanism.needs_delta else 0.0 for row in rows]


@pytest.mark.parametrize(("mechanism", "delta"), [(Laplace(), 0.0), (Gaussian(), 1e-6)], ids=str)
@pytest.mark.parametrize("unit", [RECORD, UserUnit(3.0)], ids=["record", "user"])
def test_the_needed_epsilon_is_enough_and_one_percent_less_is_not(mechanism, delta, unit):
    needed = of(mechanism, delta=delta, unit=unit, see=0.01).needed.epsilon
    assert of(mechanism, needed, delta, unit=unit).reliably_seen.points <= 1.0
    assert of(mechanism, 0.99 * needed, delta, unit=unit).reliably_seen.points > 1.0


def test_no_epsilon_is_named_where_none_can_promise_it():
    assert of(PrivateTopL(), delta=1e-6, see=0.5).needed.epsilon is None
    hopeless = of(Laplace(), see=1e-6)
    assert hopeless.needed.epsilon is None
    assert any("more records are needed" in line for line in hopeless.advice)
    assert of(Laplace(), LARGEST).reliably_seen.points > 1e-4


def test_an_epsilon_below_the_smallest_is_not_searched_for():
    easy = of(Laplace(), denominator=10**9, see=0.05)
    assert easy.needed.epsilon == SMALLEST
    assert any("epsilon 0.001 or less is enough" in line for line in easy.advice)


@pytest.mark.parametrize("support", [0.0, -0.1, 1.01])
def test_a_support_that_cannot_be_is_refused(support):
    with pytest.raises(RequestError, match="between 0 and 1"):
        of(Laplace(), see=support)


def test_a_user_may_be_asked_for_a_support_up_to_the_bound():
    assert of(Laplace(), unit=UserUnit(2.0), see=1.5).needed.epsilon is not None


def test_the_choice_may_miss_what_the_papers_certificate_allows():
    found = of(PrivateTopL(value_fraction=0.25), epsilon=2.0, delta=1e-6, size=2, denominator=100_000).selection
    scale = 2 * 1 * 2 / 1.5
    rounds = [scale * (math.log(54 - done) + math.log(2 / 0.05)) for done in range(2)]
    assert found.one_choice.mass == pytest.approx(rounds[0])
    assert found.all_choices.mass == pytest.approx(sum(rounds))


def test_no_choice_misses_more_than_there_is():
    found = of(PrivateTopL(), epsilon=0.01, delta=1e-6, unit=UserUnit(2.0)).selection
    assert found.one_choice.mass == found.all_choices.mass == 20_000


def test_only_a_private_choice_may_miss_something():
    assert of(Laplace()).selection is None
    assert of(Gaussian(), delta=1e-6).selection is None
