"""What a record costs on Spark and in the local engine, side by side: CPU of all processes, the same hash first.

    python bench/spark.py --folder /some/disk/spark [--records 2000000] [--master 'local[2]' | --workers 2]

Both engines do what a release does with its records, for a quarter of a collection of generated tickets, and for all of
it: what the ledger needs (identity before and after, the keyed sample), and the default map with its sums. The
difference of the two sizes is what records cost; what is left is fixed: starting tasks, packing and loading the map.
``--workers`` starts a cluster on loopback, with one core each. ``--hot 0.6`` lets one user have that part of all
records. Peaks are those of the largest process of its kind until then: the Python process that maps, Java's executor
and Java's driver, which are one with a local master. Needs the development requirements.
"""

import argparse
import hashlib
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from process_family import Family, watched

from dpspin.curator.aggregate.spark_records import SparkRecords
from dpspin.demo.synthetic import generate_tickets
from dpspin.pipeline import UNATTENDED, _measured
from dpspin.request import ReleaseRequest

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from spark_cluster import cluster_session, spark_cluster
from spark_sessions import events_of, spark_session

SEED, DIFFERENT, FILES = 20_240_229, 20_000, 8
WARM = 40_000  # records with which workers are started and code is compiled, before anything counts
UNITS = {"record": {"unit": "record"}, "user": {"unit": "user", "user": "user_id"}}
KEY = bytes(range(32))  # of the ledger's samples
KINDS = ("java executor", "java driver")
HEADS = (
    *("unit", "engine", "work", "fixed CPU-s", "CPU-us per record", "of it Java", "records per s"),
    *(f"MiB of {kind}, {size}" for kind in ("a Python process", *KINDS) for size in ("a quarter", "all")),
    "bytes exchanged per record",
)


def for_the_ledger(records) -> bytes:
    """Do what a release does beside the map: identity, the keyed sample, and identity again."""
    records.content_digest()
    likeness = records.likeness(KEY)
    records.content_digest()
    return likeness.to_bytes()


def map_and_sums(records) -> bytes:
    sketch, _ = records.measure()
    return sketch.ticks.tobytes()


WORK = {"for the ledger": for_the_ledger, "map and sums": map_and_sums}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, required=True)
    options.add_argument("--records", type=int, default=2_000_000)
    options.add_argument("--master", default="local[2]")
    options.add_argument("--workers", type=int, help="start a cluster with so many")
    options.add_argument("--units", nargs="+", choices=UNITS, default=list(UNITS))
    options.add_argument("--hot", type=float, default=0.0, help="the part of all records that one user has")
    options.add_argument("--partitions", default="200", help="spark.sql.shuffle.partitions: 200 is Spark's own")
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a cluster is ended, too
    warnings.simplefilter("ignore", FutureWarning)  # of pandas' version, which plays no part here
    chosen.folder.mkdir(parents=True)
    try:
        with watched() as family:
            measured(chosen, family)
    finally:
        shutil.rmtree(chosen.folder)


