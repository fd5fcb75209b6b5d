"""Auxiliary text must not hold protected records; what is published of it decides how strict that is."""

import pyarrow as pa
import pytest

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.disjoint import require_disjoint, require_few_in_common
from dpspin.curator.records.policy import Columns, RowPolicy
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


def test_one_letter_in_forty_may_coincide_where_only_words_are_counted():
    compare(letters(*range(40)), letters(*range(39, 80)))


def test_no_letter_may_coincide_of_which_a_card_is_published():
    with pytest.raises(RecordsRefused, match="word for word"):
        compare(letters(*range(40)), letters(*range(39, 80)), published=True)
    compare(letters(*range(40)), letters(*range(40, 80)), published=True)


def test_a_refusal_does_not_coach_anybody_to_declare_what_was_refused():
    with pytest.raises(RecordsRefused, match="only if it was public before you saw this message"):
        compare(letters(1), letters(1, 2))


def test_parts_that_coincide_a_little_each_must_not_coincide_a_lot_together():
    parts = [compare(letters(*range(40)), letters(place, 100 + place)) for place in range(3)]
    require_few_in_common(parts[:2])
    with pytest.raises(RecordsRefused, match="word for word"):
        require_few_in_common(parts)


def test_short_texts_may_coincide_by_chance_but_not_most_of_them():
    thanks = ["thanks", "all good", "late", "no parcel", "broken", "never again"]
    compare(thanks, ["thanks", "late", "a new one", "another"])
    with pytest.raises(RecordsRefused, match="word for word"):
        compare(thanks, [*thanks[::-1], "one more"])


def test_short_texts_of_which_numbers_are_published_may_hardly_coincide():
    known = [f"short {number}" for number in range(100)]
    half = [f"short {number}" for number in range(50, 150)]
    compare(known, half)
    with pytest.raises(RecordsRefused):
        compare(known, half, published=True)


SHORT = [f"short note {number}" for number in range(100)]


def test_one_long_text_does_not_hide_short_ones_that_coincide():
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*SHORT, *letters(1)], SHORT)
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*SHORT, *letters(1)], [*SHORT[:6], "another"], published=True)
    compare([*SHORT, *letters(1)], [*SHORT[:5], "another"], published=True)


def test_short_ones_that_are_apart_do_not_excuse_long_ones_that_coincide():
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*SHORT, *letters(*range(10))], letters(0))


def test_a_word_of_thanks_among_many_letters_coincides_by_chance():
    thanks = ["thanks", "all good"]
    compare([*letters(*range(200)), *thanks], [*letters(*range(200, 210)), *thanks], published=True)
    with pytest.raises(RecordsRefused, match="word for word"):
        compare([*letters(*range(100)), *thanks], [*letters(*range(200, 210)), *thanks], published=True)


def test_parts_that_share_a_few_short_texts_each_must_not_share_most_of_them_together():
    parts = [compare([*SHORT, *letters(1)], SHORT[first : first + 30]) for first in (0, 30)]
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
