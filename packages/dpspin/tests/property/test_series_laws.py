"""The laws of a series: over a whole life a user moves the periods by at most the allowance, whatever others do."""

import csv
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import Adjacency, UserUnit, bound_ticks
from dpspin.boundary.series import SeriesTerms
from dpspin.curator.aggregate.allowances import Allowances, take
from dpspin.curator.aggregate.local import read_into
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import UserTotals
from dpspin.curator.aggregate.user_sums import MemorySums
from dpspin.curator.records.columns import Columns, Dated
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation
from dpspin.series import Declared, _counted
from factories import WeightsMap

ATOMS = 3
MAP = WeightsMap(ATOMS, lambda text: [text.count("a") / 7, text.count("b") / 7, 0.0, max(0, 7 - len(text)) / 7])
CALENDAR = PeriodFacet(column="day", every="month", first="2026-01", last="2026-04")
KEY = Pseudonyms(bytes(range(32)))
DAYS = [f"2026-{month:02}-{day:02}" for month in range(1, 5) for day in (1, 15)] + [
    "2025-12-31",
    "2026-05-01",
    "soon",
    None,
]
record = st.tuples(st.sampled_from(["u1", "u2", "u3"]), st.text(alphabet="ab", max_size=7), st.sampled_from(DAYS))
lives = st.lists(record, max_size=30)
bounds = st.tuples(st.sampled_from([0.4, 1.0, 1.7, 3.3]), st.sampled_from([0.1, 0.3, 0.7, 1.0]))
lates = st.sampled_from(["refuse", "next"])


def terms_of(bound, late="refuse"):
    lifetime, part = bound
    return SeriesTerms(
        every=CALENDAR, epsilon=1.0, lifetime_bound=lifetime, per_period_bound=part * lifetime, late=late
    )


def counted(data, terms, carry=lambda left: left, added=CALENDAR.declared):
    """Count the added periods one after the other, as a series does: what each adds, and what was wanted."""
    origin = SketchOrigin("sha256:of nothing", ATOMS, MAP.statement, UserUnit(terms.lifetime_bound), Adjacency.ADD_DROP)
    allowances, told = Allowances.full(), []
    for period in added:
        sums = MemorySums()
        dated = Dated(CALENDAR, _counted(Declared(request={}, lives=(terms,)), period))
        read_into(UserTotals(origin, KEY, sums), open_corpus(data, Columns("body", "who", dated=dated)), MAP)
        taken = take(sums, origin.coordinates, allowances, terms)
        told.append(taken)
        allowances = carry(taken.left)
    return told


def table_of(rows):
    columns = zip(*rows, strict=True) if rows else [[]] * 3
    names = ("who", "body", "day")
    return pa.table({name: pa.array(list(cells), pa.string()) for name, cells in zip(names, columns, strict=True)})


def moved(data, without, terms, **how):
    """Return by how many ticks a user moves the masses of each period, and what was wanted in it."""
    pairs = zip(counted(data, terms, **how), counted(without, terms, **how), strict=True)
    return [(int(np.abs(a.ticks - b.ticks).sum()), abs(a.wanted - b.wanted)) for a, b in pairs]


@given(lives, bounds, lates)
def test_one_users_life_moves_all_periods_by_at_most_the_allowance(rows, bound, late):
    terms = terms_of(bound, late)
    for user in ("u1", "u2", "u3"):
        others = [row for row in rows if row[0] != user]
        by_period = moved(table_of(rows), table_of(others), terms)
        assert sum(masses for masses, _ in by_period) <= terms.lifetime_ticks
        assert all(masses <= terms.per_period_ticks for masses, _ in by_period)
        assert all(wanted <= terms.per_period_ticks for _, wanted in by_period)


@given(lives, bounds, lates)
def test_a_user_adds_the_same_whoever_else_is_there(rows, bound, late):
    terms = terms_of(bound, late)
    together = counted(table_of(rows), terms)
    alone = [counted(table_of([row for row in rows if row[0] == user]), terms) for user in ("u1", "u2", "u3")]
    for place, taken in enumerate(together):
        assert (taken.ticks == sum(each[place].ticks for each in alone)).all()
        assert taken.wanted == sum(each[place].wanted for each in alone)


@given(lives, bounds)
def test_what_is_used_is_what_was_added_and_nobody_is_counted_beyond_it(rows, bound):
    terms = terms_of(bound)
    told = counted(table_of(rows), terms)
    used = told[-1].left.used
    assert used.sum() == sum(int(taken.ticks.sum()) for taken in told)
    assert (used <= terms.lifetime_ticks).all()
    assert all(int(taken.ticks.sum()) <= taken.wanted for taken in told)


@given(lives, bounds)
def test_with_an_allowance_for_all_periods_nothing_fades(rows, bound):
    terms = SeriesTerms(every=CALENDAR, epsilon=1.0, lifetime_bound=4 * bound[0], per_period_bound=bound[0])
    heavy = defaultdict(int)
    for taken in counted(table_of(rows), terms):
        heavy["lost"] += taken.wanted - int(taken.ticks.sum())
    assert heavy["lost"] <= 4 * 3 * ATOMS + 12  # floors alone: less than a tick for each cell of a user in a period


@given(lives, bounds, st.sets(st.sampled_from(CALENDAR.declared)))
def test_it_holds_too_where_periods_are_skipped_and_late_records_count_in_the_next(rows, bound, skipped):
    terms = terms_of(bound, "next")
    added = [name for name in CALENDAR.declared if name not in skipped]
    others = [row for row in rows if row[0] != "u1"]
    by_period = moved(table_of(rows), table_of(others), terms, added=added)
    assert sum(masses for masses, _ in by_period) <= terms.lifetime_ticks


def test_from_files_the_allowance_is_reached_and_forgetting_it_would_be_found():
    rows = [("u1", "a" * 7, f"2026-{month:02}-10") for month in range(1, 5)] * 3
    others = [("u2", "b" * 7, f"2026-{month:02}-11") for month in range(1, 5)]
    terms = terms_of((1.7, 0.7))
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("with.csv", "without.csv")]
        for file, held in zip(files, ([*others, *rows], others), strict=True):
            with file.open("w", newline="") as opened:
                csv.writer(opened).writerows([("who", "body", "day"), *held])
        exact = sum(masses for masses, _ in moved(*map(str, files), terms))
        forgotten = sum(masses for masses, _ in moved(*map(str, files), terms, carry=lambda _: Allowances.full()))
    assert exact == terms.lifetime_ticks == bound_ticks(UserUnit(1.7))
    assert forgotten > 2 * terms.lifetime_ticks


@given(
    st.dictionaries(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1)), st.integers(1, 2**40)
    )
)
def test_allowances_are_read_back_as_they_were_written(held):
    users = np.array([*held], np.int64).reshape(-1, 2)
    state = Allowances.full().plus(users, np.array([*held.values()], np.int64))
    again = Allowances.from_bytes(state.to_bytes())
    assert again.to_bytes() == state.to_bytes()
    assert again.used_by(users).tolist() == [*held.values()]
    assert again.used_by(np.array([[3, 4]])).tolist() == [held.get((3, 4), 0)]
    assert again.plus(users, np.ones(len(users), np.int64)).used_by(users).tolist() == [
        each + 1 for each in held.values()
    ]


def test_allowances_that_name_a_user_twice_or_for_nothing_are_none():
    for users, used in (([[1, 2], [1, 2]], [1, 1]), ([[2, 0], [1, 0]], [1, 1]), ([[1, 0]], [0]), ([[1, 0]], [1, 1])):
        with pytest.raises(BoundViolation):
            Allowances(np.array(users), np.array(used))
