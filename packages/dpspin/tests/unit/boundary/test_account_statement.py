"""What a plan says about the account that paid for it."""

import pytest
from pydantic import ValidationError

from dpspin.boundary.accounting import AccountStatement, EpsilonBalance, RhoBalance, Window
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.read_plan import ReaderChoices, reread
from dpspin.errors import PlanError, RequestError
from dpspin.public.report.label import privacy_label
from factories import PAPER_PLAN, PAPER_UNIVERSE

PAID = AccountStatement(
    balances=(
        EpsilonBalance(scope="dataset", spent_epsilon=1.5, spent_delta=0.0, cap_epsilon=3.0, cap_delta=0.0),
        RhoBalance(scope="population", spent_rho=0.1, cap_rho=0.5),
    ),
    window=Window("week", "2024-W05"),
    head="ab" * 32,
)
PAID_PLAN = PAPER_PLAN.model_copy(update={"account": PAID})


def test_the_statement_survives_the_file_and_another_reading():
    assert SemanticPlan.from_json(PAID_PLAN.to_json()) == PAID_PLAN
    again = reread(PAID_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=999, size=2))
    assert again.account == PAID
    assert again.denominator.value == 999


def test_a_plan_states_the_column_of_its_users_and_an_older_one_keeps_its_text():
    assert "user_column" not in PAID_PLAN.to_json()
    named = PAPER_PLAN.model_copy(update={"account": PAID.model_copy(update={"user_column": "customer_id"})})
    assert '"user_column": "customer_id"' in named.to_json()
    assert SemanticPlan.from_json(named.to_json()) == named
    sentence = "One user means all records with the same value in the column 'customer_id'."
    assert sentence in privacy_label(named).sentences
    assert not any("same value in the column" in each for each in privacy_label(PAID_PLAN).sentences)


def test_a_plan_states_that_a_view_was_taken_on_trust_and_no_other_plan_speaks_of_one():
    assert '"view"' not in PAID_PLAN.to_json()
    declared = PAPER_PLAN.model_copy(update={"account": PAID.model_copy(update={"view": "row_by_row"})})
    assert SemanticPlan.from_json(declared.to_json()) == declared
    assert any(
        "a table that is made of others" in each and "on trust" in each for each in privacy_label(declared).sentences
    )
    assert not any("a table that is made of others" in each for each in privacy_label(PAID_PLAN).sentences)
    with pytest.raises(ValidationError):
        AccountStatement(balances=PAID.balances, head=PAID.head, view="whatever")


@pytest.mark.parametrize("column", ["", "us\ner", "\u202ecustomer"])
def test_a_column_that_cannot_be_printed_is_refused(column):
    with pytest.raises(ValidationError):
        AccountStatement(balances=PAID.balances, head=PAID.head, user_column=column)


@pytest.mark.parametrize(
    ("what", "instead"),
    [('"spent_epsilon": 1.5', '"spent_epsilon": 3.5'), ('"spent_rho": 0.1', '"spent_rho": 0.6'), ("ab" * 32, "none")],
)
def test_an_account_that_contradicts_itself_is_refused(what, instead):
    text = PAID_PLAN.to_json()
    assert what in text
    with pytest.raises(PlanError):
        SemanticPlan.from_json(text.replace(what, instead))


def test_a_balance_within_epsilon_may_still_be_beyond_delta():
    with pytest.raises(ValidationError, match="more is spent"):
        EpsilonBalance(scope="dataset", spent_epsilon=1, spent_delta=1e-6, cap_epsilon=2, cap_delta=1e-7)


@pytest.mark.parametrize("words", [("", "a"), ("week", ""), ("week", "a\nb")])
def test_a_window_needs_a_column_and_a_value(words):
    with pytest.raises(RequestError, match="window"):
        Window(*words)
