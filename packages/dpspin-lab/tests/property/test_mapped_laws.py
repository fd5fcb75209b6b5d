"""Records after Stage I sum up to the product's own sketch, bit for bit, whoever is chosen and however users clip."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import totals_for
from dpspin.curator.assign.contribution import Contributions
from dpspin_lab.runs.mapped_records import Mapped

ATOMS = 5
STATEMENT = MapStatement(name="test", fitted_on="nothing", atoms_per_record=None, digest="d")


@st.composite
def mapped_records(draw):
    weights = draw(st.lists(st.lists(st.floats(0, 1), max_size=ATOMS), max_size=12))
    offsets = np.r_[0, np.cumsum([len(row) for row in weights])].astype(np.int64)
    atoms = np.array([place for row in weights for place in range(len(row))], np.int64)
    flat = np.array([weight for row in weights for weight in row], np.float64)
    given_ = Contributions.from_weights(offsets, atoms, flat, universe_size=ATOMS, atoms_per_record=None)
    users = draw(st.lists(st.integers(0, 4), min_size=len(weights), max_size=len(weights)))
    return Mapped(given_, np.array(users, np.int64))


def product_sketch(mapped, unit):
    origin = SketchOrigin("universe", ATOMS, STATEMENT, unit, Adjacency.ADD_DROP)
    totals = totals_for(origin)
    totals.add(mapped.given, pa.array([f"u{user}" for user in mapped.users], pa.large_string()))
    return totals.finish()


@given(mapped_records(), st.data(), st.one_of(st.just(RecordUnit()), st.floats(0.01, 4).map(UserUnit)))
def test_a_chosen_part_has_the_sketch_of_the_product(mapped, data, unit):
    rows = np.array(data.draw(st.permutations(range(mapped.records))), np.int64)
    part = mapped.part(rows[: data.draw(st.integers(0, mapped.records))])
    expected = product_sketch(part, unit)
    assert part.ticks(unit).tolist() == expected.ticks.tolist()
    assert part.units(unit) == expected.units


@given(mapped_records(), mapped_records(), st.floats(0.01, 4).map(UserUnit))
def test_other_people_are_users_of_their_own(mapped, others, unit):
    joined = mapped.and_others(Mapped(others.given))
    assert joined.units(unit) == mapped.units(unit) + others.records
    alone = Mapped(others.given, np.arange(others.records))
    assert joined.ticks(unit).tolist() == (mapped.ticks(unit) + alone.ticks(unit)).tolist()
