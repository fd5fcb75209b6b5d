"""Per-user totals on disk: exact for any integers, named after nobody, gone when the run is over."""

import os
import signal
import stat
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.privacy import Adjacency, UserUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.joint_cells import Marginal
from dpspin.curator.aggregate.local import aggregate
from dpspin.curator.aggregate.pseudonyms import THIS_RUN
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.storage import (
    PREFIX,
    InMemory,
    SpillFolder,
    Spilling,
    SpillingSums,
    purge_dead,
    user_sums,
)
from dpspin.curator.aggregate.totals import UserTotals
from dpspin.curator.aggregate.user_sums import CLIPPED_AT_ONCE, ROWS, MemorySums
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation, MissingExtra, RequestError

ORIGIN = SketchOrigin(
    "sha256:two",
    2,
    MapStatement(name="first letter", fitted_on="nothing", atoms_per_record=1, digest="sha256:first"),
    UserUnit(1.0),
    Adjacency.ADD_DROP,
)
NAME = "customer-with-a-telling-name"


def first_letter(texts):
    atoms = np.array([text.startswith("b") for text in texts.to_pylist()], np.int64)
    offsets = np.arange(len(atoms) + 1, dtype=np.int64)
    return Contributions.from_weights(offsets, atoms, np.ones(len(atoms)), universe_size=2, atoms_per_record=1)


def corpus_of(users):
    table = pa.table({"who": users, "body": ["a" if number % 3 else "b" for number in range(len(users))]})
    return open_corpus(table, Columns("body", "who"))


def rows_of(entries):
    high, low, atom, ticks = zip(*entries, strict=True) if entries else ([], [], [], [])
    return pa.RecordBatch.from_arrays(
        [pa.array(each, field.type) for each, field in zip((high, low, atom, ticks), ROWS, strict=True)], schema=ROWS
    )


def spill_folders(folder):
    return list(Path(folder).glob(f"{PREFIX}*"))


def files_in(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


entries = st.lists(
    st.tuples(
        st.sampled_from([-(2**63), -1, 0, 2**63 - 1]), st.integers(0, 2), st.integers(0, 3), st.integers(0, 2**56)
    ),
    max_size=30,
)


@settings(max_examples=40, deadline=None)
@given(entries, st.sampled_from([1, 2**29, 2**30 + 1, 2**50]))
def test_clipping_is_exact_for_any_totals_and_bounds(tmp_path_factory, rows, cap):
    expected, users = [0] * 4, {}
    for high, low, atom, ticks in rows:
        users.setdefault((high, low), [0] * 4)[atom] += ticks
    for each in users.values():
        for atom, ticks in enumerate(each):
            expected[atom] += ticks if sum(each) <= cap else ticks * cap // sum(each)
    spilling = Spilling(rows=2, memory_mib=64, folder=tmp_path_factory.getbasetemp())
    for sums in (MemorySums(compact_at=3), SpillingSums(spilling)):
        with closing(sums):
            for row in rows:
                sums.add(rows_of([row]))
            assert sums.clipped(cap, Marginal(4)).tolist() == expected
            assert sums.clipped(cap, Marginal(4)).tolist() == expected  # asking does not change anything


def test_more_users_than_are_clipped_at_once_are_all_clipped():
    users = np.repeat(np.arange(CLIPPED_AT_ONCE), 2)
    atoms, ticks = np.tile([0, 1], CLIPPED_AT_ONCE).astype(np.int32), np.tile([4, 2], CLIPPED_AT_ONCE)
    sums = MemorySums()
    sums.add(pa.RecordBatch.from_arrays([pa.array(each) for each in (users, users, atoms, ticks)], schema=ROWS))
    assert sums.clipped(3, Marginal(2)).tolist() == [2 * CLIPPED_AT_ONCE, CLIPPED_AT_ONCE]


@pytest.mark.parametrize("spilled", [False, True])
def test_totals_can_be_read_unclipped_and_added_to_afterwards(tmp_path, spilled):
    with closing(SpillingSums(Spilling(rows=1 if spilled else 100, memory_mib=64, folder=tmp_path))) as sums:
        sums.add(rows_of([(1, 1, 0, 5), (1, 1, 0, 6), (2, 1, 0, 7)]))
        assert bool(spill_folders(tmp_path)) == spilled
        assert sorted(row["ticks"] for batch in sums.batches() for row in batch.to_pylist()) == [7, 11]
        sums.add(rows_of([(2, 1, 0, 3)]))
        assert sorted(row["ticks"] for batch in sums.batches() for row in batch.to_pylist()) == [10, 11]


def test_a_hot_user_stays_in_memory(tmp_path):
    with closing(SpillingSums(Spilling(rows=100, memory_mib=64, folder=tmp_path))) as sums:
        for _ in range(50):
            sums.add(rows_of([(1, 1, 0, 5)] * 40))
        assert not spill_folders(tmp_path)
        assert sums.clipped(2**50, Marginal(1)).tolist() == [50 * 40 * 5]


def spill_a_lot(folder):
    """Push so much through so little memory that the database must use its folder."""
    everybody_over_the_bound = replace(ORIGIN, unit=UserUnit(0.5))
    storage = Spilling(rows=20_000, memory_mib=32, folder=folder)
    totals = UserTotals(everybody_over_the_bound, THIS_RUN, SpillingSums(storage))
    for start in range(0, 600_000, 20_000):
        users = pa.array([f"{NAME}-{number:09d}" for number in range(start, start + 20_000)])
        totals.add(first_letter(pa.array(["a"] * 20_000)), users)
    return totals


def test_no_user_id_is_readable_in_a_spill_and_only_the_owner_can_look(tmp_path):
    before = os.umask(0o022)
    try:
        totals = spill_a_lot(tmp_path)
        sketch = totals.finish()
        assert os.umask(0o022) == 0o022  # the rest of the program keeps its own
    finally:
        os.umask(before)
    (folder,) = spill_folders(tmp_path)
    spilled = [path for path in files_in(folder) if path.stat().st_size]
    assert spilled
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in files_in(folder)} == {0o600}
    assert not [path for path in spilled if NAME.encode() in path.read_bytes()]
    assert sketch.ticks.tolist() == [600_000 * 2**29, 0]
    totals.sums.close()
    assert not files_in(tmp_path)


