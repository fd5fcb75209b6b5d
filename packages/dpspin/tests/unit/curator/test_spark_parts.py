"""What Spark's tasks tell, and what is refused before Spark is asked: all of it without Spark."""

import pickle
import traceback
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.curator.aggregate import spark_tasks, storage
from dpspin.curator.aggregate.likeness import SampleInParts, likeness_of
from dpspin.curator.aggregate.local import Diagnostics
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.spark_parts import PART, Tally, TaskFailed, part_in, sealed, told_in
from dpspin.curator.aggregate.spark_tasks import AtWork, ClipAndSum, DrawSample, MapAndSum, MergeParts, Packed, Rules
from dpspin.errors import InputError, MissingExtra, RecordsRefused, RequestError, SourceError
from dpspin.pipeline import release
from dpspin.request import UNNAMED, ReleaseRequest
from spark_corpora import ASKED, CANDIDATES, Case, numbers_of, part_of, source_of

CANARY = "zqxvcanary"


class FrameOfSpark:
    """What a table that Spark holds looks like before Spark is asked anything."""

    __module__ = "pyspark.sql.classic.dataframe"
    columns = ("who", "body", "channel")

    def mapInArrow(self, *_args):  # noqa: N802  Spark's name
        raise AssertionError("Spark was asked")


class FrameOfConnect(FrameOfSpark):
    __module__ = "pyspark.sql.connect.dataframe"


AUXILIARY = {"source": pa.table({"body": ["a late parcel", "an app crash"] * 20}), "text": "body"}
REFUSED = {
    "no state is named": ({"snapshot": ""}, "account.snapshot"),
    "no dataset is named": ({"dataset": None}, "account.dataset"),
    "a random sample": ({"sampling": {"kind": "poisson", "rate": 0.5}}, "records.sampling"),
    "a text to be compared": ({"auxiliary": AUXILIARY}, "records.auxiliary_is_public"),
    "a sample that was read": ({"reading": "folder"}, "reading.folder"),
    "a dialect": ({"dialect": {"encoding": "utf-8"}}, "encoding"),
}


def released(tmp_path, frame=None, **changes):
    fields = {**ASKED, "map": "paper", "unit": "record", "ledger": str(tmp_path / "ledger.db")}
    return release(frame or FrameOfSpark(), **{**fields, **changes})


@pytest.mark.parametrize("case", REFUSED)
def test_what_spark_would_not_measure_as_we_do_is_refused_before_the_charge(tmp_path, case):
    changes, words = REFUSED[case]
    with pytest.raises(RequestError, match=words):
        released(tmp_path, **changes)
    assert not (tmp_path / "ledger.db").exists()


def test_a_table_of_spark_connect_is_refused(tmp_path):
    with pytest.raises(RequestError, match="Connect"):
        released(tmp_path, FrameOfConnect())


def test_a_map_that_was_not_fitted_here_is_refused(tmp_path):
    with pytest.raises(RequestError, match="only a map that was fitted here"):
        released(tmp_path, map={"kind": "llm", "url": "http://127.0.0.1:9/v1", "model": "m"})


def test_a_column_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(SourceError, match="no column 'text'"):
        released(tmp_path, text="text")


def test_whatever_reads_records_here_refuses_those_of_spark(tmp_path):
    from dpspin.sampling import sample

    asked = {name: told for name, told in ASKED.items() if name != "epsilon"}
    asked |= {"map": "paper", "unit": "record", "ledger": str(tmp_path / "ledger.db")}
    with pytest.raises(RequestError, match="Spark holds these records"):
        sample(FrameOfSpark(), read=10, out=tmp_path / "sample", **asked)


def test_a_table_of_spark_has_no_place_that_could_name_its_dataset():
    assert ReleaseRequest.of(FrameOfSpark(), **{**ASKED, "dataset": None, "unit": "record"}).dataset == UNNAMED


class Sent:
    """A broadcast: what travels in a task's code is its number; the worker finds the value, and that is counted."""

    values, taken = [], 0

    def __init__(self, value):
        self.number = len(self.values)
        self.values.append(value)

    @property
    def value(self):
        Sent.taken += 1
        return self.values[self.number]


