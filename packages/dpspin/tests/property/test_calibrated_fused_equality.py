"""On any text, the compiled stages and the sources of a calibrated map agree bit for bit."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrated_maps import NO_THEME, TEXTS, UNIVERSE, small_map

pytest.importorskip("numba")

MAPS = [
    small_map("both"),
    small_map("examples", 1, courtesy=False),
    small_map("themes", courtesy=False),
    small_map("classes", 2),
    small_map("taught"),
]
PHRASES = [*TEXTS, *NO_THEME, *(cue for atom in UNIVERSE.atoms for cue in (atom.label, *atom.cues))]
WORDS = sorted({form for phrase in PHRASES for word in phrase.split() for form in (word, word.upper(), word.title())})

characters = st.characters(exclude_categories=["Cs"])
plain = st.characters(max_codepoint=0x7F)
words = (
    st.sampled_from([*WORDS, "thanks", "no", "n't", "İ"]) | st.text(plain, max_size=4) | st.text(characters, max_size=2)
)
glue = st.sampled_from([" ", " ", " ", ". ", ".", "! ", "; ", "\n", "<br />", "<br>", "<br", "'", "’", "", "_", " — "])
texts = st.lists(st.tuples(words, glue).map("".join), max_size=30).map("".join)


@settings(deadline=None)
@given(st.lists(st.none() | texts, max_size=12), st.sampled_from(MAPS))
def test_the_stages_equal_the_sources(records, fitted):
    column = pa.array(records, pa.large_string())
    expected, got = fitted.reference(column), fitted(column)
    for name in ("offsets", "atoms", "ticks"):
        assert np.array_equal(getattr(expected, name), getattr(got, name))


@settings(deadline=None)
@given(st.lists(texts, min_size=2, max_size=6), st.sampled_from(MAPS))
def test_a_record_does_not_depend_on_its_batch(records, fitted):
    together = fitted(pa.array(records))
    alone = [fitted(pa.array([text])) for text in records]
    assert together.ticks.tolist() == [tick for one in alone for tick in one.ticks.tolist()]
    assert together.atoms.tolist() == [atom for one in alone for atom in one.atoms.tolist()]
