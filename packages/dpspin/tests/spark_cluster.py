"""A real Spark cluster on loopback, from the pip package: one master and two workers, each a Java process of its own.

The workers stand for two machines. Each has one core, a folder for its local files, and an address: Spark never runs a
speculative duplicate at the address of the task itself. The system picks all ports.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from spark_sessions import java, spark_session

READY_SECONDS = 120
HERE, THERE = "127.0.0.1", "127.0.0.2"
MASTER, WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"
MASTER_SAYS, WORKER_SAYS = re.compile(r"Starting Spark master at (\S+)"), re.compile("(Successfully registered)")
OWN = {
    "spark.driver.host": HERE,
    "spark.driver.bindAddress": HERE,
    "spark.executor.memory": "512m",
}


@dataclass
class Daemon:
    """A master or a worker that runs; a worker can be killed and started again."""

    words: tuple[str, ...]
    address: str
    folder: Path
    ready: re.Pattern
    process: subprocess.Popen | None = field(default=None, init=False, repr=False)

    @property
    def local(self) -> Path:
        """Where its executors keep the exchange and what they spill."""
        return self.folder / "local"

    def start(self) -> None:
        """Start it."""
        import pyspark

        self.local.mkdir(parents=True, exist_ok=True)
        script = Path(pyspark.__file__).parent / "bin" / "spark-class"
        own = {
            "SPARK_LOCAL_IP": self.address,
            "SPARK_LOCAL_DIRS": str(self.local),
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",  # its port would be a fixed one
        }
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                ["bash", script, *self.words, "--host", self.address, "--port", "0", "--webui-port", "0"],
                env=os.environ | own,
                stdout=log,
                stderr=log,
            )

    def said(self) -> str:
        """Wait until it says that it is ready; return what it said."""
        deadline = time.monotonic() + READY_SECONDS
        while (found := self.ready.search(self._log.read_text())) is None:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"a part of the cluster did not start: {self._log.read_text()[-2000:]}")
            time.sleep(0.1)
        return found.group(1)

    def kill(self) -> None:
        """End it and all that it started, at once."""
        if self.process is not None:
            for process in (self.process.pid, *descendants(self.process.pid)):
                kill(process)
            self.process.wait()

    @property
    def _log(self) -> Path:
        return self.folder / "daemon.log"


@dataclass(frozen=True)
class Cluster:
    """Where the master listens, and the workers."""

    address: str
    workers: tuple[Daemon, ...]


@contextmanager
def spark_cluster(folder: Path, workers: int = 2, **settings: str) -> Iterator[Cluster]:
    """Start master and workers, whose logs and local files lie in the folder; end them all.

    The settings hold for the cluster, and for every session that this process and its children start later.
    """
    (folder / "conf").mkdir(parents=True)
    lines = [f"{name} {value}\n" for name, value in {**OWN, **settings}.items()]
    (folder / "conf" / "spark-defaults.conf").write_text("".join(lines))
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_CONF_DIR": str(folder / "conf"),
        "SPARK_LOCAL_IP": HERE,
        **java(folder),
    }
    with ExitStack() as stack:
        master = Daemon((MASTER,), HERE, folder / "master", MASTER_SAYS)
        stack.callback(master.kill)
        master.start()
        address = master.said()
        started = tuple(_worker(folder / f"worker-{number}", address, number) for number in range(workers))
        for worker in started:
            stack.callback(worker.kill)
            worker.start()
        for worker in started:
            worker.said()
        yield Cluster(address, started)


def _worker(folder: Path, master: str, number: int) -> Daemon:
    words = (WORKER, master, "--cores", "1", "--memory", "2g", "--work-dir", str(folder / "work"))
    return Daemon(words, THERE if number else HERE, folder, WORKER_SAYS)


@contextmanager
def cluster_session(folder: Path, cluster: Cluster, **settings: str) -> Iterator:
    """Start a session whose executors are the cluster's."""
    folder.mkdir(parents=True, exist_ok=True)
    with spark_session(folder, cluster.address, **settings) as session:
        yield session


def descendants(process: int) -> tuple[int, ...]:
    """Return all that a process started, and what these started."""
    parents = {each: parent_of(each) for each in _running()}
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return tuple(found[1:])


def parent_of(process: int) -> int | None:
    """Return who started a process; None if it has gone."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def kill(process: int) -> None:
    """End a process without a warning; one that has gone is left alone."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def _running() -> list[int]:
    return [int(each.name) for each in Path("/proc").glob("[0-9]*")]
