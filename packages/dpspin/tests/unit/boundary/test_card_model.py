"""A card that does not hold together is no card."""

import pytest
from pydantic import ValidationError

from dpspin.boundary.report_card import AtomCard, Reliability, ReportCard
from report_cards import PAPER_CARD, card_of, identity

SHARES = ("precision", "recall", "total_variation", "covered_in_truth", "covered_by_map")


def test_a_card_survives_its_file():
    assert ReportCard.model_validate_json(PAPER_CARD.model_dump_json()) == PAPER_CARD


def test_a_large_dictionary_states_no_confusion():
    assert card_of(identity(3), confusion=()).confusion == ()


@pytest.mark.parametrize(
    "confusion",
    [
        pytest.param(identity(3)[:2], id="a missing row"),
        pytest.param([row[:2] for row in identity(3)], id="a missing column"),
        pytest.param([*identity(3)[:2], [0.0, 1.0]], id="a ragged row"),
        pytest.param(identity(4), id="a class too many"),
    ],
)
def test_a_confusion_of_another_shape_is_refused(confusion):
    with pytest.raises(ValidationError, match="one row and one column for each atom and for none"):
        card_of(identity(3), confusion=confusion)


@pytest.mark.parametrize("truth", [[0.5, 0.5], [0.25] * 4])
def test_a_truth_of_another_length_is_refused(truth):
    with pytest.raises(ValidationError, match="true share of each atom and of none"):
        card_of(identity(3), truth=truth)


def test_a_large_dictionary_still_states_its_true_shares():
    with pytest.raises(ValidationError, match="true share of each atom and of none"):
        card_of(identity(3), confusion=(), shares_in_truth=())


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), None])
def test_a_share_of_the_whole_lies_between_none_and_all(name, value):
    with pytest.raises(ValidationError, match=name):
        card_of(identity(3), **{name: value})


@pytest.mark.parametrize(
    "change",
    [
        {"measured_on": ""},
        {"texts": 0},
        {"atoms": ()},
        {"confusion": [[2.0, 0.0, 0.0], *identity(3)[1:]]},
        {"shares_in_truth": [-1.0, 1.0, 1.0]},
        {"protected_records": 12},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_card_that_cannot_be_is_refused(change):
    with pytest.raises(ValidationError, match=next(iter(change))):
        card_of(identity(3), **change)


def test_an_atom_may_be_untested_but_not_measured_below_nothing():
    assert AtomCard(atom_id=1, expressed=0.0, precision=None, recall=None).recall is None
    with pytest.raises(ValidationError, match="expressed"):
        AtomCard(atom_id=1, expressed=-1.0, precision=None, recall=None)


def test_a_reliability_rests_on_at_least_one_assignment():
    assert Reliability(claimed=0.5, observed=0.4, assignments=1).observed == 0.4
    with pytest.raises(ValidationError, match="assignments"):
        Reliability(claimed=0.5, observed=0.4, assignments=0)
