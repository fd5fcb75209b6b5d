"""The two laws of the sketch: it does not depend on how the corpus is cut, and one unit moves it within its bound."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dpspin.boundary.atoms import Atom
from dpspin.boundary.privacy import Adjacency, MissingUsers, RecordUnit, UserUnit
from dpspin.boundary.statement import MapStatement, Separation
from dpspin.curator.aggregate.local import aggregate
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.assign.contribution import top_k
from dpspin.curator.assign.paper_map import AuxiliaryIdf, NgramMap, PublicWordIdf
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError
from factories import WeightsMap, universe_of

UNIVERSE = universe_of(
    [
        Atom(id=1, label="late delivery", cues=("parcel never came",)),
        Atom(id=2, label="refund missing", cues=("money back",)),
        Atom(id=3, label="late refund"),
        Atom(id=4, label="app crash"),
    ]
)
WORDS = ["late", "delivery", "refund", "money", "back", "app", "crash", "parcel", "the", "unrelated", "ÉCLAIR"]


class LengthMap:
    """A map unlike the n-gram one: weights from the text's characters, up to all atoms."""

    statement = MapStatement(name="length", fitted_on="nothing", atoms_per_record=None, digest="sha256:length")

    def __call__(self, texts):
        rows = [
            [len(text or "") % 3, (text or "").count("e"), (text or "").count("a"), 1] for text in texts.to_pylist()
        ]
        return top_k(csr_array(np.array(rows, np.int64).reshape(len(rows), 4)), None)


def weights_of_words(text):
    """Each word has its part of mass one; words that no atom knows go to "none of these", and so does silence."""
    words = text.split() or ["nothing"]
    shares = [
        sum(word in cues for word in words) / len(words) for cues in (("late", "parcel"), ("money",), (), ("app",))
    ]
    return [*shares, 1 - sum(shares)]


MAPS = {
    "ngram, word frequencies": NgramMap.fit(UNIVERSE, PublicWordIdf()),
    "ngram, auxiliary": NgramMap.fit(UNIVERSE, AuxiliaryIdf([pa.array(["late refund", "the parcel", None])]), 1),
    "length": LengthMap(),
    "answers none": WeightsMap(4, weights_of_words),
}
records = st.lists(
    st.tuples(st.sampled_from(["u1", "u2", "u3", None]), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)),
    max_size=12,
)
maps = st.sampled_from(sorted(MAPS))
units = st.sampled_from([RecordUnit(), UserUnit(bound=2.0), UserUnit(bound=0.5), UserUnit(bound=1.3)])
adjacencies = st.sampled_from(list(Adjacency))


def origin_of(name, unit, adjacency):
    learned = MAPS[name].statement.learned_from_auxiliary
    texts = Separation(map_text="declared_public" if learned else "no_text", dictionary_text="no_text")
    return SketchOrigin(UNIVERSE.digest, UNIVERSE.size, MAPS[name].statement, unit, adjacency, separation=texts)


def table_of(rows):
    return pa.table(
        {"who": pa.array([u for u, _ in rows], pa.string()), "body": pa.array([t for _, t in rows], pa.string())}
    )


