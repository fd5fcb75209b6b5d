"""Phrases that nobody listed: one unit moves at most k counts by one, and scale, threshold and ranges are as proven."""

import math

import opendp.prelude as dp
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.phrases import BETA, PhraseTerms
from dpspin.boundary.privacy import MissingUsers, PrivacyLoss
from dpspin.curator.aggregate.phrase_counts import PhraseCounts, count_phrases
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation, RequestError
from dpspin.text.phrases import first_ones, marks_of, phrases_in

words = st.sampled_from(
    ["battery", "overheats", "Refund", "the", "of", "parcel", "zqxv", "42", "!", ".", "skin", "James"]
)
texts = st.lists(words, max_size=12).map(" ".join) | st.none()
rows = st.lists(st.tuples(st.sampled_from(["u", "v", None]), texts), max_size=8)
bounds = st.integers(1, 4)
terms = st.builds(
    lambda epsilon, small, per_unit, units: PhraseTerms(
        loss=PrivacyLoss(epsilon, small * BETA / 2 / units), unit="user", per_unit=per_unit, denominator=units
    ),
    st.floats(0.05, 8),
    st.floats(1e-4, 1),
    st.integers(1, 20),
    st.integers(1, 10**7),
)


def counts(records, per_unit, users=True):
    table = pa.table(
        {
            "who": pa.array([each[0] for each in records], pa.string()),
            "body": pa.array([t for _, t in records], pa.string()),
        }
    )
    policy = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
    corpus = open_corpus(table, Columns("body", "who" if users else None), policy)
    return count_phrases(corpus, per_unit).units


def moved(before, after):
    return {phrase: after.get(phrase, 0) - before.get(phrase, 0) for phrase in {*before, *after}}


@given(rows, texts, bounds)
def test_one_record_more_raises_at_most_k_counts_by_one(records, text, per_unit):
    before = counts(records, per_unit, users=False)
    change = moved(before, counts([*records, ("u", text)], per_unit, users=False))
    assert set(change.values()) <= {0, 1}
    assert sum(change.values()) <= per_unit


@given(rows, st.lists(texts, max_size=5), bounds)
def test_one_user_more_with_all_their_records_raises_at_most_k_counts_by_one(records, own, per_unit):
    before = counts(records, per_unit)
    change = moved(before, counts([*records, *(("new", text) for text in own)], per_unit))
    assert set(change.values()) <= {0, 1}
    assert sum(change.values()) <= per_unit


@given(rows, bounds, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(records, per_unit, chance):
    mixed = chance.sample(records, len(records))
    assert counts(records, per_unit) == counts(mixed, per_unit)


@given(st.frozensets(words), st.frozensets(words), bounds)
def test_the_first_ones_of_all_are_among_the_first_ones_of_each(some, others, most):
    apart = {*first_ones(some, most), *first_ones(others, most)}
    assert first_ones(some | others, most) == first_ones(apart, most)


@given(st.text(max_size=80))
def test_no_phrase_has_a_digit_or_an_address_or_what_a_terminal_obeys(text):
    for phrase in phrases_in([text, f"{text} a@b.com www.x.org 4111"]):
        assert phrase.isprintable()
        assert not any(sign.isdigit() or sign in "@/" for sign in phrase)
        assert 1 <= len(phrase.split()) <= 3
        marks_of(phrase)


@given(terms)
def test_opendp_confirms_the_loss_and_a_smaller_threshold_would_not_do(asked):
    dp.enable_features("contrib")
    table = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64"))
    distance = dp.l01inf_distance(dp.absolute_distance(T="i64"))

    def loss(threshold):
        made = dp.m.make_laplace_threshold(table, distance, scale=asked.scale, threshold=threshold)
        return made.map((asked.per_unit, asked.per_unit, 1))

    epsilon, delta = loss(asked.threshold)
    assert epsilon <= asked.loss.epsilon
    assert delta <= asked.loss.delta * (1 + 1e-6)  # so far OpenDP rounds up; ours is k·P(Z >= t) to the last digits
    # exactly what one unit's own phrases come out with, where only counts above the threshold are shown
    assert delta == pytest.approx(-math.expm1(asked.per_unit * math.log1p(-asked.above(asked.threshold - 1))), rel=1e-6)
    if asked.threshold > 1:
        assert asked.per_unit * asked.above(asked.threshold - 2) > asked.loss.delta * (1 - 1e-8)


@given(terms)
def test_ranges_hold_for_whatever_counts_a_collection_can_have(asked):
    """Every count c stands for at most k·n/c phrases: the worst c decides."""
    most, t = asked.per_unit * asked.denominator, asked.threshold
    worst = max(asked.above(max(asked.below, t - c)) / c for c in range(1, t + 2))
    assert most * worst <= BETA / 2 * (1 + 1e-6)
    least = t + asked.beyond + 2  # a phrase that is shown and whose count lies beyond its range is at least so frequent
    assert most / least * asked.above(asked.beyond) <= BETA / 2 * (1 + 1e-6)


@pytest.mark.parametrize("delta", [0.0, 1e-3, 0.026 / 100])
def test_a_delta_that_would_let_writers_through_is_refused(delta):
    with pytest.raises(RequestError) as refused:
        PhraseTerms(loss=PrivacyLoss(1.0, delta), unit="record", per_unit=1, denominator=100)
    assert refused.value.code == "request.phrase-delta"


@pytest.mark.parametrize("named", [("a", "a"), ("a", "b", "c")])
def test_no_unit_names_a_phrase_twice_or_too_many(named):
    with pytest.raises(BoundViolation):
        PhraseCounts.of([named], 2)


def test_counts_do_not_print():
    assert "battery" not in repr(PhraseCounts.of([("battery",)], 1))
