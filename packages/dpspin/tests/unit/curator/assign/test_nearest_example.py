"""The nearest example of a record: by the words of one sentence, by the record alone, in any company."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.nearest_example import LEAST_VOTE, NearestExample
from text_viewed_plans import BY_EXAMPLE, CAFE

NEAREST = NearestExample.of(BY_EXAMPLE, CAFE)
NONE = BY_EXAMPLE.most
words = st.sampled_from(
    ["waited", "hour", "table", "queue", "endless.", "espresso!", "superb", "cold", "Waiting.", "x", "€", "for,", "We"]
)
texts = st.lists(st.none() | st.lists(words, max_size=9).map(" ".join), max_size=8)


def places(batch, atoms=(0, 1, 2, 3, 4), ticks=TICKS_PER_MASS):
    pairs = [(row, atom) for row in range(len(batch)) for atom in atoms]
    rows, themes = (np.array(each, np.int64) for each in (zip(*pairs, strict=True) if pairs else ((), ())))
    found = NEAREST(pa.array(batch, pa.string()))(rows, themes, np.full(len(rows), ticks, np.int64))
    return found.reshape(len(batch), len(atoms)).tolist()


@pytest.mark.parametrize(
    ("text", "atom", "place"),
    [
        ("We WAITED more than an hour. Nice view!", 0, 0),
        ("Nice view. The queue had no end (endless!)", 0, 1),
        ("the foods took for ever", 0, 2),
        ("He rolled his eyes, she shouted", 1, 0),
        ("xyzzy", 0, NONE),
        ("", 0, NONE),
        (None, 0, NONE),
        ("We waited an hour for a table.", 5, NONE),  # what is no theme has no example
    ],
)
def test_the_example_that_shares_most_with_one_sentence_is_nearest(text, atom, place):
    assert places([text], (atom,)) == [[place]]


def test_a_sentence_that_shares_much_decides_over_many_that_share_little():
    many = "We had a table. It was for a friend. We had an idea. " * 3
    assert places([many + "Endless queue."], (0,)) == [[1]]


def test_less_than_a_hundredth_of_a_record_is_no_vote():
    assert places(["Endless queue."], (0,), LEAST_VOTE) == [[1]]
    assert places(["Endless queue."], (0,), LEAST_VOTE - 1) == [[NONE]]


@given(texts)
def test_a_record_gets_the_same_alone_and_in_any_company(batch):
    assert places(batch) == [place for text in batch for place in places([text])]


@given(texts, texts)
def test_the_company_changes_nothing(batch, others):
    assert places([*others, *batch])[len(others) :] == places([*batch, *others])[: len(batch)]


def test_what_is_remembered_is_bounded_and_changes_nothing(monkeypatch):
    monkeypatch.setattr("dpspin.curator.assign.nearest_example.MOST_TOKENS", 2)
    fresh = NearestExample.of(BY_EXAMPLE, CAFE)
    batch = pa.array(["We waited an hour for a table."] * 3)
    rows, zeros = np.arange(3), np.zeros(3, np.int64)
    assert fresh(batch)(rows, zeros, np.full(3, TICKS_PER_MASS)).tolist() == [0, 0, 0]
    assert len(fresh.known) <= 2