def measured(chosen: argparse.Namespace, family: Family) -> None:
    sizes = (WARM, chosen.records // 4, chosen.records)
    places = [chosen.folder / str(size) for size in sizes]
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:  # whose memory is not measured
        list(apart.map(written, places, sizes, [chosen.hot] * len(sizes)))
    before = family.cpu()
    with session(chosen) as spark:
        print(f"session: {family.cpu() - before:.1f} CPU-s", flush=True)
        print(*("| " + " | ".join(row) + " |" for row in (HEADS, ["---"] * len(HEADS))), sep="\n")
        for unit in chosen.units:
            digests = []
            for engine in ("local", "spark"):
                sources = [
                    source(spark.read.parquet(str(place)) if engine == "spark" else str(place), UNITS[unit])
                    for place in places
                ]
                _, small, large = (
                    [run(work, each, family, chosen.folder) for work in WORK.values()] for each in sources
                )
                digests.append([each.digest for each in (*small, *large)])
                for work, one, other in zip((*WORK, "both"), with_sum(small), with_sum(large), strict=True):
                    print("| " + " | ".join([unit, engine, work, *told(sizes[1:], one, other)]) + " |", flush=True)
            assert digests[0] == digests[1], "the sketches or the samples differ"  # noqa: S101


@contextmanager
def session(chosen: argparse.Namespace) -> Iterator:
    settings = {"spark.sql.shuffle.partitions": chosen.partitions}
    if chosen.workers is None:
        with spark_session(chosen.folder, chosen.master, **settings) as spark:
            yield spark
        return
    with (
        spark_cluster(chosen.folder / "cluster", chosen.workers) as cluster,
        cluster_session(chosen.folder, cluster, **settings) as spark,
    ):
        yield spark


@dataclass(frozen=True)
class Run:
    """What a piece of work used."""

    cpu: float
    java: float
    wall: float
    exchanged: int
    peaks: tuple[int, ...]
    digest: str


def run(work: Callable[[object], bytes], records: object, family: Family, folder: Path) -> Run:
    cpu, java, clock = family.cpu(), family.cpu("java"), time.perf_counter()
    exchanged = written_to_exchange(folder)
    made = work(records)
    wall = time.perf_counter() - clock
    own = "python" if isinstance(records, SparkRecords) else "this"
    return Run(
        family.cpu() - cpu,
        family.cpu("java") - java,
        wall,
        written_to_exchange(folder) - exchanged,
        tuple(map(family.peak, (own, *KINDS))),
        hashlib.sha256(made).hexdigest(),
    )


def with_sum(runs: list[Run]) -> list[Run]:
    cpu, java, wall, exchanged = (
        sum(getattr(each, name) for each in runs) for name in ("cpu", "java", "wall", "exchanged")
    )
    return [*runs, Run(cpu, java, wall, exchanged, runs[-1].peaks, "")]


def told(sizes: tuple[int, int], small: Run, large: Run) -> list[str]:
    """Return the figures of a table's row: records cost what the larger collection costs more."""
    more = sizes[1] - sizes[0]
    each = (large.cpu - small.cpu) / more
    java = (large.java - small.java) / more
    return [
        f"{small.cpu - sizes[0] * each:.1f}",
        f"{each * 1e6:.1f}",
        f"{java * 1e6:.1f}",
        f"{more / (large.wall - small.wall):,.0f}",
        *(str(peak) for both in zip(small.peaks, large.peaks, strict=True) for peak in both),
        f"{large.exchanged / sizes[1]:.0f}",
    ]


def written_to_exchange(folder: Path) -> int:
    """Return the bytes that all tasks have written for others to read, by Spark's own account."""
    ends = events_of(folder, "SparkListenerTaskEnd")
    metrics = [each.get("Task Metrics") or {} for each in ends]
    return sum(each.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0) for each in metrics)


def written(place: Path, records: int, hot: float) -> None:
    """Write tickets, the same ones again and again, by ever new users: two tickets each, but for the hot one's."""
    place.mkdir()
    tickets = generate_tickets(DIFFERENT, SEED).records.select(["user_id", "text"])
    whole = pa.concat_tables([tickets] * -(-records // DIFFERENT)).slice(0, records)
    users = pa.array(
        ["the hot one" if number % 1000 < hot * 1000 else f"user {number // 2}" for number in range(records)]
    )
    whole = whole.set_column(0, "user_id", users).combine_chunks()
    for part in range(FILES):
        size = -(-records // FILES)
        pq.write_table(whole.slice(part * size, size), place / f"{part}.parquet", row_group_size=20_000)


def source(data: object, unit: dict[str, str]):
    request = ReleaseRequest.of(
        data, atoms="support-tickets", text="text", epsilon=1, denominator=1000, dataset="d", snapshot="1", **unit
    )
    return _measured(request, request.dictionary(), None, UNATTENDED)[0]


if __name__ == "__main__":
    main()
