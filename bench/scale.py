"""Ten million records of two million users through the engine: time, memory, and one hash for any cut and order.

    python bench/scale.py --folder /some/disk/scale            # full size, a cheap map: measures the engine
    python bench/scale.py --folder /some/disk/scale --map ngram      # the paper's map
    python bench/scale.py --folder /some/disk/scale --map default    # the default map, on generated tickets

Each run is a process of its own, so that its peak memory is its own. The data are made from a seed and deleted at the
end.
"""

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.local import Records, aggregate
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import merge_sketch_files, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.demo.synthetic import generate_tickets, ticket_pack

ATOMS = 200
PER_RECORD = 3
ROWS_AT_ONCE = 100_000
FILLER = "and then nothing else of note came up for the rest of that whole day"
UNITS = {"record": RecordUnit(), "user B=0.5": UserUnit(0.5), "user B=1": UserUnit(1.0), "user B=4": UserUnit(4.0)}
BARS = {"record": 1024, "user": 2048}  # MiB of peak memory
BARS_OF_DEFAULT = {"record": 1024, "user": 1536}
DIFFERENT_TICKETS = 100_000  # each record is one of them


def word(atom):
    """A made-up word per atom, four letters, no stop word."""
    letters = "bdfgklmnprstvz"
    return letters[atom // 70 % 14] + "aeiou"[atom // 14 % 5] + letters[atom % 14] + "o"


UNIVERSE = AtomUniverse(
    name="scale",
    version="1",
    provenance=Provenance(source="handwritten", note="made-up words for a benchmark"),
    atoms=tuple(Atom(id=atom, label=word(atom)) for atom in range(ATOMS)),
)


class CheapMap:
    """The atom of each of three fixed-width words at the start of a text, in thirds: as good as free."""

    statement = MapStatement(name="cheap", fitted_on="nothing", atoms_per_record=PER_RECORD, digest="sha256:cheap")
    words = pa.array([word(atom) for atom in range(ATOMS)], pa.large_string())

    def __call__(self, texts):
        columns = [pc.utf8_slice_codeunits(texts, 5 * place, 5 * place + 4) for place in range(PER_RECORD)]
        atoms = np.stack([pc.index_in(column, self.words).to_numpy() for column in columns], axis=1).astype(np.int64)
        offsets = np.arange(len(texts) + 1, dtype=np.int64) * PER_RECORD
        weights = np.tile([0.5, 0.3, 0.2], len(texts))
        return Contributions.from_weights(
            offsets, atoms.ravel(), weights, universe_size=ATOMS, atoms_per_record=PER_RECORD
        )


def fitted(kind):
    """The dictionary and the map; the default map is kept where `dpspin` keeps it, so that the runs only load it."""
    if kind == "default":
        return ticket_pack(), fit_by_recipe(Recipe(), ticket_pack(), None)
    return UNIVERSE, NgramMap.fit(UNIVERSE, PublicWordIdf()) if kind == "ngram" else CheapMap()


def users_of(chance, rows, users):
    """Skewed: 70 % of the rows are spread evenly, 20 % crowd on few users, 10 % belong to one."""
    kind = chance.choice(3, rows, p=[0.7, 0.2, 0.1])
    crowd = np.minimum(chance.zipf(1.3, rows), users) - 1
    return np.choose(kind, [chance.integers(0, users, rows), crowd, np.zeros_like(crowd)])


def generate(folder, arguments, shards):
    folder.mkdir(parents=True)
    rows, users = arguments.records, arguments.users
    chance = np.random.default_rng(arguments.seed)  # noqa: TID251  simulated data, not noise
    words = pa.array([word(atom) for atom in range(ATOMS)])
    if arguments.map == "default":
        tickets = generate_tickets(DIFFERENT_TICKETS, arguments.seed).records["text"].combine_chunks()
        bodies = partial(some_tickets, tickets)
    else:
        bodies = partial(some_words, words)
    schema = pa.schema([("who", pa.string()), ("body", pa.string())])
    for shard in range(shards):
        mine = rows // shards + (shard < rows % shards)
        with pq.ParquetWriter(folder / f"part-{shard:03d}.parquet", schema, compression="zstd") as writer:
            for start in range(0, mine, ROWS_AT_ONCE):
                writer.write_table(some_rows(chance, min(ROWS_AT_ONCE, mine - start), users, bodies, schema))


def some_words(words, chance, rows):
    first = chance.integers(0, ATOMS, rows)
    planted = [words.take(pa.array((first + step) % ATOMS)) for step in (0, 1 + first % 7, 11)]
    return pc.binary_join_element_wise(*planted, pa.scalar(FILLER), pa.array(first.astype(str)), " ")


def some_tickets(tickets, chance, rows):
    return tickets.take(pa.array(chance.integers(0, len(tickets), rows))).cast(pa.string())


def some_rows(chance, rows, users, bodies, schema):
    body = bodies(chance, rows)
    who = pc.binary_join_element_wise("customer", pa.array(users_of(chance, rows, users).astype(str)), "-")
    return pa.table([who, body], schema=schema)


def shuffle(source, target, seed, shards):
    """Deal every row to a random file in random order: another order, another partition, the same records."""
    target.mkdir(parents=True)
    chance = np.random.default_rng(seed)  # noqa: TID251  simulated data, not noise
    writers = [
        pq.ParquetWriter(target / f"part-{each:03d}.parquet", pq.read_schema(first(source))) for each in range(shards)
    ]
    for file in sorted(source.glob("*.parquet"), reverse=True):
        for batch in pq.ParquetFile(file).iter_batches(ROWS_AT_ONCE):
            mixed = pa.table(batch).take(pa.array(chance.permutation(batch.num_rows)))
            place = chance.integers(0, shards, batch.num_rows)
            for each, writer in enumerate(writers):
                writer.write_table(mixed.filter(pa.array(place == each)))
    for writer in writers:
        writer.close()


def first(folder):
    return min(folder.glob("*.parquet"))


def measure(folder, level, kind, *, via_files):
    """One run in this process; what it took is printed as one line of JSON."""
    unit = UNITS[level]
    universe, contribution_map = fitted(kind)
    contribution_map(pa.array(["a few words. "] * 2))  # compiles
    origin = SketchOrigin(universe.digest, universe.size, contribution_map.statement, unit, Adjacency.ADD_DROP)
    columns = Columns("body", None if isinstance(unit, RecordUnit) else "who")
    wall = time.perf_counter()
    if via_files:
        sketch = through_files(folder, columns, contribution_map, origin)
    else:
        sketch, _ = aggregate(open_corpus(folder, columns), contribution_map, origin)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "sha256": hashlib.sha256(sketch.ticks.tobytes()).hexdigest(),
                "cpu_s": round(used.ru_utime + used.ru_stime, 1),
                "wall_s": round(time.perf_counter() - wall, 1),
                "peak_mib": used.ru_maxrss // 1024,
            }
        )
    )


