"""On any text, the compiled map and scikit-learn agree bit for bit."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from factories import universe_of

pytest.importorskip("numba")

LABELS = ("late parcel", "refund missing", "Straße größe", "МОСКВА река", "x_1 2fast", "parcel again", "late refund")
WORDS = [form for label in LABELS for word in label.split() for form in (word, word.upper(), word.title())]
MAPS = [
    NgramMap.fit(universe_of([Atom(id=i, label=label) for i, label in enumerate(LABELS)]), PublicWordIdf(), k)
    for k in (1, 3, None)
]

characters = st.characters(exclude_categories=["Cs"])
words = st.sampled_from([*WORDS, "the", "and", "I", "é", "_", "İ", "ΟΔΟΣ"]) | st.text(characters, max_size=3)
glue = st.sampled_from([" ", " ", " ", "", "_", "-", "\u0301", "\x00", " é "])
texts = st.lists(st.tuples(words, glue).map("".join), max_size=30).map("".join)


@settings(deadline=None)
@given(st.lists(st.none() | texts, max_size=12), st.sampled_from(MAPS))
def test_the_kernel_equals_the_reference(records, ngrams):
    column = pa.array(records, pa.large_string())
    expected, got = ngrams.reference(column), ngrams(column)
    for name in ("offsets", "atoms", "ticks"):
        assert np.array_equal(getattr(expected, name), getattr(got, name))
