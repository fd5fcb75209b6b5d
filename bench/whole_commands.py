"""Whole commands, from start to report, of the same records: here, in two sketch files, on Spark; CPU of all processes.

    python bench/whole_commands.py --folder /some/disk/commands [--records 200000] [--master 'local[2]']

Generated tickets, the default map. A first release, which is not counted, fits the map and compiles: both are kept.
What a process uses after the last look at it, a tenth of a second at most, is missed. Needs the development
requirements.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from process_family import Family, watched

from spark import FILES, UNITS, WARM, written

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from spark_sessions import java

LOOK = 0.1  # seconds
DPSPIN = (sys.executable, "-c", "from dpspin.cli.main import run; run()")
ATOMS = ("--atoms", "support-tickets")
HEADS = ("unit", "command", "CPU-s", "wall s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, required=True)
    options.add_argument("--records", type=int, default=200_000)
    options.add_argument("--master", default="local[2]")
    options.add_argument("--units", nargs="+", choices=UNITS, default=list(UNITS))
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True)
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", **java(chosen.folder)}
    try:
        written(chosen.folder / "warm", WARM, 0)
        written(chosen.folder / "all", chosen.records, 0)
        in_halves(chosen.folder)
        with watched(LOOK) as family:
            measured(chosen, family)
    finally:
        shutil.rmtree(chosen.folder)


def in_halves(folder: Path) -> None:
    for part in range(FILES):
        half = folder / f"half-{part % 2}"
        half.mkdir(exist_ok=True)
        (half / f"{part}.parquet").hardlink_to(folder / "all" / f"{part}.parquet")


def measured(chosen: argparse.Namespace, family: Family) -> None:
    print(*("| " + " | ".join(row) + " |" for row in (HEADS, ["---"] * len(HEADS))), sep="\n", flush=True)
    for unit in chosen.units:
        run(release(chosen.folder, unit, "warm", chosen.records, str(chosen.folder / "warm"), *asked(unit)))
        for name, words in commands(chosen, unit):
            cpu, clock = family.cpu(), time.perf_counter()
            run(words)
            wall = time.perf_counter() - clock
            print(f"| {unit} | {name} | {family.cpu() - cpu:.1f} | {wall:.1f} |", flush=True)


def commands(chosen: argparse.Namespace, unit: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    folder, records, data = chosen.folder, chosen.records, str(chosen.folder / "all")
    yield "release", release(folder, unit, "here", records, data, *asked(unit))
    key = folder / f"{unit}.key"
    run(("sketch", "--new-user-key", str(key)))
    keyed = ("--user-key", str(key)) if unit == "user" else ()
    files = [str(folder / f"{unit}-{half}.sketch") for half in (0, 1)]
    for half, file in enumerate(files):
        yield f"sketch {half + 1}", ("sketch", str(folder / f"half-{half}"), *asked(unit), *keyed, "--out", file)
    sketches = (word for file in files for word in ("--sketch", file))
    yield "release of both", release(folder, unit, "sketches", records, *sketches, *ATOMS)
    spark = (data, *asked(unit), "--engine", "spark", "--master", chosen.master, "--snapshot", "1")
    yield f"release on {chosen.master}", release(folder, unit, "spark", records, *spark)


def asked(unit: str) -> tuple[str, ...]:
    user = ("--user", UNITS[unit]["user"]) if unit == "user" else ()
    return (*ATOMS, "--text", "text", "--unit", unit, *user)


def release(folder: Path, unit: str, name: str, records: int, *words: str) -> tuple[str, ...]:
    """Ask for a release with a ledger of its own: no other one knows its records."""
    place = folder / f"{unit}-{name}"
    place.mkdir()
    about = ("--dataset", "tickets", "--ledger", str(place / "ledger.db"), "--out", str(place / "out"))
    return ("release", *words, "--epsilon", "1", "--denominator", str(records), *about)


def run(words: tuple[str, ...]) -> None:
    done = subprocess.run([*DPSPIN, *words], capture_output=True, text=True, check=False)  # noqa: S603  our own command
    if done.returncode:
        sys.exit(done.stderr)


if __name__ == "__main__":
    main()
