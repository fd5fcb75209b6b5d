"""A map that answers “none of these” is counted, stored and refused like any other."""

from dataclasses import replace

import pyarrow as pa
import pytest

from dpspin.boundary.privacy import Adjacency, MissingUsers, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.aggregate.sketch_file import read_header, read_sketch
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import BoundViolation, RequestError
from factories import WeightsMap

MAP = WeightsMap(
    2, lambda text: [text.count("a") / 4, text.count("b") / 4, max(0, 1 - (text.count("a") + text.count("b")) / 4)]
)
RECORDS = SketchOrigin("sha256:two", 2, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
USERS = replace(RECORDS, unit=UserUnit(1.5, MissingUsers.OWN_UNIT))
TABLE = pa.table({"who": ["u", "u", "v", None, "w"], "body": ["aa", "", "zz", "b", None]})
KEY = Pseudonyms(bytes(range(32)))


def corpus_of(origin, table=TABLE):
    columns = Columns("body", "who" if isinstance(origin.unit, UserUnit) else None)
    return open_corpus(table, columns, RowPolicy(missing_users=MissingUsers.OWN_UNIT))


def test_none_is_no_atom_to_the_diagnostics_and_an_unreadable_record_gives_nothing():
    sketch, seen = aggregate(corpus_of(RECORDS), MAP, RECORDS)
    assert (sketch.ticks / 2**30).tolist() == [0.5, 0.25, 0.5 + 1 + 1 + 0.75]
    assert (seen.records, seen.without_text, seen.without_atom) == (5, 1, 3)


def test_a_user_is_clipped_over_atoms_and_none_together():
    sketch, _ = aggregate(corpus_of(USERS), MAP, USERS)
    assert (sketch.ticks / 2**30).tolist() == [0.375, 0.25, 1.125 + 1 + 0.75]  # u: 0.5 and 1.5, scaled to 1.5


def test_a_map_that_does_not_keep_to_its_statement_is_refused():
    class Silent:
        statement = MAP.statement.model_copy(update={"answers_none": False})
        __call__ = MAP.__call__

    class Talking:
        statement = MAP.statement

        def __call__(self, texts):
            return WeightsMap(1, lambda _text: [0.5, 0.5])(texts)

    for broken in (Silent(), Talking()):
        with pytest.raises(BoundViolation, match="one coordinate per atom"):
            aggregate(corpus_of(RECORDS), broken, replace(RECORDS, contribution_map=broken.statement))
    with pytest.raises(BoundViolation, match="one nonnegative coordinate"):
        Sketch([1, 2], RECORDS)


@pytest.mark.parametrize("origin", [RECORDS, USERS], ids=["record", "user"])
def test_sketch_files_keep_none_and_give_the_sketch_of_the_whole(tmp_path, origin):
    files = [tmp_path / "a.sketch", tmp_path / "b.sketch"]
    for file, part in zip(files, (TABLE.slice(0, 2), TABLE.slice(2)), strict=True):
        sketch_shard(file, Records(corpus_of(origin, part), MAP, origin), pseudonyms=KEY)
    merged, seen = open_shards(files).measure()
    whole, counts = aggregate(corpus_of(origin), MAP, origin)
    assert merged.ticks.tolist() == whole.ticks.tolist()
    assert (seen, merged.origin) == (counts, origin)
    assert read_header(files[0]).origin.coordinates == 3
    with read_sketch(files[1]) as saved:
        assert len(saved.settled) == 3


def test_a_shard_that_answers_none_does_not_merge_with_one_that_does_not(tmp_path):
    silent = WeightsMap(1, lambda _text: [0.5, 0.5])  # two coordinates in all
    silent.statement = MAP.statement.model_copy(update={"answers_none": False})
    origins = RECORDS, replace(RECORDS, contribution_map=silent.statement)
    files = [tmp_path / "a.sketch", tmp_path / "b.sketch"]
    for file, origin, each, part in zip(
        files, origins, (MAP, silent), (TABLE.slice(0, 2), TABLE.slice(2)), strict=True
    ):
        sketch_shard(file, Records(corpus_of(origin, part), each, origin), pseudonyms=KEY)
    with pytest.raises(RequestError, match="map"):
        open_shards(files)
