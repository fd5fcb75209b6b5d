"""Prevalence: one unit moves each count by one at most, and at most K counts, however the corpus is cut or stored."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, MissingUsers, Prevalence, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import merge_sketch_files, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.storage import InMemory, Spilling
from dpspin.curator.aggregate.totals import Mentions
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation, RequestError
from factories import WeightsMap

LETTERS = "abcd"


def weights_of_letters(text):
    """Each letter has its part of mass one; what is no letter of an atom goes to "none of these"."""
    shares = [text.count(letter) / max(1, len(text)) for letter in LETTERS]
    return [*shares, max(0.0, 1 - sum(shares))]


MAP = WeightsMap(4, weights_of_letters)
KINDS = {"record": RecordUnit(), "user": UserUnit(1.0, MissingUsers.OWN_UNIT)}
rows = st.lists(
    st.tuples(st.sampled_from(["u", "v", "w", None]), st.text(alphabet="abcdz", max_size=12) | st.none()), max_size=10
)
most_atoms = st.integers(1, 5)


def origin_of(unit, most, noticed=0.1):
    quantity = Prevalence(most_atoms=most, noticed=noticed)
    return SketchOrigin("sha256:four", 4, MAP.statement, unit, Adjacency.ADD_DROP, quantity)


def corpus_of(unit, records):
    table = pa.table({"who": pa.array([r[0] for r in records], pa.string()), "body": [r[1] for r in records]})
    columns = Columns("body", "who" if isinstance(unit, UserUnit) else None)
    return open_corpus(
        table.cast(pa.schema([("who", pa.string()), ("body", pa.string())])),
        columns,
        RowPolicy(missing_users=MissingUsers.OWN_UNIT),
    )


def counts(unit, records, most, storage=None):
    sketch, _ = aggregate(corpus_of(unit, records), MAP, origin_of(unit, most), storage)
    assert (sketch.ticks % TICKS_PER_MASS == 0).all()
    return sketch.ticks // TICKS_PER_MASS


@given(rows, most_atoms, st.sampled_from(["u", None]))
def test_dropping_a_record_changes_at_most_k_counts_by_one(records, most, who):
    extra = (who, "aabbccddzz")
    change = counts(RecordUnit(), [*records, extra], most) - counts(RecordUnit(), records, most)
    assert ((change >= 0) & (change <= 1)).all()
    assert change.sum() <= most


@given(rows, most_atoms)
def test_dropping_a_user_changes_at_most_k_counts_by_one(records, most):
    unit = KINDS["user"]
    change = counts(unit, records, most) - counts(unit, [r for r in records if r[0] != "u"], most)
    assert ((change >= 0) & (change <= 1)).all()
    assert change.sum() <= most


@given(rows, most_atoms)
def test_counts_on_disk_are_those_in_memory(records, most):
    unit = KINDS["user"]
    spilled = counts(unit, records, most, Spilling(rows=2, memory_mib=64))
    assert spilled.tolist() == counts(unit, records, most, InMemory()).tolist()


def test_a_record_counts_for_its_heaviest_atoms_and_for_none_only_where_there_is_no_other():
    records = [(None, "aaabbc"), (None, "zzz"), (None, "zzzzzzzzzzzzzzza"), (None, None), (None, "")]
    assert counts(RecordUnit(), records, 2).tolist() == [1, 1, 0, 0, 3]


def test_a_user_counts_once_for_each_of_the_atoms_they_mention_most():
    records = [("u", "a"), ("u", "b"), ("u", "b"), ("u", "c"), ("u", "zz"), ("v", "zz"), ("w", "c"), (None, "c")]
    assert counts(KINDS["user"], records, 2).tolist() == [1, 1, 2, 0, 1]


def test_shards_are_counted_as_one_corpus(tmp_path):
    unit, key = KINDS["user"], Pseudonyms(bytes(range(32)))
    records = [("u", "a"), ("v", "ab"), ("u", "a"), ("w", "zz"), ("u", "c")]
    for place, part in enumerate((records[:2], records[2:])):
        shard = Records(corpus_of(unit, part), MAP, origin_of(unit, 2))
        sketch_shard(tmp_path / f"{place}.sketch", shard, pseudonyms=key)
    merged = merge_sketch_files(sorted(tmp_path.glob("*.sketch")))
    assert (merged.ticks // TICKS_PER_MASS).tolist() == counts(unit, records, 2).tolist()


def test_sketches_of_different_quantities_are_not_merged():
    mentions, _ = aggregate(corpus_of(RecordUnit(), [(None, "a")]), MAP, origin_of(RecordUnit(), 2))
    others, _ = aggregate(corpus_of(RecordUnit(), [(None, "a")]), MAP, origin_of(RecordUnit(), 3))
    with pytest.raises(RequestError, match="quantity"):
        mentions.merge(others)


def test_a_map_that_names_an_atom_twice_or_too_many_mentions_are_refused():
    twice = Contributions(np.array([0, 2]), np.array([1, 1]), np.array([2**29, 2**29]), 4, None)
    with pytest.raises(BoundViolation, match="twice"):
        Mentions.of(twice, Prevalence(most_atoms=3), None)
    with pytest.raises(BoundViolation, match="more atoms"):
        Mentions(np.array([0, 2]), np.array([0, 1]), most=1)


def test_an_origin_states_its_quantity_and_its_sensitivity_follows():
    origin = origin_of(RecordUnit(), 3)
    assert origin.sensitivity.l1 == 3 * TICKS_PER_MASS
    assert replace(origin, adjacency=Adjacency.REPLACE).sensitivity.l1 == 6 * TICKS_PER_MASS
