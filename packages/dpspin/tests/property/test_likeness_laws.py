"""Laws of the samples by which a ledger knows records again."""

import sys
from collections import Counter

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from dpspin.curator.aggregate import likeness
from dpspin.curator.aggregate.likeness import Likeness, likeness_of, words_in

KEY = bytes(32)
SPACES = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
texts = st.lists(st.none() | st.text(st.sampled_from(["a", "b", "é", *SPACES]), max_size=6) | st.text(max_size=8))


def column(values):
    return pa.array(values, pa.large_string())


@given(texts)
def test_spaces_and_a_wrong_encoding_change_nothing(values):
    written = [f"{text} and some plain words" for text in values if text is not None]
    wrongly = [text.encode("utf-8", "replace").decode("latin-1") for text in written]
    spaced = [text.replace(" ", "\u3000 ") for text in written]
    expected = list(words_in(column(written)))
    assert list(words_in(column(wrongly))) == expected
    assert list(words_in(column(spaced))) == expected


def test_every_space_counts_as_one():
    assert len(set(words_in(column([f"по{space}не" for space in SPACES])))) == 1


def sample_of(values, batches=1, key=KEY):
    parts = np.array_split(np.array(values, dtype=object), batches)
    made = [
        pa.RecordBatch.from_pydict({"text": column(part.tolist()), "user": column(part.tolist())}) for part in parts
    ]
    return likeness_of(made, key)


numbers = st.lists(st.integers(0, 40), max_size=120)


def as_often_as_most(hashed):
    usual = min(Counter(hashed.values()).items(), key=lambda pair: (-pair[1], pair[0]), default=(1, 0))[0]
    return {hash_ for hash_, number in hashed.items() if number == usual}


@given(numbers, st.integers(1, 5), st.randoms(use_true_random=False))
def test_a_sample_is_the_smallest_hashes_of_what_stands_equally_often_in_any_order_and_batches(drawn, batches, chance):
    original, likeness.MOST = likeness.MOST, 16
    try:
        words = [f"w{number}" for number in drawn]
        shuffled = chance.sample(words, len(words))
        sampled = sample_of(words, batches)
        assert sampled.to_bytes() == sample_of(shuffled).to_bytes()
    finally:
        likeness.MOST = original
    whole, times = sample_of(words), Counter(words)
    hashed = {sample_of([word]).texts.hashes.tolist()[0]: number for word, number in times.items()}
    assert set(whole.texts.hashes.tolist()) == as_often_as_most(hashed)
    limit = sampled.texts.limit
    assert set(sampled.texts.hashes.tolist()) == as_often_as_most({h: n for h, n in hashed.items() if h <= limit})
    assert sampled.users.hashes.tolist() == sorted(whole.users.hashes.tolist())[:16]


@given(numbers)
def test_the_ledger_keeps_a_sample_as_it_is(drawn):
    known = sample_of([f"w{number}" for number in drawn])
    again = Likeness.from_bytes(known.to_bytes())
    assert again.to_bytes() == known.to_bytes()
    assert (again.texts.limit, again.users.limit) == (known.texts.limit, known.users.limit)
