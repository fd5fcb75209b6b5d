"""What a record costs on Spark and in the local engine, side by side: CPU of all processes, the same hash first.

    python bench/spark.py --folder /some/disk/spark [--records 400000] [--master 'local[2]']

Both engines measure a small and a large collection of generated tickets with the default map. The difference of the two
is what records cost; what is left of the small one is fixed: starting workers, packing and loading the map. Needs the
development requirements.
"""

import argparse
import hashlib
import os
import shutil
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dpspin.demo.synthetic import generate_tickets
from dpspin.pipeline import UNATTENDED, _measured
from dpspin.request import ReleaseRequest

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from spark_sessions import spark_session

SEED, DIFFERENT, SMALL, FILES = 20_240_229, 20_000, 40_000, 8
UNITS = {"record": {"unit": "record"}, "user": {"unit": "user", "user": "user_id"}}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, required=True)
    options.add_argument("--records", type=int, default=400_000)
    options.add_argument("--master", default="local[2]")
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True)
    try:
        measured(chosen.folder, chosen.records, chosen.master)
    finally:
        shutil.rmtree(chosen.folder)


def measured(folder: Path, records: int, master: str) -> None:
    sizes = {SMALL: written(folder / "small", SMALL), records: written(folder / "large", records)}
    before = cpu()
    with spark_session(folder, master) as spark:
        print(f"session: {cpu() - before:.1f} CPU-s")
        print("| unit | engine | fixed CPU-s | CPU-us per record | records per s | peak MiB of one process |")
        print("|---|---|---|---|---|---|")
        for unit, told in UNITS.items():
            hashes = {(engine, size): None for engine in ("local", "spark") for size in sizes}
            for engine in ("local", "spark"):
                sources = {
                    size: source(spark.read.parquet(str(place)) if engine == "spark" else str(place), told)
                    for size, place in sizes.items()
                }
                sources[SMALL].measure()  # compiles, starts workers, loads the map
                cost, wall = {}, {}
                for size, each in sources.items():
                    start, clock = cpu(), time.perf_counter()
                    sketch, _ = each.measure()
                    cost[size], wall[size] = cpu() - start, time.perf_counter() - clock
                    hashes[engine, size] = hashlib.sha256(sketch.ticks.tobytes()).hexdigest()
                each_record = (cost[records] - cost[SMALL]) / (records - SMALL)
                fixed = cost[SMALL] - SMALL * each_record
                speed = (records - SMALL) / (wall[records] - wall[SMALL])
                print(
                    f"| {unit} | {engine} | {fixed:.1f} | {each_record * 1e6:.1f} | {speed:,.0f} | {memory(engine)} |"
                )
            for size in sizes:
                assert hashes["local", size] == hashes["spark", size], "the sketches differ"  # noqa: S101


def written(place: Path, records: int) -> Path:
    """Write tickets, the same ones again and again, by ever new users: two tickets each."""
    place.mkdir()
    tickets = generate_tickets(DIFFERENT, SEED).records.select(["user_id", "text"])
    whole = pa.concat_tables([tickets] * -(-records // DIFFERENT)).slice(0, records)
    users = pa.array([f"customer {number // 2}" for number in range(records)])
    whole = whole.set_column(0, "user_id", users).combine_chunks()
    for part in range(FILES):
        size = -(-records // FILES)
        pq.write_table(whole.slice(part * size, size), place / f"{part}.parquet", row_group_size=20_000)
    return place


def source(data: object, told: dict[str, str]):
    request = ReleaseRequest.of(
        data, atoms="support-tickets", text="text", epsilon=1, denominator=1000, dataset="d", snapshot="1", **told
    )
    return _measured(request, request.dictionary(), None, UNATTENDED)[0]


def family() -> list[int]:
    """Return this process and all that it started, Java and its Python workers too."""
    parents = {}
    for process in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(process.parent.name)] = int(process.read_text().rpartition(")")[2].split()[1])
        except OSError:  # gone meanwhile
            continue
    found = [os.getpid()]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def cpu() -> float:
    """Return the CPU seconds of all of them, those that ended included."""
    ticks = 0
    for process in family():
        ticks += sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(engine: str) -> int:
    """Return the peak in MiB of the local engine's process, or of the largest Python worker."""
    if engine == "local":
        return _peak(os.getpid())
    return max(_peak(each) for each in family() if b"pyspark.daemon" in _words(each))


def _words(process: int) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


def _peak(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


if __name__ == "__main__":
    main()
