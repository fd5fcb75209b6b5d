"""Grounding, from the file on: a unit is drawn, read and mapped by itself, and moves each sum by its reach at most.

These are the lemmas of `boundary.grounding`, in exact ticks. Nothing here draws noise.
"""

import csv
from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.privacy import MASS, Adjacency, MissingUsers, Prevalence, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.read_sample import Drawing, Drawn, require_read, sums_over
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from factories import WeightsMap

EVERYBODY = 1 - 2.0**-53  # as good as: a unit is left out once in 9·10^15 times
KEY = bytes(range(32))
TEXTS = ("late", "slow, and late", "kind", "")
UNREADABLE = "\xff"  # as it is written below, this is no UTF-8
POLICY = RowPolicy(missing_users=MissingUsers.OWN_UNIT)

weights = st.lists(st.floats(0, 1), min_size=5, max_size=5)
themes = st.frozensets(st.integers(0, 3))
bounds = st.sampled_from([2.0**-30, 0.3, 1.0, 2.5, 2.0**20])
units = st.one_of(st.just(RecordUnit()), bounds.map(lambda bound: UserUnit(bound, MissingUsers.OWN_UNIT)))
quantities = st.one_of(st.just(MASS), st.builds(Prevalence, most_atoms=st.integers(1, 6), noticed=st.floats(0.01, 1)))
rows = st.lists(st.tuples(st.sampled_from(["u", "v", ""]), st.sampled_from([*TEXTS, UNREADABLE])), max_size=6)


@dataclass(frozen=True)
class World:
    """Whatever the map answers to each text, whatever the reader does, whoever is protected."""

    read: dict[str, frozenset[int]]
    origin: SketchOrigin
    weights: WeightsMap

    def reaches(self):
        noise = sample_noise(PrivacyLoss(1.0), Grounding(rate=0.1, share=0.5, reader="r"), self.origin.sensitivity)
        return noise.corrections.reach, noise.squares.reach, noise.moved.reach

    def corpus(self, path):
        columns = Columns("body", "who" if isinstance(self.origin.unit, UserUnit) else None)
        return open_corpus(path, columns, POLICY)

    def sums(self, path, drawing):
        """Hold what is drawn from a file and read against the map; one triple of sums for each unit."""
        by_unit: dict[str, list[Drawn]] = {}
        for each in drawing.of(self.corpus(path)):
            by_unit.setdefault(each.unit, []).append(each)
        return {unit: self.sums_of(tuple(theirs)) for unit, theirs in by_unit.items()}

    def sums_of(self, drawn):
        readings = {each.id: self.read[each.text] for each in drawn if each.text is not None}
        require_read(drawn, readings)
        mapped = self.weights(pa.array([each.text for each in drawn], pa.large_string()))
        return as_numbers(sums_over(drawn, readings, mapped, self.origin))


def as_numbers(sums):
    return tuple(sums.corrections.tolist()), tuple(sums.squares.tolist()), sums.moved


@st.composite
def worlds(draw, unit=units):
    protected, quantity = draw(unit), draw(quantities)
    if isinstance(quantity, Prevalence) and isinstance(protected, UserUnit):
        protected = replace(protected, bound=1.0)
    mapped = {text: draw(weights) for text in TEXTS}
    weigh = WeightsMap(4, mapped.__getitem__)
    origin = SketchOrigin("sha256:four", 4, weigh.statement, protected, Adjacency.ADD_DROP, quantity)
    return World({text: draw(themes) for text in TEXTS}, origin, weigh)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("records")


def written(folder, records):
    path = folder / "records.csv"
    with path.open("w", encoding="latin-1", newline="") as file:
        csv.writer(file).writerows([("who", "body"), *records])
    return path


def within(sums, reaches):
    corrections, squares, moved = sums
    sizes = (sum(map(abs, corrections)), sum(map(abs, squares)), abs(moved))
    return all(size <= reach for size, reach in zip(sizes, reaches, strict=True))


@given(worlds(), rows)
def test_each_unit_moves_each_sum_by_its_reach_at_most(folder, world, records):
    drawing = Drawing(KEY, EVERYBODY)
    of_units = world.sums(written(folder, records), drawing)
    assert all(within(sums, world.reaches()) for sums in of_units.values())
    total = world.sums_of(drawing.of(world.corpus(written(folder, records))))
    for kind in (0, 1):
        assert total[kind] == tuple(map(sum, zip((0,) * 5, *(sums[kind] for sums in of_units.values()), strict=True)))
    assert total[2] == sum(sums[2] for sums in of_units.values())


@given(worlds(st.just(RecordUnit())), rows, st.data())
def test_one_row_more_in_the_file_is_one_unit_more_in_the_sums(folder, world, records, data):
    place = data.draw(st.integers(0, len(records)))
    more = [*records[:place], ("u", data.draw(st.sampled_from(TEXTS))), *records[place:]]
    drawing = Drawing(KEY, EVERYBODY)
    before, after = (Counter(world.sums(written(folder, some), drawing).values()) for some in (records, more))
    assert (after - before).total() == 1
    assert not before - after


@given(worlds(st.just(UserUnit(2.5, MissingUsers.OWN_UNIT))), rows)
def test_a_user_more_in_the_file_is_one_unit_more_in_the_sums(folder, world, records):
    drawing = Drawing(KEY, EVERYBODY)
    after = world.sums(written(folder, [*records, ("u", "late")]), drawing)
    before = world.sums(written(folder, [row for row in records if row[0] != "u"]), drawing)
    gone, left = (Counter(of_units.values()) for of_units in (after, before))
    assert (gone - left).total() == 1
    assert not left - gone


@given(worlds(), rows, st.sampled_from(TEXTS))
def test_a_record_never_changes_how_another_one_is_drawn_named_or_counted(folder, world, records, text):
    """The law of reading, for samples: under one key, another row at the end leaves all others as they were."""
    drawing = Drawing(KEY, 0.5)
    before = drawing.of(world.corpus(written(folder, records)))
    after = drawing.of(world.corpus(written(folder, [*records, ("w", text)])))
    assert set(before) <= set(after)
    assert len(after) - len(before) <= 1
    assert [each for each in after if each in set(before)] == list(before)  # in the same order
    own = {each.unit for each in after} - {each.unit for each in before}
    sums = world.sums(written(folder, [*records, ("w", text)]), drawing)
    assert {unit: each for unit, each in sums.items() if unit not in own} == world.sums(
        written(folder, records), drawing
    )


# The bounds are reached, so none of them could be smaller; and what the half and the clip are for.


def vertices(unit, quantity=MASS):
    """One unit whose whole mass the reader moves to another theme."""
    mapped = {"late": [1.0, 0, 0, 0, 0]}
    weigh = WeightsMap(4, mapped.__getitem__)
    origin = SketchOrigin("sha256:four", 4, weigh.statement, unit, Adjacency.ADD_DROP, quantity)
    return World({"late": frozenset({1})}, origin, weigh)


@pytest.mark.parametrize("unit", [RecordUnit(), UserUnit(2.0)], ids=["record", "user"])
def test_a_unit_that_is_moved_as_a_whole_reaches_every_bound(folder, unit):
    world = vertices(unit)
    path = written(folder, [("u", "late")] * (12 if isinstance(unit, UserUnit) else 1))
    [(corrections, squares, moved)] = world.sums(path, Drawing(KEY, EVERYBODY)).values()
    assert (sum(map(abs, corrections)), sum(map(abs, squares)), moved) == world.reaches()
    most = world.origin.sensitivity.l1
    without_the_half = sum(correction**2 // most for correction in corrections)
    assert without_the_half == 2 * most  # twice what is paid for