def code_of(records):
    """Write the tasks of a release of these records as they travel."""
    rules, packed = Rules(records.columns, records.policy), packed_of(records)
    tasks = (
        MapAndSum(rules, records.origin.unit, AtWork(packed.name, Sent(packed)), Pseudonyms(bytes(32))),
        ClipAndSum(records.origin),
        MergeParts(records.origin),
        DrawSample(rules, bytes(16)),
    )
    return [pickle.dumps(task) for task in tasks]


def tasks_of(records):
    """Return the tasks of a release of these records, after a journey."""
    return [pickle.loads(code) for code in code_of(records)]


def packed_of(records):
    return Packed.of(records.contribution_map, records.finders, records.origin)


def exchanged(batches, parts):
    """Bring the rows of one pseudonym together, as Spark does."""
    whole = pa.Table.from_batches(batches)
    high, low = (whole.column(name).to_pylist() for name in ("high", "low"))
    place = [(one ^ other) % parts for one, other in zip(high, low, strict=True)]
    return [whole.filter(pa.array([each == part for each in place], pa.bool_())).to_batches(7) for part in range(parts)]


@pytest.fixture
def no_worker_yet(monkeypatch):
    monkeypatch.setattr(spark_tasks, "_AT_WORK", {})
    monkeypatch.setattr(spark_tasks, "_partition", lambda: 5)


@pytest.mark.usefixtures("no_worker_yet")
@pytest.mark.parametrize("chunk", [50, 10_000])
@pytest.mark.parametrize("seed", [0, 2, 3, 4, 7, 13, 16])
def test_the_tasks_one_after_another_make_the_sketch_of_the_local_engine(monkeypatch, seed, chunk):
    monkeypatch.setattr(spark_tasks, "CHUNK", chunk)
    table, fields = Case(seed).table(), Case(seed).fields()
    records = source_of(table, fields)
    map_and_sum, clip_and_sum, merge, _ = tasks_of(records)
    parts = [part_of(table, part, Case(seed).parts).combine_chunks() for part in range(Case(seed).parts)]
    told = [row for part in parts for row in map_and_sum(iter(part.to_batches(20)))]
    if told and "high" in told[0].schema.names:
        told = [row for part in exchanged(told, 2) for row in clip_and_sum(part)]
    [whole] = [Tally.from_bytes(part) for row in merge(told) for part in told_in(row)]
    assert numbers_of((whole.sketch(records.origin), whole.seen)) == numbers_of(records.measure())


@pytest.mark.usefixtures("no_worker_yet")
def test_a_worker_loads_the_map_once_for_all_of_its_tasks():
    records = source_of(Case(3).table(), Case(3).fields())
    code, _, _, _ = code_of(records)
    before = Sent.taken
    for _ in range(3):
        list(pickle.loads(code)(iter(Case(3).table().to_batches())))
    assert Sent.taken == before + 1


@pytest.mark.usefixtures("no_worker_yet")
@pytest.mark.parametrize(
    "other", [{"adjacency": "replace"}, {"views": ["channel=app,fax"]}, {"quantity": "prevalence"}]
)
def test_a_worker_that_served_another_request_with_the_same_map_measures_this_one(other):
    table, asked = Case(4).table(), {**ASKED, "map": "paper", "unit": "record"}
    one, another = source_of(table, asked), source_of(table, {**asked, **other})
    assert one.contribution_map.statement == another.contribution_map.statement
    for records in (one, another, one):
        map_and_sum, _, merge, _ = tasks_of(records)
        [whole] = [
            Tally.from_bytes(part) for row in merge(map_and_sum(iter(table.to_batches()))) for part in told_in(row)
        ]
        assert numbers_of((whole.sketch(records.origin), whole.seen)) == numbers_of(records.measure())


