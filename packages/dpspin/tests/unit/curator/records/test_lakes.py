"""Delta and Iceberg tables: always in one state that is named, with their own files, and without rows that are gone."""

import json
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, write_deltalake
from pyiceberg import catalog as catalogs
from pyiceberg.table import DataScan, FileScanTask
from pyiceberg.utils.config import Config

import dpspin as package
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.places import LakeTable, dataset_at, place_of
from dpspin.errors import InputError
from source_tables import arrow_table, catalog_in, delta, iceberg, in_s3
from spark_corpora import ATOMS

NAMES = ("body", "who")
ROWS = [("my parcel is late", "ann"), ("rude staff", "bob")]
ASKED = {"atoms": ATOMS, "text": "body", "unit": "record", "epsilon": 1, "denominator": 10, "map": "paper"}


def texts(source, columns=None):
    batches = open_corpus(source, columns or Columns("body")).batches()
    return sorted(row for batch in batches for row in zip(*batch.to_pydict().values(), strict=True))


def refusal(source):
    with pytest.raises(InputError) as refused:
        texts(source)
    return refused.value


def test_a_state_must_be_named_and_the_newest_is_told(tmp_path):
    source = delta(tmp_path, NAMES, ROWS)
    for bad in (source.partition("?")[0], source.replace("version=0", "version=2")):
        assert refusal(bad).code == "source.version"
        assert "?version=1" in str(refusal(bad))
    source = iceberg(tmp_path, NAMES, ROWS)
    for bad in (source.partition("?")[0], source.replace("snapshot=", "snapshot=9")):
        assert refusal(bad).code == "source.version"
        assert "?snapshot=" in str(refusal(bad))


@pytest.mark.parametrize(
    "address",
    [
        *("delta:///lake?version=x", "delta:///lake?snapshot=1", "delta://lake?version=1", "delta:///?version=1"),
        *("delta:///lake?version=1&key=zebrafinch", "iceberg://shop/t?version=zebrafinch", "iceberg+s3://zebrafinch"),
    ],
)
def test_what_names_no_table_is_refused_and_not_repeated(address):
    with pytest.raises(InputError) as refused:
        place_of(address)
    assert "zebrafinch" not in str(refused.value)


def test_a_dataset_is_the_table_in_every_state():
    assert dataset_at("delta+s3://lake/t?version=3") == dataset_at("delta+s3://lake/t?version=4") == "delta:s3://lake/t"
    assert place_of("iceberg://shop/crm.t?snapshot=7") == LakeTable("iceberg", "shop/crm.t", 7)


@pytest.mark.parametrize("write", [delta, iceberg])
def test_a_version_is_the_same_whatever_is_written_later(tmp_path, write):
    source = write(tmp_path, NAMES, ROWS)
    assert texts(source) == [("my parcel is late",), ("rude staff",)]
    first = package.release(source, **ASKED, ledger=tmp_path / "ledger.db")
    assert package.release(source, **ASKED, ledger=tmp_path / "ledger.db").to_json() == first.to_json()


def test_partitions_are_columns_and_rows_that_were_deleted_are_gone(tmp_path):
    table = pa.table({"body": ["late", "rude", "lost"], "who": ["ann", "bob", "carl"], "day": ["mon", "tue", "mon"]})
    write_deltalake(str(tmp_path / "t"), table, partition_by=["day"])
    DeltaTable(str(tmp_path / "t")).delete("who = 'bob'")
    asked = Columns("body", "who", facets=("day",))
    assert texts(f"delta:///{tmp_path}/t?version=0", asked)[2] == ("rude", "bob", "tue")
    assert texts(f"delta:///{tmp_path}/t?version=1", asked) == [("late", "ann", "mon"), ("lost", "carl", "mon")]


def test_deletion_vectors_are_refused(tmp_path):
    write_deltalake(
        str(tmp_path / "t"), arrow_table(NAMES, ROWS), configuration={"delta.enableDeletionVectors": "true"}
    )
    assert refusal(f"delta:///{tmp_path}/t?version=0").code == "source.deleted-rows"


def rewritten(log, change):
    """Change each entry of a table's first version."""
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    log.write_text("\n".join(json.dumps(change(entry)) for entry in entries))


def test_columns_that_have_other_names_in_the_files_are_refused(tmp_path):
    """They would be read as empty: at user level, each record would be somebody of its own."""

    def mapped(entry):
        if "protocol" in entry:
            return {"protocol": {"minReaderVersion": 2, "minWriterVersion": 5}}
        if "metaData" in entry:
            told = entry["metaData"]
            schema = json.loads(told["schemaString"])
            for place, column in enumerate(schema["fields"]):
                physical = {"delta.columnMapping.id": place, "delta.columnMapping.physicalName": column["name"]}
                column |= {"name": NAMES[place], "metadata": physical}
            told["schemaString"] = json.dumps(schema)
            told["configuration"] = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "2"}
        return entry

    write_deltalake(str(tmp_path / "t"), arrow_table(("col-1", "col-2"), ROWS))
    rewritten(tmp_path / "t" / "_delta_log" / f"{0:020}.json", mapped)
    assert refusal(f"delta:///{tmp_path}/t?version=0").code == "source.other-names"