def through_files(folder, columns, contribution_map, origin):
    files = []
    pseudonyms = Pseudonyms(bytes(32)) if isinstance(origin.unit, UserUnit) else None
    for shard in sorted(folder.glob("*.parquet")):
        files.append(shard.with_suffix(".sketch"))
        records = Records(open_corpus(shard, columns), contribution_map, origin)
        sketch_shard(files[-1], records, pseudonyms=pseudonyms)
    sketch = merge_sketch_files(files)
    for file in files:
        file.unlink()
    return sketch


def run_apart(arguments, folder, level, *more):
    command = [sys.executable, __file__, "--folder", str(folder), "--measure", level, *more]
    command += ["--map", arguments.map]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)  # noqa: S603  ourselves
    return json.loads(result.stdout)


def main():
    arguments = parsed()
    if arguments.measure:
        measure(arguments.folder, arguments.measure, arguments.map, via_files=arguments.via_files)
        return
    fitted(arguments.map)
    arguments.folder.mkdir(parents=True, exist_ok=False)
    try:
        compare(arguments)
    finally:
        shutil.rmtree(arguments.folder)


def compare(arguments):
    original, shuffled = arguments.folder / "original", arguments.folder / "shuffled"
    generate(original, arguments, shards=8)
    shuffle(original, shuffled, arguments.seed + 1, shards=5)
    print(f"{arguments.records:,} records, {arguments.users:,} users, {arguments.map} map")
    print(f"{'level':<12} {'data':<22} {'CPU s':>7} {'wall s':>7} {'peak MiB':>9}  sha256")
    for level in arguments.levels:
        runs = {"original": (original,), "shuffled, 5 files": (shuffled,)}
        if arguments.sketch_files:
            runs["via 8 sketch files"] = (original, "--via-files")
        results = {name: run_apart(arguments, folder, level, *more) for name, (folder, *more) in runs.items()}
        for name, got in results.items():
            figures = f"{got['cpu_s']:>7} {got['wall_s']:>7} {got['peak_mib']:>9}"
            print(f"{level:<12} {name:<22} {figures}  {got['sha256'][:16]}", flush=True)
        require_bars(level, results.values(), BARS_OF_DEFAULT if arguments.map == "default" else BARS)


def require_bars(level, results, bars):
    if len({got["sha256"] for got in results}) > 1:
        sys.exit(f"{level}: the sketch depends on order or partition")
    if max(got["peak_mib"] for got in results) > bars[level.split()[0]]:
        sys.exit(f"{level}: more memory than allowed")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="a new folder for about 2 GB of data")
    parser.add_argument("--records", type=int, default=10_000_000)
    parser.add_argument("--users", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", nargs="+", choices=UNITS, default=["record", "user B=1", "user B=4"])
    parser.add_argument("--map", choices=("cheap", "ngram", "default"), default="cheap")
    parser.add_argument("--sketch-files", action="store_true", help="also go through one sketch file per shard")
    parser.add_argument("--measure", choices=UNITS, help=argparse.SUPPRESS)
    parser.add_argument("--via-files", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
