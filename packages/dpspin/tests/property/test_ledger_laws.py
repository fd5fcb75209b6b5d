"""Laws of the ledger's arithmetic, and the ledger against a model of a dozen lines."""

import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.accounting import Cost
from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivacyLoss
from dpspin.curator.ledger import Amount, Budget, Committed, open_ledger
from dpspin.curator.ledger.accounts import Kind, Terms
from dpspin.curator.ledger.amounts import ATTO, NANO, Currency, cap_of, charge_of, loss_rounded_up
from dpspin.curator.ledger.refusals import init_command
from dpspin.errors import BudgetRefused, LedgerError, RecordsRefused
from factories import OF_RECORDS, charge_to, price

epsilons = st.floats(1e-12, 1e6) | st.integers(1, 10**6).map(lambda n: n / 1000)
deltas = st.just(0.0) | st.floats(1e-25, 0.999) | st.integers(1, 20).map(lambda n: 10.0**-n)
losses = st.builds(PrivacyLoss, epsilons, deltas)


def typed(number: float) -> Fraction:
    return Fraction(repr(number))


@given(losses)
def test_a_charge_is_never_below_the_loss_and_less_than_one_unit_above(loss):
    charge = loss_rounded_up(loss)
    assert 0 <= charge.epsilon_nano - typed(loss.epsilon) * NANO < 1
    assert 0 <= charge.delta_atto - typed(loss.delta) * ATTO < 1


@given(epsilons)
def test_a_charge_covers_what_the_noise_really_spends(epsilon):
    really_spent = Fraction(TICKS_PER_MASS) / Fraction(laplace_scale(TICKS_PER_MASS, epsilon))
    assert loss_rounded_up(PrivacyLoss(epsilon)).epsilon_nano >= really_spent * NANO


@given(st.floats(1e-15, 1e5))
def test_a_charge_of_rho_is_never_below_it_and_less_than_two_units_above(rho):
    nano = charge_of(Cost(PrivacyLoss(1.0), rho, OF_RECORDS)).rho_nano
    assert 0 <= nano - Fraction(rho) * NANO <= 2 + Fraction(rho) / 1000


@given(st.lists(losses, min_size=1, max_size=30))
def test_the_sum_of_charges_is_never_below_the_sum_of_losses(many):
    total = sum((loss_rounded_up(loss) for loss in many), Amount(0))
    assert total.epsilon_nano >= sum(typed(loss.epsilon) for loss in many) * NANO
    assert total.delta_atto >= sum(typed(loss.delta) for loss in many) * ATTO


@given(losses)
def test_a_cap_is_never_above_what_was_granted(cap):
    assert cap_of(cap).epsilon_nano <= typed(cap.epsilon) * NANO
    assert cap_of(cap).delta_atto <= typed(cap.delta) * ATTO


@given(st.integers(1, 10**12).map(lambda n: n / NANO), st.integers(0, 10**9).map(lambda n: n / 10**12))
def test_a_cap_in_whole_units_pays_for_exactly_one_request_of_its_size(epsilon, delta):
    loss = PrivacyLoss(epsilon, delta)
    assert Budget(spent=Amount(0), cap=cap_of(loss)).charges_left(loss_rounded_up(loss)) == 1


@given(losses, losses)
def test_the_command_in_a_refusal_grants_enough(spent, asked):
    needed = loss_rounded_up(spent) + loss_rounded_up(asked)
    words = init_command(Terms(Kind.DATASET, "d", Currency.EPSILON), needed, "ledger.db").split()
    epsilon = float(words[words.index("--epsilon") + 1])
    delta = float(words[words.index("--delta") + 1]) if "--delta" in words else 0.0
    if epsilon <= 10**6 and delta < 1:  # beyond, no cap can be set
        assert needed.fits_in(cap_of(PrivacyLoss(epsilon, delta)))


@given(losses, st.integers(0, 10**15), st.integers(0, ATTO))
def test_reports_left_is_the_largest_number_that_fits(loss, epsilon_nano, delta_atto):
    charge, room = loss_rounded_up(loss), Amount(epsilon_nano, delta_atto)
    number = Budget(spent=Amount(0), cap=room).charges_left(charge)
    assert Amount(number * charge.epsilon_nano, number * charge.delta_atto).fits_in(room)
    assert not Amount((number + 1) * charge.epsilon_nano, (number + 1) * charge.delta_atto).fits_in(room)


# A step is a request (of five) on one of two states of the records, and whether the run lives to commit.
steps = st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab"), st.booleans()), max_size=12)


@settings(max_examples=25, deadline=None)
@given(steps, st.integers(1, 12))
def test_the_ledger_agrees_with_a_model_that_keeps_a_dictionary(steps, cap):
    with tempfile.TemporaryDirectory() as folder:
        ledger = open_ledger(Path(folder) / "ledger.db")
        ledger.set_budget("d", PrivacyLoss(float(cap)))
        outputs: dict[int, bytes | None] = {}
        contents: dict[int, str] = {}
        for number, (request, content, commits) in enumerate(steps):
            affordable = sum(known + 1 for known in outputs) + request + 1 <= cap
            try:
                answer = ledger.reserve(charge_to("d", str(request), price(request + 1)), content)
            except RecordsRefused:
                assert contents[request] != content
                continue
            except BudgetRefused:
                assert request not in outputs
                assert not affordable
                continue
            assert request in outputs or affordable
            assert contents.setdefault(request, content) == content
            if isinstance(answer, Committed):
                assert answer.output == outputs[request]
                continue
            assert outputs.setdefault(request, None) is None
            if commits:
                outputs[request] = ledger.commit(answer, b"%d" % number).output
                assert outputs[request] == b"%d" % number
        assert ledger.verify().holds
        assert ledger.budget("d").spent == Amount(sum(request + 1 for request in outputs) * NANO)


def test_an_amount_cannot_be_negative():
    with pytest.raises(LedgerError, match="negative"):
        Amount(1) - Amount(2)
