"""The laws of views: cells add up to the totals, one unit moves a view no further than the sketch, on every engine."""

import hashlib
import math
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.facets import CandidateFacet, ColumnFacet, ExampleFacet, NumberFacet, PeriodFacet, columns_of
from dpspin.boundary.privacy import MASS, Adjacency, MissingUsers, Prevalence, RecordUnit, UserUnit, bound_ticks
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import merge_sketch_files, sketch_shard
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.storage import InMemory, Spilling
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation, RequestError
from factories import WeightsMap

ATOMS = 3
MAP = WeightsMap(ATOMS, lambda text: [text.count("a") / 7, text.count("b") / 7, 0.0, max(0, 7 - len(text)) / 7])
FACETS = (
    ColumnFacet(column="channel", values=("app", "web")),
    PeriodFacet(column="day", every="month", first="2026-01-01", last="2026-02-28"),
    NumberFacet(column="stars", cuts=(3,)),
    ExampleFacet(sentences="sha256:of nothing", most=2),
    CandidateFacet(
        names=("x", "y"), dictionary="sha256:of", contribution_map="sha256:of nothing", asked_of="every record"
    ),
)


def find_places(texts):
    """Find a place for what a record has of a coordinate: by both."""
    lengths = np.array([len(text or "") for text in texts.to_pylist()], np.int64)
    return lambda rows, atoms, ticks: (lengths[rows] + atoms + (ticks > 2**28)) % 3


def share_out(texts):
    """Deal out a record's mass among the places of a facet that stands alone; a record without text has none."""
    told = texts.to_pylist()
    weights = np.array([[(text or "").count("a") / 7, 0.0, 0.2 * bool(text)] for text in told]).reshape(-1, 3)
    rows, places = np.nonzero(weights)
    offsets = np.append(0, np.cumsum(np.bincount(rows, minlength=len(told)))).astype(np.int64)
    return Contributions.from_weights(offsets, places, weights[rows, places], universe_size=3, atoms_per_record=None)


FINDERS = {"example": find_places, "candidate": share_out}
KEY = Pseudonyms(bytes(range(32)))
record = st.tuples(
    st.sampled_from(["u1", "u2", "u3", None]),
    st.text(alphabet="ab", max_size=7),
    st.sampled_from(["app", "web", "fax", "", None]),
    st.sampled_from(["2026-01-05", "2026-02-28T23:00:00Z", "2025-01-01", "soon", None]),
    st.sampled_from(["1", "3", "5.0", "many", None]),
)
records = st.lists(record, max_size=12)
units = st.sampled_from([RecordUnit(), UserUnit(2.0), UserUnit(0.5), UserUnit(1.3)])
quantities = st.sampled_from([MASS, Prevalence(most_atoms=2, noticed=0.1)])
adjacencies = st.sampled_from(list(Adjacency))
facets = st.lists(st.sampled_from(FACETS), unique=True, max_size=5).map(tuple)


def origin_of(unit, quantity, adjacency, declared):
    return SketchOrigin("sha256:of nothing", ATOMS, MAP.statement, unit, adjacency, quantity, facets=declared)


