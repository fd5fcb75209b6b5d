"""Private work is done in processes of their own, which end when nothing was asked of them for a while.

So the server stays small and answers at once, whatever is read; and a record is never in the memory that makes pages,
but for the one on the reading desk.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from dpspin.app.answers import Failed
from dpspin.errors import DpSpinError, InputError, where_unforeseen

IDLE_SECONDS: Final = 120.0
PROCESSES: Final = 2
STOPPED: Final = "the process that reads stopped, perhaps for lack of memory. Nothing is lost: try again"


class Worker:
    """Does jobs by their names (see ``private_work.JOBS``), one or two at a time."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._under_way = 0
        self._bell: threading.Timer | None = None

    def start(self, job: str, *told: object) -> "Future[Any]":
        """Begin a job; what it returns can be asked for later with ``result_of``."""
        with self._lock:
            self._silence()
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(PROCESSES, spawn, initializer=_end_with_the_app)
            try:
                future = self._pool.submit(_do, job, told)
            except BrokenProcessPool:
                self._pool = None
                raise InputError(STOPPED) from None
            self._under_way += 1
        future.add_done_callback(self._ended)
        return future

    def do(self, job: str, *told: object) -> Any:  # noqa: ANN401  each job returns its own kind
        """Do a job, and wait for it."""
        return result_of(self.start(job, *told))

    def warm_up(self) -> None:
        """Load what the first job will need, if no process has done so."""
        with self._lock:
            warm = self._pool is not None
        if not warm:
            self.start("nothing")

    def end(self) -> None:
        """End the processes at once, whatever they do: files are written whole, and nothing here is charged."""
        with self._lock:
            self._silence()
            pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())  # noqa: SLF001  it would wait for them
            pool.shutdown(wait=False, cancel_futures=True)
            for each in processes:
                each.kill()

    def _ended(self, _: "Future[Any]") -> None:
        with self._lock:
            self._under_way -= 1
            if not self._under_way:
                self._silence()
                self._bell = threading.Timer(self._idle_seconds, self._end_if_idle)
                self._bell.daemon = True
                self._bell.start()

    def _end_if_idle(self) -> None:
        if not self._under_way:
            self.end()

    def _silence(self) -> None:
        if self._bell is not None:
            self._bell.cancel()


def result_of(future: "Future[Any]") -> Any:  # noqa: ANN401  each job returns its own kind
    """Wait for a job; what it was refused for is raised again, and nothing else of an error comes across."""
    try:
        result = future.result()
    except BrokenProcessPool:
        raise InputError(STOPPED) from None
    if isinstance(result, Failed):
        raise InputError(result.why)
    return result


def _do(job: str, told: tuple[object, ...]) -> object:
    """Do a job in a process of its own; an error becomes words that may be shown."""
    from dpspin.app.private_work import JOBS  # noqa: PLC0415  the server itself never loads what reads records

    work: Callable[..., object] = JOBS[job]
    try:
        return work(*told)
    except DpSpinError as error:
        return Failed(str(error))
    except Exception as error:  # noqa: BLE001  its message may quote a record
        return Failed(where_unforeseen(error))


def _end_with_the_app() -> None:
    """End this process when the app is gone, however it went."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
