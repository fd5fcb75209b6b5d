"""The label promises exactly what the statement says, to the unit it names, in words."""

import json
import math
from itertools import product

import pytest

from dpspin.boundary.accounting import AccountStatement, EpsilonBalance, RhoBalance, Window
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL, noise_of
from dpspin.boundary.privacy import Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit, sensitivity_of
from dpspin.public.report.label import label_json, privacy_label
from dpspin.public.wording.promise import even_guess_becomes
from factories import COVERED_PLAN, PAPER_PLAN

UNITS = (RecordUnit(), UserUnit(bound=2.0))
MECHANISMS = (Laplace(), Gaussian(), PrivateTopL(value_fraction=0.25))


def stated(unit=None, adjacency=Adjacency.ADD_DROP, mechanism=None, epsilon=1.0, randomness="os-csprng"):
    """Return the paper's plan under another statement."""
    unit, mechanism = unit or RecordUnit(), mechanism or Laplace()
    loss = PrivacyLoss(epsilon, 0.0 if isinstance(mechanism, Laplace) else 1e-6)
    noise = noise_of(mechanism, loss, sensitivity_of(unit, adjacency), atoms=4, size=3)
    changes = {
        "unit": unit,
        "adjacency": adjacency,
        "mechanism": mechanism,
        "loss": loss,
        "noise": noise,
        "randomness": randomness,
    }
    return PAPER_PLAN.model_copy(update={"statement": PAPER_PLAN.statement.model_copy(update=changes)})


@pytest.mark.parametrize(("unit", "adjacency", "mechanism"), list(product(UNITS, Adjacency, MECHANISMS)))
def test_every_statement_is_put_into_the_words_of_its_own_unit_adjacency_and_mechanism(unit, adjacency, mechanism):
    label = privacy_label(stated(unit, adjacency, mechanism))
    assert ("with all of their records" in label.unit) == isinstance(unit, UserUnit)
    assert ("several records is not fully covered" in label.unit) == isinstance(unit, RecordUnit)
    assert ("one of two given" in label.headline) == (adjacency is Adjacency.REPLACE)
    assert ("is in the collection" in label.headline) == (adjacency is Adjacency.ADD_DROP)
    assert ("all of their records" in label.headline) == isinstance(unit, UserUnit)
    assert ("Laplace" in label.mechanism) == isinstance(mechanism, Laplace)
    assert ("exponential mechanism" in label.mechanism) == isinstance(mechanism, PrivateTopL)
    assert ("no guess is right" in label.headline) == (not isinstance(mechanism, Laplace))
    assert any("odds" in sentence for sentence in label.sentences) == isinstance(mechanism, Laplace)


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [(0.1, "53 of 100"), (1.0, "74 of 100"), (2.0, "89 of 100"), (8.0, "9,997 of 10,000"), (40.0, "practically 100")],
)
def test_the_headline_says_how_far_an_even_guess_can_go(epsilon, words):
    assert words in privacy_label(stated(epsilon=epsilon)).headline


def test_an_even_guess_ends_at_e_to_the_epsilon_over_one_more():
    assert even_guess_becomes(PrivacyLoss(1.0)) == pytest.approx(0.7310585786)


def test_with_a_delta_the_limit_is_the_best_guess_between_the_two_worst_distributions():
    """Exact: the pair that attains (epsilon, delta) has disjoint parts of mass delta."""
    epsilon, delta = 1.0, 0.05
    present = [delta, (1 - delta) * math.e / (1 + math.e), (1 - delta) / (1 + math.e), 0.0]
    best = sum(max(a, b) for a, b in zip(present, reversed(present), strict=True)) / 2
    assert even_guess_becomes(PrivacyLoss(epsilon, delta)) == pytest.approx(best)


@pytest.mark.parametrize(
    ("missing", "words"), [("refuse", None), ("drop", "left out"), ("own_unit", "not fully covered")]
)
def test_the_label_says_what_became_of_records_without_a_user_id(missing, words):
    text = " ".join(privacy_label(stated(UserUnit(1.0, MissingUsers(missing)))).sentences)
    assert ("without a user id" in text) == (words is not None)
    assert words is None or words in text