def test_the_search_would_find_ids_if_they_were_spilled(tmp_path):
    settings_ = {"memory_limit": "32MiB", "temp_directory": str(tmp_path), "threads": 2}
    with closing(duckdb.connect(":memory:", config=settings_)) as database:
        database.execute(f"CREATE TABLE t AS SELECT '{NAME}-' || i::VARCHAR AS who, i FROM range(1000000) r(i)")
        assert [path for path in files_in(tmp_path) if NAME.encode() in path.read_bytes()]


def test_the_database_may_not_fetch_extensions(tmp_path):
    with closing(SpillingSums(Spilling(rows=1, memory_mib=64, folder=tmp_path))) as sums:
        sums.add(rows_of([(1, 1, 0, 5), (2, 1, 0, 5)]))
        fetch = "SELECT name, value FROM duckdb_settings() WHERE name LIKE 'auto%known_extensions'"
        assert dict(sums._database._connection.execute(fetch).fetchall()) == {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        }
        with pytest.raises(duckdb.InvalidInputException, match="locked"):
            sums._database._connection.execute("SET autoload_known_extensions = true")


def test_the_spill_is_gone_after_a_run_and_after_a_failed_one(tmp_path):
    storage = Spilling(rows=3, memory_mib=64, folder=tmp_path)
    corpus = corpus_of([f"user{number % 50}" for number in range(200)])
    spilled, _ = aggregate(corpus, first_letter_map(first_letter), ORIGIN, storage)
    assert (
        spilled.ticks.tolist()
        == aggregate(corpus, first_letter_map(first_letter), ORIGIN, InMemory())[0].ticks.tolist()
    )
    assert not list(tmp_path.iterdir())
    with pytest.raises(BoundViolation):
        aggregate(corpus, first_letter_map(breaks_at_the_end()), ORIGIN, storage)
    assert not list(tmp_path.iterdir())


def first_letter_map(call):
    class Map:
        statement = ORIGIN.contribution_map

        def __call__(self, texts):
            return call(texts)

    return Map()


def breaks_at_the_end():
    return lambda texts: first_letter(texts.slice(0, len(texts) - 1))


KILLED = """
import sys
from pathlib import Path
import pyarrow as pa
from dpspin.curator.aggregate.storage import Spilling, SpillingSums
from dpspin.curator.aggregate.user_sums import ROWS
sums = SpillingSums(Spilling(rows=1, memory_mib=64, folder=Path(sys.argv[1])))
sums.add(pa.RecordBatch.from_pylist([{"high": 1, "low": i, "atom": 0, "ticks": 1} for i in range(9)], schema=ROWS))
print("spilled", flush=True)
sys.stdin.read()
"""


def test_the_spill_of_a_killed_run_is_removed_by_the_next_and_that_of_a_living_one_is_not(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "spilled\n"
        SpillingSums(Spilling(folder=tmp_path)).close()
        assert len(spill_folders(tmp_path)) == 1
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert len(spill_folders(tmp_path)) == 1
    SpillingSums(Spilling(folder=tmp_path)).close()
    assert not spill_folders(tmp_path)


def test_purging_removes_nothing_but_dead_spills(tmp_path):
    precious = tmp_path / "elsewhere"
    precious.mkdir()
    (precious / "file").touch()
    (tmp_path / f"{PREFIX}link").symlink_to(precious)
    (tmp_path / f"{PREFIX}file").touch()
    living = SpillFolder(tmp_path)
    purge_dead(tmp_path)
    assert (precious / "file").exists()
    assert living.path.is_dir()
    living.close()
    assert not living.path.exists()


def test_a_forgotten_folder_goes_with_its_object(tmp_path):
    folder = SpillFolder(tmp_path)
    path = folder.path
    del folder
    assert not path.exists()


def test_too_little_memory_is_a_clean_refusal(tmp_path):
    def too_much():
        with closing(SpillingSums(Spilling(rows=20_000, memory_mib=4, folder=tmp_path))) as sums:
            for start in range(0, 400_000, 20_000):
                sums.add(rows_of([(start, number, 0, 1) for number in range(20_000)]))
            sums.clipped(1, Marginal(1))

    with pytest.raises(RequestError, match="too small"):
        too_much()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path):
    with closing(SpillingSums(Spilling(rows=1, folder=tmp_path / "missing"))) as sums:
        with pytest.raises(Exception, match="TMPDIR") as caught:
            sums.add(rows_of([(1, 1, 0, 5), (2, 1, 0, 5)]))
        assert caught.value.exit_code == 2


def test_without_duckdb_totals_stay_in_memory_unless_spilling_was_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert isinstance(user_sums(None), MemorySums)
    with pytest.raises(MissingExtra, match=r"dpspin\[fast\]"):
        user_sums(Spilling())


def test_nonsense_limits_are_refused():
    for nonsense in ({"rows": 0}, {"memory_mib": 0}):
        with pytest.raises(RequestError):
            Spilling(**nonsense)
