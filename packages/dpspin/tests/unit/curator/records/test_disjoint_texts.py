"""Auxiliary text must not hold protected records; what is published of it decides how strict that is."""

import pyarrow as pa
import pytest

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.disjoint import kind_of, require_disjoint, require_few_in_common
from dpspin.errors import RecordsRefused


def letters(*numbers):
    return [
        f"letter number {number} tells at length of a parcel that took the long way round and never came"
        for number in numbers
    ]


def corpus(texts):
    return open_corpus(pa.table({"text": texts}), Columns("text"))


def compare(auxiliary, target, *, published=False):
    return require_disjoint(corpus(auxiliary), corpus(target), published=published)


def sharing(texts, shared):
    """Auxiliary texts, and others of which some are the same."""
    return compare(texts, [*texts[:shared], "something else that nobody wrote"])


def refused(texts, shared, *, published=False):
    with pytest.raises(RecordsRefused, match="word for word"):
        compare(texts, [*texts[:shared], "something else that nobody wrote"], published=published)


def test_one_letter_in_two_hundred_may_coincide_where_only_words_are_counted():
    sharing(letters(*range(1000)), 5)
    refused(letters(*range(1000)), 6)
    refused(letters(*range(1000)), 50)
    refused(letters(*range(199)), 1)


@pytest.mark.parametrize(("shared", "texts"), [(4, 1_988), (4, 4_743), (2, 22_847)])
def test_the_splits_of_the_lab_still_pass(shared, texts):
    sharing(letters(*range(texts)), shared)


def test_copies_of_a_form_letter_are_one_text():
    form = letters(0) * 300
    refused([*form, *letters(*range(1, 100))], 300)
    compare([*form, *letters(*range(1, 200))], form)


def test_no_letter_may_coincide_of_which_a_card_is_published():
    refused(letters(*range(1000)), 1, published=True)
    compare(letters(*range(40)), letters(*range(40, 80)), published=True)


def test_a_refusal_does_not_coach_anybody_to_declare_what_was_refused():
    with pytest.raises(RecordsRefused, match="only if it was public before you saw this message"):
        compare(letters(1), letters(1, 2))


def test_parts_that_coincide_a_little_each_must_not_coincide_a_lot_together():
    parts = [compare(letters(*range(400)), letters(place, 1000 + place)) for place in range(3)]
    require_few_in_common(parts[:2])
    with pytest.raises(RecordsRefused, match="word for word"):
        require_few_in_common(parts)


SHORT = [f"a short note, number {number}" for number in range(400)]
SHORTEST = [f"fine {number}" for number in range(100)]


@pytest.mark.parametrize("published", [False, True])
def test_one_in_fifty_short_texts_may_coincide(published):
    compare(SHORT, SHORT[:8], published=published)
    refused(SHORT, 9, published=published)
    refused(SHORT, 200, published=published)


@pytest.mark.parametrize("published", [False, True])
def test_of_a_few_words_half_may_coincide_but_a_copy_is_noticed(published):
    compare(SHORTEST, [*SHORTEST[:50], "another"], published=published)
    refused(SHORTEST, 51, published=published)


def test_a_sentence_without_spaces_is_more_than_a_few_words():
    assert (
        kind_of("荷物が届かないので電話をしたところ担当の者が不在で折り返すと言われたまま一週間が経ちました")
        == "shorter"
    )
    assert kind_of("ありがとう") == "shortest"


def test_one_long_text_does_not_hide_short_ones_that_coincide():
    for published in (False, True):
        refused([*SHORT, *letters(1)], 9, published=published)
        compare([*SHORT, *letters(1)], SHORT[:8], published=published)


def test_short_ones_that_are_apart_do_not_excuse_long_ones_that_coincide():
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*SHORT, *letters(*range(10))], letters(0))


@pytest.mark.parametrize("thanks", [["thanks", "all good"], ["thank you very much", "that is all, thanks"]])
def test_a_word_of_thanks_among_many_letters_coincides_by_chance(thanks):
    compare([*letters(*range(400)), *thanks], [*letters(*range(400, 410)), *thanks], published=True)
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*letters(*range(300)), *thanks], [*letters(*range(400, 410)), *thanks], published=True)


def test_parts_that_share_a_few_short_texts_each_must_not_share_most_of_them_together():
    parts = [compare([*SHORT, *letters(1)], SHORT[first : first + 6]) for first in (0, 6)]
    with pytest.raises(RecordsRefused, match="word for word"):
        require_few_in_common(parts)


def test_records_without_a_user_are_compared_by_their_words():
    def with_users(texts, users):
        table = pa.table({"text": texts, "who": pa.array(users, pa.string())})
        return open_corpus(table, Columns("text", "who"), RowPolicy(missing_users=MissingUsers.OWN_UNIT))

    target = with_users(letters(*range(9)), [f"u{n}" for n in range(9)])
    with pytest.raises(RecordsRefused, match="word for word"):
        require_disjoint(with_users(letters(*range(10)), [None] * 10), target, published=False)
    others = with_users(letters(*range(10)), [f"v{n}" for n in range(10)])
    require_disjoint(others, target, published=False)
    with pytest.raises(RecordsRefused, match="word for word"):
        require_disjoint(others, target, published=True)
