"""Every engine gives the same sketch, bit for bit, as the definition computed with Python's integers."""

import hashlib
from collections import defaultdict
from itertools import count

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from dpspin.boundary.privacy import Adjacency, MissingUsers, RecordUnit, UserUnit, bound_ticks
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import merge_sketch_files, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.storage import InMemory, Spilling
from dpspin.curator.assign.contribution import top_k
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from factories import WeightsMap
from spark_corpora import Case, numbers_of, sketched, source_of

ATOMS = 7
KEY = Pseudonyms(bytes(range(32)))


class LetterMap:
    """Awkward weights (sevenths, elevenths …) from the letters of a text; an empty text gives nothing."""

    statement = MapStatement(name="letters", fitted_on="nothing", atoms_per_record=3, digest="sha256:letters")

    def __call__(self, texts):
        scores = [[(text or "").count(letter) for letter in "abcdefg"] for text in texts.to_pylist()]
        return top_k(csr_array(np.array(scores, np.int64).reshape(len(scores), ATOMS)), 3)


def letters_and_none(text):
    """Thirds and sevenths for the letters; what is left of mass one belongs to none."""
    shares = [min(text.count(letter), 2) / 21 for letter in "abcdefg"]
    return [*shares, 1 - sum(shares)]


MAP = LetterMap()
NONE_MAP = WeightsMap(ATOMS, letters_and_none, name="letters and none")


def text_of(number):
    return "" if number % 11 == 5 else f"{number} " + "abcdefg"[number % 7] * (1 + number % 5) + "gfedcba"[: number % 6]


def who_plain(number):
    return f"user{number * 7 % 40}"


def who_hot(number):
    return "hot" if number % 5 < 3 else f"user{number % 60}"


def who_sometimes_nobody(number):
    return None if number % 4 == 1 else f"user{number % 13}"


CORPORA = {
    "many users": [(who_plain(number), text_of(number)) for number in range(240)],
    "one user has 60 % of the rows": [(who_hot(number), text_of(number)) for number in range(240)],
    "rows without a user": [(who_sometimes_nobody(number), text_of(number)) for number in range(240)],
    "nobody has an id": [(None, text_of(number)) for number in range(50)],
    "one row": [("user1", "aab")],
    "nothing": [],
}
ORDERS = {
    "in order": lambda rows: rows,
    "backwards": lambda rows: rows[::-1],
    "mixed": lambda rows: sorted(rows, key=lambda row: hashlib.blake2b(row[1].encode()).digest()),
}
UNITS = {
    "record": RecordUnit(),
    "user B=0.5": UserUnit(0.5, MissingUsers.OWN_UNIT),
    "user B=1": UserUnit(1.0, MissingUsers.OWN_UNIT),
    "user B=2.5": UserUnit(2.5, MissingUsers.OWN_UNIT),
}


def origin_of(unit, contribution_map):
    return SketchOrigin("sha256:letters", ATOMS, contribution_map.statement, unit, Adjacency.ADD_DROP)


def table_of(rows):
    who, body = ([row[place] for row in rows] for place in (0, 1))
    return pa.table({"who": pa.array(who, pa.string()), "body": pa.array(body, pa.string())})


