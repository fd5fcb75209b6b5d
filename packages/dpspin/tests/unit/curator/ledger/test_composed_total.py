"""The tighter total that is shown as information."""

from datetime import date

import pytest

from dpspin.curator.ledger.amounts import Amount
from dpspin.curator.ledger.overviews import HistoryRow, State, composed_epsilon
from dpspin.errors import RequestError


def charge(epsilon, mechanism="laplace", delta=0.0, window=None):
    amount = Amount(round(epsilon * 10**9), round(delta * 10**18))
    return HistoryRow(date(2024, 1, 1), "d", mechanism, amount, window, State.COMMITTED)


def test_one_charge_means_itself():
    assert composed_epsilon([charge(1.0)], 1e-9) == pytest.approx(1.0, rel=1e-3)
    assert composed_epsilon([charge(1.0, "gaussian", 1e-6)], 1e-6) == pytest.approx(1.0, rel=1e-3)
    assert composed_epsilon([charge(1.0, "something new", 1e-7)], 1e-6) == pytest.approx(1.0, rel=1e-3)


def test_many_charges_mean_less_than_their_sum():
    assert composed_epsilon([charge(0.1, "gaussian", 1e-8)] * 30 + [charge(0.1)] * 30, 1e-6) < 3.5


def test_laplace_on_one_coordinate_is_worse_than_spread_over_two():
    """So a unit's whole bound is placed on one coordinate."""
    for delta in (1e-9, 1e-3, 0.1, 0.3):
        assert composed_epsilon([charge(0.5)] * 2, delta) <= composed_epsilon([charge(1.0)], delta) + 1e-3


def test_windows_count_by_the_largest_and_what_is_outside_adds_to_each():
    rows = [charge(0.5, window="1"), charge(0.7, window="2"), charge(0.2)]
    assert composed_epsilon(rows, 1e-9) == pytest.approx(0.9, rel=1e-3)


def test_no_charge_means_nothing_and_a_delta_below_what_was_spent_has_no_epsilon():
    assert composed_epsilon([], 1e-6) == 0.0
    assert composed_epsilon([charge(1.0, "private_topL", 1e-5)], 1e-6) is None


def test_a_total_is_at_a_delta():
    with pytest.raises(RequestError, match="delta"):
        composed_epsilon([charge(1.0)], 0.0)
