"""A gate at which the tasks of a release note that they run, and wait: so that a fault comes at a known moment.

It is planted from outside, around the tasks; the engine knows nothing of it.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpspin.curator.aggregate import spark_records
from dpspin.curator.aggregate.spark_tasks import ClipAndSum, MapAndSum, MergeParts

PATIENCE = 600  # seconds in which a task must come to the gate: a machine may be busy
TASKS = {"MapAndSum": MapAndSum, "ClipAndSum": ClipAndSum, "MergeParts": MergeParts}


@dataclass(frozen=True)
class Place:
    """Where a release waits: at partition 0 of a task, before its work or when all of it is told."""

    unit: str
    task: str
    end: bool


@dataclass(frozen=True)
class Gate:
    """A folder in which tasks note that they run, and wait until it is open."""

    folder: Path
    place: Place

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Let the tasks of this process's session pass the gate."""
        setattr(spark_records, self.place.task, gated(TASKS[self.place.task], str(self.folder), self.place.end))
        try:
            yield
        finally:
            setattr(spark_records, self.place.task, TASKS[self.place.task])

    def open(self) -> None:
        """Let all through that wait, and all that come later."""
        (self.folder / "open").touch()

    def noted(self) -> dict[str, int]:
        """Return the partition and the attempt of each task that came, and its process."""
        return {note.name: int(note.read_text()) for note in self.folder.glob("*.task")}

    def waiting(self, tasks: int = 1) -> list[int]:
        """Wait until so many tasks wait; return their processes."""
        found: list[int] = []

        def enough() -> bool:
            found[:] = [process for name, process in self.noted().items() if name.startswith("0-")]
            return len(found) >= tasks

        until(enough)
        return found

    def came(self) -> Counter:
        """Count how many tasks came for each partition."""
        return Counter(name.partition("-")[0] for name in self.noted())


def gated(task: type, folder: str, at_end: bool) -> Callable:
    """Return a task that notes that it runs; of partition 0 it waits."""

    def made(*args):
        inner = task(*args)

        def work(batches):  # travels with its code: no worker knows this module
            import os
            import time
            from pathlib import Path

            from pyspark import TaskContext

            context = TaskContext.get()
            place = Path(folder)

            def pass_gate():
                name = f"{context.partitionId()}-{context.taskAttemptId()}"
                (place / f"{name}.new").write_text(str(os.getpid()))
                (place / f"{name}.new").rename(place / f"{name}.task")
                while context.partitionId() == 0 and not (place / "open").exists():
                    time.sleep(0.05)

            if not at_end:
                pass_gate()
            yield from inner(batches)
            if at_end:
                pass_gate()

        return work

    return made


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)
