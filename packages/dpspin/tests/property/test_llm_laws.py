"""Whatever a record says and whatever the model makes of it, the contribution keeps its bound and is its own."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import row_sums
from dpspin.curator.assign.llm.kept_answers import Answers
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import LlmMap
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint
from factories import PAPER_UNIVERSE
from fake_llm import PUBLIC_TEXTS, FakeModel, Said, completion

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

names = st.sampled_from([*sorted(PUBLIC_TEXTS), "none", "None", "17", "long wait "]) | st.text(max_size=8)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
themes_like = st.builds(lambda listed: json.dumps({"themes": listed}), st.lists(names, max_size=6))
words = themes_like | st.builds(json.dumps, anything) | st.text(max_size=40)
replies = st.builds(completion, words | st.none()) | st.builds(Said, st.binary(max_size=60))
# A record decides what the model says: the strongest contributor there is.
records = st.dictionaries(st.text(min_size=1, max_size=30).filter(lambda t: t not in PUBLIC_TEXTS), replies, max_size=4)


@pytest.fixture(scope="module")
def model():
    with FakeModel() as running:
        yield running


def contributions(model, texts, most):
    with tempfile.TemporaryDirectory() as folder:
        endpoint = Endpoint(model.url, "tiny", retries=0)
        labeller = Labeller(PAPER_UNIVERSE, endpoint, Answers(Path(folder)), most=most)
        return LlmMap(labeller)(pa.array(texts, pa.string()))


def rows(made):
    return [
        (made.atoms[a:b].tolist(), made.ticks[a:b].tolist())
        for a, b in zip(made.offsets, made.offsets[1:], strict=False)
    ]


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(records, st.integers(1, 3), st.integers(0, 3))
def test_a_contribution_is_bounded_and_no_record_changes_another(model, said, most, place):
    model.speak = said.__getitem__
    texts = list(said)
    made = contributions(model, texts, most)
    assert made.records == len(texts)
    assert made.universe_size == PAPER_UNIVERSE.size + 1
    assert (np.diff(made.offsets) >= 1).all()
    assert (np.diff(made.offsets) <= most).all()
    masses = row_sums(made.offsets, made.ticks)
    assert ((masses <= TICKS_PER_MASS) & (masses >= TICKS_PER_MASS - most)).all()
    assert all(len(set(atoms)) == len(atoms) for atoms, _ in rows(made))
    without = contributions(model, texts[:place] + texts[place + 1 :], most)
    assert rows(without) == rows(made)[:place] + rows(made)[place + 1 :]
