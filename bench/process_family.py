"""The CPU and the memory of this process and of all that it started, Java and its Python workers too.

Spark's Python daemon ignores the death of its workers, so the kernel adds what they used to nobody's account: a
worker that idles for a minute is ended, and its CPU seconds are gone from every sum over living processes. Here all of
the family is looked at again and again, and what was seen of a process stays when it has gone: what it did after the
last look is missed. Looks do not count.
"""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

EVERY = 2.0  # seconds
TICKS = os.sysconf("SC_CLK_TCK")
Process = tuple[int, int]  # its number, and when it was started: numbers are used again


@dataclass
class Family:
    """What was seen of all processes; ask after ``look``."""

    kinds: dict[Process, str] = field(default_factory=dict)
    seconds: dict[Process, float] = field(default_factory=dict)
    peaks: dict[Process, int] = field(default_factory=dict)
    looking: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def look(self) -> None:
        """See what each process has used by now."""
        with self.lock:
            start = time.thread_time()
            for number, fields in _family():
                process = (number, int(fields[19]))
                try:
                    words, status = _file(number, "cmdline"), _file(number, "status")
                except OSError:  # gone meanwhile
                    continue
                self.kinds[process] = _kind(number, words)
                self.seconds[process] = (int(fields[11]) + int(fields[12])) / TICKS
                told = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")]
                self.peaks[process] = max([self.peaks.get(process, 0), *told])
            self.looking += time.thread_time() - start

    def cpu(self, kind: str = "") -> float:
        """Return the CPU seconds of all, or of one kind."""
        self.look()
        counted = sum(seconds for process, seconds in self.seconds.items() if kind in self.kinds[process])
        return counted - (0 if kind else self.looking)

    def peak(self, kind: str) -> int:
        """Return the largest peak of memory, in MiB, of one process of a kind."""
        self.look()
        return max((peak for process, peak in self.peaks.items() if self.kinds[process] == kind), default=0) // 1024


@contextmanager
def watched(every: float = EVERY) -> Iterator[Family]:
    """Look at the family again and again; where processes are short-lived, often."""
    family, ended = Family(), threading.Event()

    def watch() -> None:
        while not ended.wait(every):
            family.look()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield family
    finally:
        ended.set()
        watcher.join()


def _kind(number: int, words: str) -> str:
    if number == os.getpid():
        return "this"
    if "CoarseGrainedExecutorBackend" in words:
        return "java executor"
    if "SparkSubmit" in words:
        return "java driver"  # with a local master it is the executor too
    if "pyspark.daemon" in words:
        return "python"
    return "java" if "java" in words else "other"


def _family() -> list[tuple[int, list[str]]]:
    stats = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            stats[int(stat.parent.name)] = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
    found = [os.getpid()]
    for one in found:
        found += [child for child, fields in stats.items() if int(fields[1]) == one]
    return [(number, stats[number]) for number in found if number in stats]


def _file(number: int, name: str) -> str:
    return Path(f"/proc/{number}/{name}").read_text()
