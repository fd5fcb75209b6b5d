"""Auxiliary text must not hold protected records; what is published of it decides how strict that is."""

import pyarrow as pa
import pytest

from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.disjoint import require_disjoint
from dpspin.curator.records.policy import Columns
from dpspin.errors import RecordsRefused


def letters(*numbers):
    return [
        f"letter number {number} tells at length of a parcel that took the long way round and never came"
        for number in numbers
    ]


def corpus(texts, label=None):
    table = pa.table({"text": texts, **({} if label is None else {label: ["1"] * len(texts)})})
    return open_corpus(table, Columns("text", label=label))


def test_one_letter_in_forty_may_coincide_where_only_words_are_counted():
    require_disjoint(corpus(letters(*range(40))), corpus(letters(*range(39, 80))))


def test_no_labelled_letter_may_coincide():
    with pytest.raises(RecordsRefused, match="word for word"):
        require_disjoint(corpus(letters(*range(40)), label="what"), corpus(letters(*range(39, 80))))
    require_disjoint(corpus(letters(*range(40)), label="what"), corpus(letters(*range(40, 80))))


def test_short_texts_may_coincide_by_chance_but_not_most_of_them():
    thanks = ["thanks", "all good", "late", "no parcel", "broken", "never again"]
    require_disjoint(corpus(thanks), corpus(["thanks", "late", "a new one", "another"]))
    with pytest.raises(RecordsRefused, match="word for word"):
        require_disjoint(corpus(thanks), corpus([*thanks[::-1], "one more"]))
