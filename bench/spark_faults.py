"""Releases on a real Spark cluster while parts of it are killed: is the sketch ever another, anything charged twice?

    python bench/spark_faults.py --rounds 20 [--faults executor worker python exchange speculation driver]

One master and two workers on loopback. In every round a release waits at one of its tasks, before its work or when it
has told all of it; then an executor, a worker with its executor, or a Python worker is killed, a speculative duplicate
is let through with the task itself, or the files of the exchange are deleted. The records are taken in two ways in
turn: as they lie, with a plan that stays; and dealt out over the workers before, so that their order differs from
attempt to attempt, with adaptive execution, which plans later stages when it has seen the earlier ones. The last fault
kills the driver between the ledger's reserve and its commit, and asks again. A round counts only if it is proven that
the fault was felt (a task ran again, or twice at a time, or the charge stood without its plan). Prints a table. Exit
code 1 if anything is wrong.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import pyarrow.parquet as pq

from dpspin.cli.main import run
from dpspin.curator.aggregate.spark_records import SparkRecords
from dpspin.curator.ledger import Ledger, open_ledger
from dpspin.errors import SourceError
from dpspin.pipeline import release

sys.path.append(str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
from spark_cluster import Cluster, cluster_session, descendants, kill, parent_of, spark_cluster
from spark_corpora import A_FILE_EACH, TABLE, UNITS, numbers_of, on_spark, source_of
from spark_gate import PATIENCE, Gate, Place, until

PARTS = 4
AT_MAPS = [Place(unit, "MapAndSum", end) for unit in UNITS for end in (False, True)]
AT_CLIPS = [Place("user", "ClipAndSum", end) for end in (False, True)]
AT_MERGES = [Place(unit, "MergeParts", end) for unit in UNITS for end in (False, True)]
SETTINGS = {
    **A_FILE_EACH,
    "spark.sql.shuffle.partitions": str(PARTS),
    "spark.cleaner.referenceTracking": "false",  # files of the exchange go by our hand only
    "spark.shuffle.io.retryWait": "200ms",
}
ADAPTIVE = "spark.sql.adaptive.enabled"  # off, the clipping of a small collection has several tasks, too
SPECULATION = {
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.multiplier": "1",
    "spark.speculation.quantile": "0.25",
}


# --- the faults: each is done while tasks wait, opens the gate, and says later whether it was felt --------------------


Felt = Callable[[], bool]


def ran_again(gate: Gate) -> Felt:
    return lambda: gate.came()["0"] > 1


def executor_killed(gate: Gate, cluster: Cluster) -> Felt:
    del cluster
    kill(executor_of(gate.waiting()[0]))
    return ran_again(gate)


def worker_killed(gate: Gate, cluster: Cluster) -> Felt:
    process = gate.waiting()[0]
    worker = next(each for each in cluster.workers if process in descendants(each.process.pid))
    worker.kill()
    worker.start()
    return ran_again(gate)


def python_killed(gate: Gate, cluster: Cluster) -> Felt:
    del cluster
    kill(gate.waiting()[0])
    return ran_again(gate)


def duplicated(gate: Gate, cluster: Cluster) -> Felt:
    """Both wait, and are let through together: each tells all that it has to tell."""
    del cluster
    both = gate.waiting(2)
    running = all(parent_of(process) is not None for process in both)
    return lambda: running


def exchange_deleted(gate: Gate, cluster: Cluster) -> Felt:
    """All other tasks have written what the next ones read, and it is deleted before they do."""
    gate.waiting()
    until(lambda: len(newest_exchange(cluster)) == PARTS - 1)
    for data in newest_exchange(cluster):
        data.unlink()
    return lambda: sum(gate.came().values()) > PARTS


def newest_exchange(cluster: Cluster) -> list[Path]:
    files = [file for worker in cluster.workers for file in worker.local.rglob("shuffle_*.data")]
    newest = max((int(file.name.split("_")[1]) for file in files), default=0)
    return [file for file in files if int(file.name.split("_")[1]) == newest]


def executor_of(process: int) -> int:
    """Return the Java process above a Python worker."""
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        process = parent_of(process)
    return process


@dataclass(frozen=True)
class Fault:
    """What is done, where releases wait for it, and what the session needs."""

    act: Callable[[Gate, Cluster], Felt]
    places: list[Place]
    adaptive: list[Place]  # where it is also felt with adaptive execution, which makes one task of all that clip
    settings: dict[str, str] = field(default_factory=dict)

    def rounds(self) -> Iterator[tuple[Place, bool]]:
        """Name the places, and whether records are dealt out and the plan is adaptive: again and again, in turn."""
        every = ((place, adaptive) for place in self.places for adaptive in (False, True))
        return cycle([(place, adaptive) for place, adaptive in every if place in self.adaptive or not adaptive])


EVERYWHERE = [*AT_MAPS, *AT_CLIPS, *AT_MERGES]
FAULTS = {
    "executor": Fault(executor_killed, EVERYWHERE, EVERYWHERE),
    "worker": Fault(worker_killed, EVERYWHERE, EVERYWHERE),
    "python": Fault(python_killed, EVERYWHERE, EVERYWHERE),
    "exchange": Fault(exchange_deleted, [*AT_MAPS, *AT_CLIPS], AT_MAPS),
    "speculation": Fault(duplicated, [*AT_MAPS, *AT_CLIPS], AT_MAPS, SPECULATION),
}


# --- rounds ---------------------------------------------------------------------------------------------------------


@dataclass
class Figures:
    """What came out of the rounds of one fault."""

    fault: str
    rounds: int = 0  # in which the fault was felt
    identical: int = 0
    failed_cleanly: int = 0
    not_felt: int = 0  # repeated
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def row(self) -> str:
        told = (self.fault, self.rounds, self.identical, self.failed_cleanly, len(self.wrong), self.not_felt)
        return "| " + " | ".join(map(str, (*told, f"{self.seconds:.0f}"))) + " |"

    def count(self, outcome: str, place: str, *, felt: bool) -> None:
        """Count a round; one in which the fault was not felt only where it is wrong."""
        print(f"{self.fault}, {place}: {'' if felt else 'not felt, '}{outcome}", file=sys.stderr, flush=True)
        self.rounds += felt
        self.not_felt += not felt
        self.identical += felt and outcome == "identical"
        self.failed_cleanly += felt and outcome == "failed cleanly"
        if outcome not in {"identical", "failed cleanly"}:
            self.wrong.append(f"{place}: {outcome}")


def faults_on_cluster(faults: list[str], folder: Path, cluster: Cluster, rounds: int) -> Iterator[Figures]:
    """Do rounds of these faults in one session; a cluster and a session take longer to start than a round."""
    expected = {unit: numbers_of(source_of(TABLE, fields).measure()) for unit, fields in UNITS.items()}
    settings = FAULTS[faults[0]].settings
    with cluster_session(folder / "driver", cluster, **SETTINGS, **settings) as spark:
        frame = on_spark(spark, TABLE, folder / "data", PARTS)
        for name in faults:
            figures, start = Figures(name), time.monotonic()
            for number, (place, adaptive) in enumerate(FAULTS[name].rounds()):
                if figures.rounds >= rounds or figures.not_felt > rounds:
                    break
                gate = Gate(folder / f"{name}-{number}", place)
                gate.folder.mkdir()
                spark.conf.set(ADAPTIVE, adaptive)
                felt = disturbed(name, gate, cluster, frame.repartition(PARTS) if adaptive else frame)
                where = f"{place}, {'dealt out, adaptive' if adaptive else 'as they lie'}"
                figures.count(judged(gate, expected[place.unit]), where, felt=felt)
                for worker in cluster.workers:
                    worker.said()  # one that was killed is back
            figures.seconds = time.monotonic() - start
            yield figures


def disturbed(name: str, gate: Gate, cluster: Cluster, frame) -> bool:
    """Release while another thread does the fault and opens the gate; say whether it was felt."""
    felt: list[Felt] = []

    def disturb() -> None:
        try:
            felt.append(FAULTS[name].act(gate, cluster))
        except (TimeoutError, OSError) as error:
            print(f"the fault could not be done: {error!r}", file=sys.stderr)
        finally:
            gate.open()

    other = threading.Thread(target=disturb)
    other.start()
    with gate.planted():
        released(frame, gate)
    other.join()
    return bool(felt) and felt[0]()


def released(frame, gate: Gate) -> None:
    """Release as a user does; note what was measured, or that it failed."""
    measure = SparkRecords.measure

    def noting(self: SparkRecords):
        measured = measure(self)
        (gate.folder / "measured.json").write_text(json.dumps(numbers_of(measured)))
        return measured

    SparkRecords.measure = noting
    try:
        release(frame, **{**UNITS[gate.place.unit], "ledger": str(gate.folder / "ledger.db")})
    except SourceError:
        (gate.folder / "failed").touch()
    finally:
        SparkRecords.measure = measure


def judged(gate: Gate, expected: list) -> str:
    """Say what came of a round."""
    charges = [row.state for row in open_ledger(str(gate.folder / "ledger.db")).history()]
    if (gate.folder / "failed").exists():
        return "failed cleanly" if not charges else "failed, and charged"
    same = json.loads((gate.folder / "measured.json").read_text()) == json.loads(json.dumps(expected))
    if same and charges == ["committed"]:
        return "identical"
    return f"same sketch: {same}, charges: {charges}"


# --- the driver -----------------------------------------------------------------------------------------------------


def driver_killed(folder: Path, cluster: Cluster, rounds: int) -> Iterator[Figures]:
    """Kill a `dpspin release` between reserve and commit; ask again, and once more."""
    figures, start = Figures("driver"), time.monotonic()
    pq.write_table(TABLE, folder / "data.parquet")
    while figures.rounds < rounds and figures.not_felt <= rounds:
        place = folder / f"driver-{figures.rounds}-{figures.not_felt}"
        place.mkdir()
        felt = left_reserved(place, cluster)
        figures.count(asked_again(place, cluster), "between reserve and commit", felt=felt)
    figures.seconds = time.monotonic() - start
    yield figures


def left_reserved(place: Path, cluster: Cluster) -> bool:
    """Kill a driver and its Java when it would commit; say whether the ledger has the charge and no plan."""
    with (place / "said.txt").open("w") as said:
        held = subprocess.Popen(driver(place, cluster, "--hold"), stdout=said, stderr=said)  # noqa: S603
        try:
            until((place / "held").exists)
        except TimeoutError:
            print((place / "said.txt").read_text(), file=sys.stderr)
        for process in (held.pid, *descendants(held.pid)):
            kill(process)
        held.wait()
    return states(place) == ["reserved"]


def asked_again(place: Path, cluster: Cluster) -> str:
    again = subprocess.run(driver(place, cluster), capture_output=True, text=True, check=False)  # noqa: S603
    charges = states(place)
    plans = [(place / out / "release" / "plan.json") for out in ("first", "second")]
    if again.returncode or charges != ["committed"] or not open_ledger(str(place / "ledger.db")).verify().holds:
        return f"code {again.returncode}, charges: {charges}: {again.stderr[-2000:]}"
    return "identical" if plans[0].read_bytes() == plans[1].read_bytes() else "asked twice, and answered differently"


def states(place: Path) -> list[str]:
    return [row.state for row in open_ledger(str(place / "ledger.db")).history()]


def driver(place: Path, cluster: Cluster, *words: str) -> list[str]:
    return [sys.executable, __file__, "--driver", str(place), "--master", cluster.address, *words]


def run_driver(place: Path, master: str, *, hold: bool) -> None:
    """Be the process that asks: the command line itself, twice."""

    def held(_ledger: Ledger, _reserved: object, _output: bytes) -> None:
        (place / "held").touch()
        time.sleep(PATIENCE)

    if hold:
        Ledger.commit = held
    for out in ("first", "second"):
        sys.argv = [
            *("dpspin", "release", str(place.parent / "data.parquet"), "--engine", "spark", "--master", master),
            *("--text", "body", "--user", "who", "--unit", "user", "--atoms", "support-tickets", "--map", "paper"),
            *("--epsilon", "1", "--denominator", "400", "--dataset", "tickets", "--snapshot", "v1"),
            *("--ledger", str(place / "ledger.db"), "--out", str(place / out)),
        ]
        try:
            run()
        except SystemExit as ended:
            if ended.code:
                raise


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--faults", nargs="+", choices=[*FAULTS, "driver"], default=[*FAULTS, "driver"])
    options.add_argument("--driver", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--master", help=argparse.SUPPRESS)
    options.add_argument("--hold", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster is ended, too
    warnings.simplefilter("ignore")  # of pandas' version, and of a ledger that is new
    if chosen.driver:
        run_driver(chosen.driver, chosen.master, hold=chosen.hold)
        return
    heads = ("fault", "rounds in which it was felt", "identical", "failed cleanly", "wrong", "repeated", "seconds")
    print(*("| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads))), sep="\n", flush=True)
    right = True
    for figures in all_figures(chosen.faults, chosen.rounds):
        print(figures.row(), *figures.wrong, sep="\n", flush=True)
        right &= figures.rounds >= chosen.rounds and not figures.wrong
    sys.exit(0 if right else 1)


def all_figures(faults: list[str], rounds: int) -> Iterator[Figures]:
    """Do the rounds of all faults on one cluster, those with the same settings in one session."""
    alike = [
        [name for name in faults if name in FAULTS and bool(FAULTS[name].settings) is told] for told in (False, True)
    ]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place)
        with spark_cluster(folder / "cluster") as cluster:
            for number, names in enumerate(filter(None, alike)):
                (folder / str(number)).mkdir()
                yield from faults_on_cluster(names, folder / str(number), cluster, rounds)
            if "driver" in faults:
                yield from driver_killed(folder, cluster, rounds)


if __name__ == "__main__":
    main()
