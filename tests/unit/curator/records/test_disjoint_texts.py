"""Auxiliary text must not hold protected records; what is published of it decides how strict that is."""

import pyarrow as pa
import pytest

from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.disjoint import require_disjoint, require_few_in_common
from dpspin.curator.records.policy import Columns
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