def test_code_that_carries_a_key_is_small_whatever_is_asked():
    """Spark writes large code to a file, and the pseudonyms' key would lie beside the exchange that it opens."""
    asked = {**ASKED, "atoms": "support-tickets", "unit": "user", "user": "who", "candidates": CANDIDATES}
    many = ",".join(f"value {number}" for number in range(200))
    records = source_of(Case(3).table(), {**asked, "views": [f"channel={many}"]})
    with_key, clips, _, with_ledger_key = map(len, code_of(records))
    assert max(with_key, with_ledger_key) < 2_000
    assert 10_000 < clips < len(packed_of(records).map_file)


@pytest.mark.usefixtures("no_worker_yet")
@pytest.mark.parametrize("place", range(4))
def test_a_worker_of_another_version_refuses_whatever_it_is_to_do(place):
    task = replace(tasks_of(source_of(Case(3).table(), Case(3).fields()))[place], software="dpspin 0.0.0")
    with pytest.raises(RequestError, match="same version"):
        [part for row in task(iter(())) for part in told_in(row)]


@pytest.mark.usefixtures("no_worker_yet")
def test_a_worker_that_cannot_spill_refuses_and_holds_nothing(monkeypatch):
    _, clip_and_sum, *_ = tasks_of(source_of(Case(3).table(), Case(3).fields()))
    monkeypatch.setattr(storage, "find_spec", lambda module: None if module == "duckdb" else module)
    with pytest.raises(InputError, match=r"on every executor.*dpspin\[spark\]"):
        [part for row in clip_and_sum(iter(())) for part in told_in(row)]


def test_samples_of_parts_are_the_sample_of_the_whole():
    table = Case(3).table()
    _, _, _, draw = tasks_of(records := source_of(table, Case(3).fields()))
    parts = [draw(iter(table.slice(start, 37).to_batches())) for start in range(0, table.num_rows, 37)]
    whole = SampleInParts()
    for told in (told for part in parts for row in part for told in told_in(row)):
        whole.merge(SampleInParts.from_bytes(told))
    assert whole.likeness().to_bytes() == records.likeness(bytes(16)).to_bytes()


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_samples_that_are_full_merge_as_if_drawn_at_once(parts):
    texts = [f"a text of many {number % 6000}" for number in range(9000)]
    batches = [pa.RecordBatch.from_pydict({"text": texts[part::parts]}) for part in range(parts)]
    whole = SampleInParts()
    for batch in batches:
        part = SampleInParts()
        part.add(batch, bytes(16))
        whole.merge(SampleInParts.from_bytes(part.to_bytes()))
    assert whole.likeness().to_bytes() == likeness_of(batches, bytes(16)).to_bytes()


def test_a_refusal_comes_out_as_it_went_in():
    def refuse(_batches):
        raise RecordsRefused("some rows", code="records-refused.some", field="records.user")
        yield

    [row] = sealed(refuse, [])
    [again] = sealed(lambda batches: (part for batch in batches for part in told_in(batch)), [row])
    assert again == row
    with pytest.raises(RecordsRefused, match="some rows") as raised:
        list(told_in(row))
    assert (raised.value.code, raised.value.field) == ("records-refused.some", "records.user")


def test_a_refusal_that_is_made_in_another_way_keeps_its_words():
    def refuse(_batches):
        raise MissingExtra("this", "fast")
        yield

    [row] = sealed(refuse, [])
    with pytest.raises(InputError, match=r"dpspin\[fast\]"):
        list(told_in(row))


@pytest.mark.parametrize("kind", [ValueError, MemoryError, BaseException])
def test_any_other_error_is_left_behind_with_its_message(kind):
    def fail(_batches):
        raise kind(CANARY)
        yield

    with pytest.raises(TaskFailed) as failed:
        list(sealed(fail, []))
    assert CANARY not in "".join(traceback.format_exception(failed.value))
    assert kind.__name__ in str(failed.value)


def test_more_records_than_a_sketch_can_hold_are_refused():
    half = Tally(np.zeros(3, np.int64), 0, Diagnostics(records=2**31 + 1))
    with pytest.raises(RequestError, match="too large"):
        Tally.from_bytes(half.to_bytes()).merge(half)
    assert part_in(PART + b"x") == b"x"
