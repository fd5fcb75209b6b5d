"""The same rows in every place where records can lie, for tests of what all of them promise."""

import csv
import os
import sqlite3
from contextlib import closing
from uuid import uuid4

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq

DATABASES = ("postgresql", "sqlite", "duckdb")


def use_server(url, monkeypatch):
    """Let the environment say where the server is, as a user would."""
    monkeypatch.setenv("PGHOST", url.partition("host=")[2])
    monkeypatch.setenv("PGUSER", "curator")


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


TABLES = {"postgresql": postgresql, "sqlite": sqlite, "duckdb": duckdb_file}
FILES = {"parquet": parquet, "csv": csv_file}