def corpus_of(rows, declared):
    columns = zip(*rows, strict=True) if rows else [[]] * 5
    names = ("who", "body", "channel", "day", "stars")
    table = pa.table({name: pa.array(list(cells), pa.string()) for name, cells in zip(names, columns, strict=True)})
    asked = Columns("body", "who", facets=columns_of(declared))
    return open_corpus(table, asked, RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def sketch_of(rows, origin, storage=None):
    return aggregate(corpus_of(rows, origin.facets), MAP, origin, storage, FINDERS)[0]


def alone_among(rows, unit):
    """Return what a facet that stands alone has: each unit's own masses, clipped to the bound by themselves."""
    masses = defaultdict(lambda: np.zeros(3, object))
    for number, (user, text, *_) in enumerate(rows):
        given = share_out(pa.array([text], pa.string()))
        one = number if isinstance(unit, RecordUnit) or user is None else user
        np.add.at(masses[one], given.atoms, given.ticks)
    total, bound = np.zeros(3, object), bound_ticks(unit)
    for one, theirs in masses.items():
        named, whole = isinstance(one, str), theirs.sum()
        before = (np.cumsum(theirs) - theirs) * named  # a record without a user is clipped at once
        total += theirs if whole <= bound else (before + theirs) * bound // whole - before * bound // whole
    return total.tolist()


def own_vectors(rows, origin):
    """Return what each unit gives, alone: its sketch, by units of records or of users."""
    units_of = defaultdict(list)
    for number, row in enumerate(rows):
        alone = isinstance(origin.unit, RecordUnit) or row[0] is None
        units_of[number if alone else row[0]].append(row)
    return [sketch_of(theirs, origin) for theirs in units_of.values()]


@given(records, units, quantities, adjacencies, facets)
def test_the_cells_of_every_view_add_up_to_the_totals_of_a_sketch_without_views(
    rows, unit, quantity, adjacency, declared
):
    origin = origin_of(unit, quantity, adjacency, declared)
    sketch = sketch_of(rows, origin)
    plain = sketch_of(rows, origin_of(unit, quantity, adjacency, ()))
    assert sketch.ticks.tolist() == plain.ticks.tolist()
    for facet, view in zip(declared, sketch.views, strict=True):
        if not facet.stands_alone:
            assert view.reshape(origin.coordinates, -1).sum(axis=1).tolist() == plain.ticks.tolist()
        elif quantity == MASS:
            assert view.tolist() == alone_among(rows, unit)


@given(records.filter(bool), units, quantities, facets)
def test_one_unit_moves_each_view_within_the_sensitivity_of_the_sketch(rows, unit, quantity, declared):
    origin = origin_of(unit, quantity, Adjacency.ADD_DROP, declared)
    everyone = own_vectors(rows, origin)
    sensitivity, replaced = origin.sensitivity, origin_of(unit, quantity, Adjacency.REPLACE, declared).sensitivity
    for place, whole in enumerate(sketch_of(rows, origin).views):
        each = [one.views[place] for one in everyone]
        assert sum(each).tolist() == whole.tolist()  # what a unit gives depends on its own records alone
        for one in each:
            assert one.sum() <= sensitivity.l1
            assert math.sqrt((one.astype(object) ** 2).sum()) <= sensitivity.l2
            assert one.max() <= sensitivity.coordinate
            assert abs(one - each[0]).sum() <= replaced.l1


@given(records, units, quantities, facets, st.integers(0, 6))
def test_every_engine_gives_the_same_cells(rows, unit, quantity, declared, cut):
    origin = origin_of(unit, quantity, Adjacency.ADD_DROP, declared)
    rows = [*rows, ("u9", "", None, None, str(cut))]  # the same file in two shards would be refused
    expected = [view.tolist() for view in sketch_of(rows, origin, InMemory()).views]
    with tempfile.TemporaryDirectory() as folder:
        spilled = sketch_of(rows, origin, Spilling(rows=2, memory_mib=64, folder=Path(folder)))
        assert [view.tolist() for view in spilled.views] == expected
        files = []
        for number, part in enumerate((rows[:cut], rows[cut:])):
            files.append(Path(folder) / f"{number}.sketch")
            sketch_shard(files[-1], Records(corpus_of(part, declared), MAP, origin, finders=FINDERS), pseudonyms=KEY)
        merged = merge_sketch_files(files)
        assert merged.origin.facets == declared
        assert [view.tolist() for view in merged.views] == expected


def test_the_bound_is_attained_by_a_user_who_is_everywhere():
    origin = origin_of(UserUnit(2.0), MASS, Adjacency.ADD_DROP, FACETS[:1])
    rows = [("u", "aaaaaaa", channel, None, None) for channel in ("app", "web", "fax", None)]
    [view] = sketch_of(rows, origin).views
    assert view.reshape(origin.coordinates, -1)[0].tolist() == [2**29] * 4
    assert view.sum() == origin.sensitivity.l1 == bound_ticks(origin.unit)


def test_a_user_counts_once_in_a_theme_where_the_user_has_most_of_it():
    origin = origin_of(UserUnit(2.0), Prevalence(most_atoms=1), Adjacency.ADD_DROP, FACETS[:1])
    rows = [("u", "aaaaaaa", "web", None, None)] * 2 + [("u", "aaaaaaa", "app", None, None)]
    [view] = sketch_of(rows, origin).views
    assert view.reshape(origin.coordinates, -1)[0].tolist() == [0, 2**30, 0, 0]


def test_a_sketch_whose_views_do_not_add_up_does_not_exist():
    origin = origin_of(RecordUnit(), MASS, Adjacency.ADD_DROP, FACETS[:1])
    whole = sketch_of([("u", "aab", "app", None, None)], origin)
    [view] = whole.views
    for broken in ((), (view[:-1],), (np.roll(view, 4),), (view, view)):
        with pytest.raises(BoundViolation, match="add up"):
            Sketch(whole.ticks, origin, views=broken)


def test_a_sketch_file_without_views_has_the_bytes_that_it_always_had(tmp_path):
    origin = origin_of(RecordUnit(), MASS, Adjacency.ADD_DROP, ())
    path = tmp_path / "plain.sketch"
    sketch_shard(path, Records(corpus_of([("u", "aab", None, None, None)], ()), MAP, origin))
    assert b"facets" not in path.read_bytes()
    assert hashlib.sha256(path.read_bytes()[:-32]).digest() == path.read_bytes()[-32:]


def test_a_facet_that_looks_at_the_text_needs_what_finds_its_places():
    origin = origin_of(RecordUnit(), MASS, Adjacency.ADD_DROP, FACETS[3:])
    with pytest.raises(BoundViolation, match="finds its places"):
        aggregate(corpus_of([("u", "aab", None, None, None)], FACETS[3:]), MAP, origin)


@pytest.mark.parametrize("wrong", [lambda texts: share_out(texts[:1]), MAP])
def test_a_facet_that_stands_alone_has_a_row_for_each_record_and_its_own_places(wrong):
    origin = origin_of(RecordUnit(), MASS, Adjacency.ADD_DROP, FACETS[4:])
    rows = [("u", "aab", None, None, None)] * 2
    with pytest.raises(BoundViolation, match="stands alone"):
        aggregate(corpus_of(rows, FACETS[4:]), MAP, origin, finders={"candidate": wrong})


def test_candidates_that_an_earlier_version_looked_for_among_none_of_these_are_not_summed_in_another_way():
    earlier = CandidateFacet(names=("x",), dictionary="sha256:of", contribution_map="sha256:of nothing")
    assert "asked_of" not in earlier.model_dump()  # its plans keep their text
    with pytest.raises(RequestError, match="make the sketch again"):
        origin_of(RecordUnit(), MASS, Adjacency.ADD_DROP, (earlier,))