def test_a_file_that_a_lake_lists_twice_is_refused(tmp_path):
    write_deltalake(str(tmp_path / "t"), arrow_table(NAMES, ROWS))
    log = tmp_path / "t" / "_delta_log" / f"{0:020}.json"
    again = log.with_name(f"{1:020}.json")
    again.write_text(next(line for line in log.read_text().splitlines() if line.startswith('{"add"')))
    rewritten(again, lambda entry: {"add": entry["add"] | {"path": entry["add"]["path"].replace("part", "%70art")}})
    assert refusal(f"delta:///{tmp_path}/t?version=1").code == "source.file-twice"
    catalog = catalog_in(tmp_path / "lake")
    try:
        catalog.create_namespace("crm")
        table = catalog.create_table("crm.tickets", schema=arrow_table(NAMES, ROWS).schema)
        pq.write_table(arrow_table(NAMES, ROWS), tmp_path / "part.parquet")
        for _ in range(2):
            table.add_files([str(tmp_path / "part.parquet")], check_duplicate_files=False)
        state = f"{table.metadata_location.removeprefix('file://')}?snapshot={table.current_snapshot().snapshot_id}"
        assert refusal(f"iceberg:///{state}").code == "source.file-twice"
    finally:
        catalog.engine.dispose()


def test_delete_files_are_refused(tmp_path, monkeypatch):
    source, plan = iceberg(tmp_path, NAMES, ROWS), DataScan.plan_files

    def with_deletes(scan):
        return [FileScanTask(task.file, delete_files={task.file}) for task in plan(scan)]

    monkeypatch.setattr(DataScan, "plan_files", with_deletes)
    assert refusal(source).code == "source.deleted-rows"


def test_iceberg_deletes_rows_by_writing_files_anew(tmp_path):
    source = Path(iceberg(tmp_path, NAMES, ROWS).partition(":///")[2].partition("?")[0])
    catalog = catalog_in(source.parents[3])
    table = catalog.load_table("crm.tickets")
    table.delete("who = 'bob'")
    there = (
        f"iceberg:///{table.metadata_location.removeprefix('file://')}?snapshot={table.current_snapshot().snapshot_id}"
    )
    catalog.engine.dispose()
    assert texts(there) == [("later",), ("my parcel is late",)]


def test_a_catalog_is_configured_by_the_environment(tmp_path, monkeypatch):
    source = iceberg(tmp_path, NAMES, ROWS)
    folder = Path(source.partition(":///")[2].partition("?")[0]).parents[3]
    for name, value in {
        "TYPE": "sql",
        "URI": f"sqlite:///{folder}/catalog.db",
        "WAREHOUSE": f"file://{folder}",
    }.items():
        monkeypatch.setenv(f"PYICEBERG_CATALOG__SHOP__{name}", value)
    monkeypatch.setattr(catalogs, "_ENV_CONFIG", Config())  # as a new process finds it
    assert texts(f"iceberg://shop/crm.tickets?{source.rpartition('?')[2]}") == [("my parcel is late",), ("rude staff",)]
    assert refusal("iceberg://shop/crm.zebrafinch?snapshot=1").code == "source.unreadable"


@pytest.mark.parametrize("write", [delta, iceberg])
def test_files_that_are_gone_or_damaged_are_told_without_their_names(tmp_path, write):
    source = write(tmp_path, NAMES, [("zebrafinch", "ann")] * 50)
    files = sorted(tmp_path.rglob("*.parquet"))
    for file in files:
        file.write_bytes(file.read_bytes()[:20] + b"zebrafinch" * 30)
    refused = refusal(source)
    assert refused.code == "source.unreadable"
    assert "zebrafinch" not in str(refused)
    for file in files:
        file.unlink()
    assert refusal(source).code == "source.unreadable"


def test_a_delta_table_is_read_from_a_store(tmp_path, every_place, monkeypatch):
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    local = Path(delta(tmp_path, NAMES, ROWS).partition(":///")[2].partition("?")[0])
    name = os.urandom(8).hex()
    for file in filter(Path.is_file, local.rglob("*")):
        in_s3(f"{name}/{file.relative_to(local)}", file.read_bytes())
    shutil.rmtree(local)
    assert texts(f"delta+s3://lake/{name}?version=0") == [("my parcel is late",), ("rude staff",)]


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_without_the_library_the_extra_is_named(monkeypatch, kind):
    import sys

    monkeypatch.setitem(sys.modules, "deltalake", None)
    monkeypatch.setitem(sys.modules, "pyiceberg.catalog", None)
    with pytest.raises(InputError, match=r"dpspin\[lake\]"):
        open_corpus(f"{kind}:///t", Columns("body"))
