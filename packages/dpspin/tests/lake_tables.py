"""Tables of lakes whose files hold records twice: some were written anew, and the old files are still there."""

from pathlib import Path

import pyarrow.parquet as pq
from deltalake import DeltaTable, write_deltalake

from source_tables import arrow_table, catalog_in

NAMES = ("body", "day")
FIRST, SECOND = [("my parcel is late", "mon"), ("rude staff", "mon")], [("the app crashed", "mon")]
TEXTS = sorted(text for text, _ in FIRST + SECOND)


def in_files(folder):
    return sorted(text for file in folder.rglob("*.parquet") for text in pq.read_table(file)["body"].to_pylist())


def delta(folder):
    """Write a table twice, and compact it: the two old files lie beside the new one."""
    for rows in (FIRST, SECOND):
        write_deltalake(str(folder), arrow_table(NAMES, rows), mode="append", partition_by=["day"])
    DeltaTable(str(folder)).optimize.compact()
    return folder, folder / "day=mon"


def iceberg(folder):
    """Write a table, and delete a row: its file is written anew, and the old one lies beside it."""
    folder.mkdir(parents=True)
    catalog = catalog_in(folder)
    try:
        catalog.create_namespace("crm")
        table = catalog.create_table("crm.tickets", schema=arrow_table(NAMES, FIRST).schema)
        table.append(arrow_table(NAMES, FIRST + SECOND))
        table.delete("body = 'rude staff'")
        place = Path(table.metadata_location.removeprefix("file://")).parents[1]
    finally:
        catalog.engine.dispose()
    return place, place / "data"


def hudi(folder):
    """Lay files as Hudi does: two states of one group of files."""
    for name, rows in (("f1_0-1-0_20260101", FIRST), ("f1_0-2-0_20260102", FIRST + SECOND)):
        (folder / "day=mon").mkdir(parents=True, exist_ok=True)
        pq.write_table(arrow_table(NAMES, rows), folder / "day=mon" / f"{name}.parquet")
    (folder / ".hoodie").mkdir()
    (folder / ".hoodie" / "hoodie.properties").write_text("hoodie.table.name=tickets\n")
    return folder, folder / "day=mon"


def parquet(folder, rows=FIRST):
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow_table(NAMES, rows), folder / "part.parquet")
    return folder


LAKES = {"Delta": delta, "Iceberg": iceberg, "Hudi": hudi}