@pytest.mark.parametrize(
    ("unit", "adjacency", "total", "per_theme"),
    [
        (RecordUnit(), Adjacency.ADD_DROP, 1.0, 1.0),
        (RecordUnit(), Adjacency.REPLACE, 2.0, 1.0),
        (UserUnit(bound=2.0), Adjacency.ADD_DROP, 2.0, 2.0),
        (UserUnit(bound=2.0), Adjacency.REPLACE, 4.0, 2.0),
    ],
)
def test_the_label_states_what_one_unit_can_change_in_mass_and_points(unit, adjacency, total, per_theme):
    label = privacy_label(stated(unit, adjacency))
    assert label.one_unit_changes.mass == total
    assert label.one_unit_changes_per_theme.mass == per_theme
    assert label.one_unit_changes.points == pytest.approx(100 * total / 2000)


def test_the_noise_is_stated_in_mass_and_in_points_of_support():
    label = privacy_label(stated())
    assert label.noise_std.mass == pytest.approx(2**0.5)
    assert label.noise_std.points == pytest.approx(100 * 2**0.5 / 2000)


def test_a_weak_limit_is_called_weak_and_a_usual_one_is_not():
    assert "At this epsilon the limit is weak." in privacy_label(stated(epsilon=4.0)).sentences
    assert "At this epsilon the limit is weak." not in privacy_label(stated(epsilon=1.0)).sentences


def test_a_simulation_gets_a_warning_and_no_promise():
    label = privacy_label(stated(randomness="SIMULATED-NOT-PRIVATE"))
    assert not label.private
    assert label.headline.startswith("NOT PRIVATE")
    assert label.even_guess_becomes is None
    assert not any("promise" in sentence or "odds" in sentence for sentence in label.sentences)


def test_the_label_file_is_the_label():
    assert json.loads(label_json(PAPER_PLAN)) == privacy_label(PAPER_PLAN).model_dump(mode="json")


@pytest.mark.parametrize("unit", UNITS)
def test_a_delta_is_explained_as_an_allowance_and_only_where_there_is_one(unit):
    (sentence,) = [s for s in privacy_label(stated(unit, mechanism=Gaussian())).sentences if s.startswith("Delta")]
    assert sentence == (
        "Delta, here 1e-6, is a small allowance added to every probability in the guarantee; "
        f"it should be far below one over the number of {unit.kind}s."
    )
    assert not any("Delta" in s for s in privacy_label(stated(unit)).sentences)


def test_one_unit_is_stated_without_the_dust_of_floats():
    assert any("that is 0.05 points of the denominator" in s for s in privacy_label(stated()).sentences)


def test_the_label_begins_with_what_is_uncovered_and_says_that_it_is_inside_the_same_bound():
    label = json.loads(label_json(COVERED_PLAN))
    assert list(label)[:2] == ["not_read", "uncovered"]
    assert label["uncovered"]["noisy_mass"] == 248.1
    assert label["mechanism"] == "discrete Laplace noise on every theme of the dictionary and on “none of these”"
    assert any(
        "changes all themes and “none of these” together by a mass of at most 1," in s for s in label["sentences"]
    )
    assert json.loads(label_json(PAPER_PLAN))["uncovered"] is None
    assert "none of these" not in label_json(PAPER_PLAN)


def paid(*balances, window=None):
    account = AccountStatement(balances=balances, window=window, head="0" * 64)
    return privacy_label(PAPER_PLAN.model_copy(update={"account": account}))


def test_the_label_says_what_all_releases_together_have_spent():
    dataset = EpsilonBalance(scope="dataset", spent_epsilon=1.5, spent_delta=0, cap_epsilon=3, cap_delta=0)
    assert "This dataset has now spent epsilon 1.5 of 3." in paid(dataset).sentences
    both = EpsilonBalance(scope="dataset", spent_epsilon=1.5, spent_delta=1e-6, cap_epsilon=3, cap_delta=1e-5)
    assert "This dataset has now spent epsilon 1.5 of 3, delta 1e-6 of 1e-5." in paid(both).sentences
    people = RhoBalance(scope="population", spent_rho=0.25, cap_rho=0.5)
    assert any("over all their datasets, now spent rho 0.25 of 0.5" in each for each in paid(dataset, people).sentences)
    assert json.loads(label_json(PAPER_PLAN))["account"] is None
    assert not any("spent" in sentence for sentence in privacy_label(PAPER_PLAN).sentences)


def test_the_label_names_the_window_that_was_measured():
    dataset = EpsilonBalance(scope="dataset", spent_epsilon=1.5, spent_delta=0, cap_epsilon=3, cap_delta=0)
    assert any("those with W05 in week" in each for each in paid(dataset, window=Window("week", "W05")).sentences)
