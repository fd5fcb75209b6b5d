"""The same rows in every place where records can lie, for tests of what all of them promise."""

import csv
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import write_deltalake
from pyarrow import fs
from pyiceberg.catalog import load_catalog

DATABASES = ("postgresql", "sqlite", "duckdb")


def in_postgres(run):
    with psycopg.connect(f"postgresql:///postgres?host={os.environ['PGHOST']}") as connection:
        return run(connection)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _columns(names):
    return ", ".join(f"{quoted(name)} text" for name in names)


def postgresql(_folder, names, rows):
    table = f"t{uuid4().hex}"

    def fill(connection):
        connection.execute(f"CREATE TABLE {table} ({_columns(names)})")
        marks = ", ".join(["%s"] * len(names))
        connection.cursor().executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    in_postgres(fill)
    return f"postgresql:///postgres?table={table}"


def sqlite(folder, names, rows):
    file = folder / f"{uuid4().hex}.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"CREATE TABLE t ({', '.join(map(quoted, names))})")
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", rows)
    return f"sqlite:///{file}?table=t"


def duckdb_file(folder, names, rows):
    file = folder / f"{uuid4().hex}.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(f"CREATE TABLE t ({_columns(names)})")
        if rows:
            connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", [list(row) for row in rows])
    return f"duckdb:///{file}?table=t"


def arrow_table(names, rows):
    return pa.table({name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate(names)})


def parquet(folder, names, rows):
    file = folder / f"{uuid4().hex}.parquet"
    pq.write_table(arrow_table(names, rows), file)
    return str(file)


def csv_file(folder, names, rows):
    file = folder / f"{uuid4().hex}.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([names, *rows])
    return str(file)


def in_s3(path, content, bucket="lake"):
    """Put an object into the store; return its address."""
    store = fs.S3FileSystem(endpoint_override=os.environ["AWS_ENDPOINT_URL"], allow_bucket_creation=True)
    store.create_dir(bucket)
    with store.open_output_stream(f"{bucket}/{path}", compression=None) as out:
        out.write(content)
    return f"s3://{bucket}/{path}"


def s3(folder, names, rows):
    return in_s3(f"{uuid4().hex}/part-0.parquet", Path(parquet(folder, names, rows)).read_bytes())


def delta(folder, names, rows):
    """Write a table in two versions, of which the first one has the rows."""
    place = folder / uuid4().hex
    table = arrow_table(names, rows)
    write_deltalake(str(place), table)
    write_deltalake(str(place), arrow_table(names, [("later",) * len(names)]), mode="append")
    return f"delta:///{place}?version=0"


def catalog_in(folder):
    folder.mkdir(exist_ok=True)
    return load_catalog("shop", type="sql", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")


def iceberg(folder, names, rows):
    """Write a table in two snapshots, of which the first one has the rows."""
    catalog = catalog_in(folder / uuid4().hex)
    try:
        catalog.create_namespace("crm")
        table = catalog.create_table("crm.tickets", schema=arrow_table(names, rows).schema)
        table.append(arrow_table(names, rows))
        first = table.current_snapshot().snapshot_id
        table.append(arrow_table(names, [("later",) * len(names)]))
        return f"iceberg:///{table.metadata_location.removeprefix('file://')}?snapshot={first}"
    finally:
        catalog.engine.dispose()


TABLES = {
    "postgresql": postgresql,
    "sqlite": sqlite,
    "duckdb": duckdb_file,
    "s3": s3,
    "delta": delta,
    "iceberg": iceberg,
}
FILE_LIKE = {"s3"}  # known by their bytes, and not by their rows
FILES = {"parquet": parquet, "csv": csv_file}