def sketch_of(rows, name, unit, adjacency=Adjacency.ADD_DROP, batch_rows=1000):
    chunks = [table_of(rows[start : start + batch_rows]) for start in range(0, len(rows), batch_rows)]
    table = pa.concat_tables([table_of([]), *chunks])
    corpus = open_corpus(table, Columns("body", "who"), RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    return aggregate(corpus, MAPS[name], origin_of(name, unit, adjacency))[0]


@given(records, maps, units, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_sketch_is_the_same_for_any_batch_size_order_and_partition(rows, name, unit, batch_rows, shuffler):
    whole = sketch_of(rows, name, unit)
    shuffled = list(rows)
    shuffler.shuffle(shuffled)
    assert sketch_of(shuffled, name, unit, batch_rows=batch_rows).ticks.tolist() == whole.ticks.tolist()
    cut = len(rows) // 2
    origin = origin_of(name, unit, Adjacency.ADD_DROP)
    halves = [totals_for(origin), totals_for(origin)]
    for totals, part in zip(halves, (shuffled[:cut], shuffled[cut:]), strict=True):
        texts, users = table_of(part).column("body").combine_chunks(), table_of(part).column("who").combine_chunks()
        totals.add(MAPS[name](texts), users)
    halves[0].merge(halves[1])
    assert halves[0].finish().ticks.tolist() == whole.ticks.tolist()


def moved(a, b):
    change = a.ticks.astype(object) - b.ticks.astype(object)
    return sum(abs(change)), math.sqrt(sum(change * change)), max(abs(change))


def without_one_unit(rows, unit, index):
    user = rows[index][0]
    if isinstance(unit, RecordUnit) or user is None:
        return rows[:index] + rows[index + 1 :]
    return [row for row in rows if row[0] != user]


@given(records.filter(bool), maps, units, st.data())
def test_dropping_one_unit_moves_the_sketch_within_its_sensitivity(rows, name, unit, data):
    index = data.draw(st.integers(0, len(rows) - 1))
    full = sketch_of(rows, name, unit)
    less = sketch_of(without_one_unit(rows, unit, index), name, unit)
    l1, l2, coordinate = moved(full, less)
    assert l1 <= full.sensitivity.l1
    assert l2 <= full.sensitivity.l2
    assert coordinate <= full.sensitivity.coordinate
    assert (full.ticks >= less.ticks).all()  # add/drop is monotone


@given(records.filter(bool), records, maps, units, st.data())
def test_replacing_one_unit_moves_the_sketch_within_its_sensitivity(rows, others, name, unit, data):
    index = data.draw(st.integers(0, len(rows) - 1))
    rest = without_one_unit(rows, unit, index)
    newcomer = [("newcomer", text) for _, text in others]
    replaced = rest + (newcomer[:1] if isinstance(unit, RecordUnit) else newcomer)
    before, after = sketch_of(rows, name, unit, Adjacency.REPLACE), sketch_of(replaced, name, unit, Adjacency.REPLACE)
    l1, l2, coordinate = moved(before, after)
    assert l1 <= before.sensitivity.l1
    assert l2 <= before.sensitivity.l2
    assert coordinate <= before.sensitivity.coordinate


def test_the_bounds_are_attained_so_a_smaller_one_would_be_wrong():
    alone = sketch_of([(None, "crash app")], "ngram, auxiliary", RecordUnit())
    nobody = sketch_of([], "ngram, auxiliary", RecordUnit())
    other = sketch_of([(None, "late delivery")], "ngram, auxiliary", RecordUnit(), Adjacency.REPLACE)
    for gone, bound in ((nobody, alone.sensitivity), (other, other.sensitivity)):
        assert moved(alone, gone) == pytest.approx((bound.l1, bound.l2, bound.coordinate), rel=1e-15)
    many = [("u", "crash app")] * 9
    assert moved(sketch_of(many, "ngram, auxiliary", UserUnit(2.0)), nobody)[0] == 2 * 2**30


def test_sketches_merge_at_record_level_only_and_only_with_their_like():
    record = sketch_of([("u", "app crash")], "length", RecordUnit())
    assert record.merge(record).ticks.tolist() == (2 * record.ticks).tolist()
    user = sketch_of([("u", "app crash")], "length", UserUnit(2.0))
    with pytest.raises(RequestError, match="same user may be in both"):
        user.merge(user)
    with pytest.raises(RequestError, match="cannot be merged"):
        record.merge(sketch_of([], "length", RecordUnit(), Adjacency.REPLACE))
    with pytest.raises(RequestError, match="cannot be merged"):
        totals_for(record.origin).merge(totals_for(user.origin))
    assert "ticks" not in repr(record)


@given(records, units)
def test_none_of_these_shares_the_mass_of_its_record_with_the_atoms(rows, unit):
    sketch = sketch_of(rows, "answers none", unit)
    assert len(sketch.ticks) == UNIVERSE.size + 1
    assert sum(sketch.ticks.tolist()) <= len(rows) * min(sketch.sensitivity.l1, 2**30)


def test_the_bound_is_attained_by_a_record_of_no_atom_at_all():
    alone, nobody = (sketch_of(rows, "answers none", RecordUnit()) for rows in ([(None, "unrelated")], []))
    assert alone.ticks.tolist() == [0, 0, 0, 0, 2**30]
    assert moved(alone, nobody) == (alone.sensitivity.l1, alone.sensitivity.l2, alone.sensitivity.coordinate)


def test_the_papers_map_has_one_coordinate_per_atom_and_no_other():
    sketch = sketch_of([("u", "unrelated")], "ngram, word frequencies", RecordUnit())
    assert sketch.ticks.tolist() == [0, 0, 0, 0]
