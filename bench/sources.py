"""What a record costs to read from each place, and how much memory that takes at two sizes: flat, or not.

    python bench/sources.py --folder /some/disk/sources [--records 2000000] [--measure] [--only postgresql parquet]

Generated tickets (texts and user ids) are written to a Parquet and a CSV file, a throw-away PostgreSQL server, SQLite,
DuckDB and Delta, at a quarter of the size and at all of it. Each run is a process of its own, so that CPU time and peak
memory are its own; what a database server spends is not in it. ``read`` reads all records once, ``identify`` takes the
digest by which the ledger knows them. ``--measure`` also maps and sums them at user level with the paper's map, after
identity and likeness, as a release does. Beside psycopg stands ADBC's driver, where it is installed (it is not part of
the requirements). Needs the development requirements.
"""

import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import duckdb
import psycopg
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from deltalake import DeltaTable, write_deltalake

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.demo.synthetic import generate_tickets
from dpspin.pipeline import UNATTENDED, _measured
from dpspin.request import ReleaseRequest

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from postgres_server import postgres_server

SEED, DIFFERENT = 20_240_229, 20_000
COLUMNS, LENIENT = Columns("text", "user_id"), RowPolicy(missing_users=MissingUsers.OWN_UNIT)
ADBC = "postgresql by ADBC"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, required=True)
    options.add_argument("--records", type=int, default=2_000_000)
    options.add_argument("--measure", action="store_true")
    options.add_argument("--only", nargs="*", default=())
    options.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        print(json.dumps(TASKS[chosen.child[1]](chosen.child[0])))
        return
    chosen.folder.mkdir(parents=True)
    try:
        with postgres_server() as url:
            os.environ.update(PGHOST=url.partition("host=")[2], PGUSER="curator")
            compared(chosen)
    finally:
        shutil.rmtree(chosen.folder)


def compared(chosen: argparse.Namespace) -> None:
    tasks = ("read", "identify", *(("measure",) if chosen.measure else ()))
    print("| source | task | records | CPU s | CPU us per record | wall s | peak MiB |\n|---|---|---|---|---|---|---|")
    for name, write in WRITERS.items():
        if chosen.only and name not in chosen.only:
            continue
        for size in (chosen.records // 4, chosen.records):
            place = write(chosen.folder, size)
            for task in tasks if name != ADBC else (ADBC,):
                row = child(chosen.folder, place, task)
                figures = f"{row['cpu']:.1f} | {1e6 * row['cpu'] / size:.2f} | {row['wall']:.1f} | {row['peak']}"
                print(f"| {name} | {task} | {size:,} | {figures} |", flush=True)


def child(folder: Path, place: str, task: str) -> dict:
    words = [sys.executable, __file__, "--folder", str(folder), "--child", place, task]
    done = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603  this very file
    return json.loads(done.stdout.splitlines()[-1])


def timed(work: Callable[[], object]) -> dict:
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is that of whoever started this process
    before, clock = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "wall": time.perf_counter() - clock, "peak": peak()}


def peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def read(place: str) -> dict:
    corpus = open_corpus(place, COLUMNS, LENIENT)
    return timed(lambda: [batch.num_rows for batch in corpus.batches()])


def identify(place: str) -> dict:
    return timed(open_corpus(place, COLUMNS, LENIENT).content_digest)


def measure(place: str) -> dict:
    unit = {"kind": "user", "missing": "own_unit"}
    fields = {"text": "text", "user": "user_id", "unit": unit, "epsilon": 1, "denominator": 1000, "map": "paper"}
    request = ReleaseRequest.of(place, atoms="support-tickets", **fields)
    source, _ = _measured(request, request.dictionary(), None, UNATTENDED)
    return timed(lambda: (source.content_digest(), source.likeness(bytes(32)), source.measure()))


def read_by_adbc(place: str) -> dict:
    import adbc_driver_postgresql.dbapi as adbc  # noqa: PLC0415  optional

    def work() -> list[int]:
        with adbc.connect(server()) as connection, connection.cursor() as cursor:
            cursor.execute(f"SELECT text, user_id FROM {place.rpartition('=')[2]}")  # noqa: S608  our own name
            return [batch.num_rows for batch in cursor.fetch_record_batch()]

    return timed(work)


def server() -> str:
    return f"postgresql:///postgres?host={os.environ['PGHOST']}"


TASKS = {
    "read": read,
    "identify": identify,
    "measure": measure,
    ADBC: read_by_adbc,
}


def chunks(records: int) -> Iterator[pa.Table]:
    """Yield tickets, the same ones again and again, by ever new users: about two tickets each."""
    tickets = generate_tickets(DIFFERENT, SEED).records.select(["text", "user_id"])
    for start in range(0, records, DIFFERENT):
        some = tickets.slice(0, min(DIFFERENT, records - start))
        users = pa.array([f"{user}-{start}" for user in some["user_id"].to_pylist()])
        yield some.set_column(1, "user_id", users).combine_chunks()


def parquet(folder: Path, records: int) -> str:
    file = folder / f"{records}.parquet"
    if not file.exists():
        every = chunks(records)
        first = next(every)
        with pq.ParquetWriter(file, first.schema) as out:
            out.write_table(first)
            for some in every:
                out.write_table(some)
    return str(file)


def csv(folder: Path, records: int) -> str:
    file = folder / f"{records}.csv"
    every = chunks(records)
    first = next(every)
    with pa_csv.CSVWriter(str(file), first.schema) as out:
        out.write_table(first)
        for some in every:
            out.write_table(some)
    return str(file)


def postgresql(_folder: Path, records: int) -> str:
    with psycopg.connect(server()) as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS t{records}")
        cursor.execute(f"CREATE TABLE t{records} (text text, user_id text)")
        with cursor.copy(f"COPY t{records} FROM STDIN") as copy:
            for some in chunks(records):
                for row in zip(some["text"].to_pylist(), some["user_id"].to_pylist(), strict=True):
                    copy.write_row(row)
    return f"postgresql:///postgres?table=t{records}"


def sqlite(folder: Path, records: int) -> str:
    file = folder / f"{records}.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE t (text, user_id)")
        for some in chunks(records):
            rows = zip(some["text"].to_pylist(), some["user_id"].to_pylist(), strict=True)
            connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    return f"sqlite:///{file}?table=t"


def duckdb_file(folder: Path, records: int) -> str:
    file = folder / f"{records}.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE t AS SELECT * FROM read_parquet(?)", [parquet(folder, records)])
    return f"duckdb:///{file}?table=t"


def delta(folder: Path, records: int) -> str:
    place, every = folder / f"{records}.delta", chunks(records)
    while some := list(islice(every, 5)):
        write_deltalake(str(place), pa.concat_tables(some), mode="append")
    return f"delta:///{place}?version={DeltaTable(str(place)).version()}"


WRITERS = {
    "parquet": parquet,
    "csv": csv,
    "postgresql": postgresql,
    "sqlite": sqlite,
    "duckdb": duckdb_file,
    "delta": delta,
}
try:
    import adbc_driver_postgresql  # noqa: F401
except ImportError:
    pass
else:
    WRITERS[ADBC] = postgresql

if __name__ == "__main__":
    main()