def corpus_of(rows, unit, batch_rows):
    chunks = [table_of(rows[start : start + batch_rows]) for start in range(0, len(rows), batch_rows)]
    columns = Columns("body", None if isinstance(unit, RecordUnit) else "who")
    whole = pa.concat_tables([table_of([]), *chunks, table_of([])])
    return open_corpus(whole, columns, RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def stored(storage_in):
    def engine(rows, unit, batch_rows, folder, each=MAP):
        return aggregate(corpus_of(rows, unit, batch_rows), each, origin_of(unit, each), storage_in(folder))[0]

    return engine


def in_shards(shards, storage_in):
    """Deal rows to shards in turn, so that users are in several of them and some shards are empty."""

    def engine(rows, unit, batch_rows, folder, each=MAP):
        files = [folder / f"{shard}.sketch" for shard in range(shards)]
        for shard, file in enumerate(files):
            records = Records(corpus_of(rows[shard::shards], unit, batch_rows), each, origin_of(unit, each))
            sketch_shard(file, records, pseudonyms=KEY, storage=storage_in(folder))
        return merge_sketch_files(files[::-1], storage_in(folder))

    return engine


def tiny(folder):
    return Spilling(rows=5, memory_mib=64, folder=folder)


ENGINES = {
    "in memory": stored(lambda _folder: InMemory()),
    "as it comes": stored(lambda _folder: None),
    "spilling": stored(tiny),
    "1 sketch file": in_shards(1, lambda _folder: InMemory()),
    "3 sketch files": in_shards(3, lambda _folder: InMemory()),
    "8 sketch files": in_shards(8, lambda _folder: InMemory()),
    "3 sketch files, spilling": in_shards(3, tiny),
}


def by_definition(rows, unit, contribution_map=MAP):
    """C = Σ_u floor(U_uj·B·G / ‖U_u‖₁) where a user is over the bound, in Python's integers, row by row."""
    coordinates = origin_of(unit, contribution_map).coordinates
    total, alone = defaultdict(lambda: [0] * coordinates), count()
    for who, body in rows:
        mapped = contribution_map(pa.array([body], pa.string()))
        own = isinstance(unit, RecordUnit) or who is None
        unit_total = total[next(alone) if own else who]
        for atom, ticks in zip(mapped.atoms.tolist(), mapped.ticks.tolist(), strict=True):
            unit_total[atom] += ticks
    cap = bound_ticks(unit)
    clipped = [[ticks if sum(each) <= cap else ticks * cap // sum(each) for ticks in each] for each in total.values()]
    return np.array([sum(column) for column in zip(*clipped, strict=True)] or [0] * coordinates, np.int64)


def units_by_definition(rows, unit):
    """Every record at record level; every user, and every record without one, at user level."""
    if isinstance(unit, RecordUnit):
        return len(rows)
    return len({who for who, _ in rows if who is not None}) + sum(who is None for who, _ in rows)


def sha256(ticks):
    return hashlib.sha256(ticks.tobytes()).hexdigest()


EXPECTED = {
    (corpus, unit): sha256(by_definition(rows, UNITS[unit])) for corpus, rows in CORPORA.items() for unit in UNITS
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_computes_the_definition(tmp_path, engine, corpus, unit):
    sketch = ENGINES[engine](CORPORA[corpus], UNITS[unit], 16, tmp_path)
    assert sha256(sketch.ticks) == EXPECTED[corpus, unit]
    assert sketch.units == units_by_definition(CORPORA[corpus], UNITS[unit])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("corpus", ["one user has 60 % of the rows", "rows without a user", "nothing"])
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_computes_the_definition_of_a_map_that_answers_none(tmp_path, engine, corpus, unit):
    sketch = ENGINES[engine](CORPORA[corpus], UNITS[unit], 16, tmp_path, NONE_MAP)
    assert sha256(sketch.ticks) == sha256(by_definition(CORPORA[corpus], UNITS[unit], NONE_MAP))
    assert len(sketch.ticks) == ATOMS + 1
    assert bool(sketch.ticks[-1]) == bool(CORPORA[corpus])


@pytest.mark.parametrize("batch_rows", [1, 7, 1000])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_batch_size_and_order_change_nothing(tmp_path, engine, order, batch_rows):
    corpus, unit = "one user has 60 % of the rows", "user B=2.5"
    sketch = ENGINES[engine](ORDERS[order](CORPORA[corpus]), UNITS[unit], batch_rows, tmp_path)
    assert sha256(sketch.ticks) == EXPECTED[corpus, unit]


@pytest.mark.parametrize("seed", [seed for seed in range(14) if Case(seed).kinds()["shards"]])
def test_sketch_files_of_generated_corpora_come_to_what_one_run_measures(tmp_path, seed):
    """With both quantities, fitted maps and views; Spark's suite has more of them."""
    table = Case(seed).table()
    here = source_of(table, Case(seed).fields())
    assert numbers_of(sketched(here, table, tmp_path, Case(seed).shards).measure()) == numbers_of(here.measure())


def test_the_cases_are_different_so_that_equality_means_something():
    hashes = [EXPECTED[corpus, unit] for corpus in list(CORPORA)[:3] for unit in UNITS]
    assert len(set(hashes)) == len(hashes) - 2  # at record level users play no part: three corpora, one sketch
