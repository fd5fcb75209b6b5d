"""Many runs at once: in parallel processes, told as they finish, and resumed where a grid was interrupted."""

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from dpspin.boundary.folders import NOTICE_FILE, require_no_release
from dpspin.errors import InputError
from dpspin_lab.not_private import evaluation_folder
from dpspin_lab.runs.config import RunConfig, Unit
from dpspin_lab.runs.prepared import key_of, prepared_at, start_of
from dpspin_lab.runs.run import UNFINISHED, is_finished, run, run_digest, write_run

MOMENT = 300  # seconds
MOST_AT_ONCE = 60  # runs per job: small enough for a steady progress bar


@dataclass(frozen=True, slots=True)
class Planned:
    """A run that is to be made: from which file, and into which folder."""

    config: RunConfig
    prepared: Path
    folder: Path


def runs_folder(out: Path, dataset: str, unit: Unit) -> Path:
    """Return where the runs of a data set and unit lie: ``<out>/<dataset>/runs/<unit>``."""
    return out / dataset / "runs" / unit


def planned(configs: Iterable[RunConfig], prepared: Callable[[RunConfig], Path], out: Path) -> list[Planned]:
    """Name the folder of each run by the digest of what makes it; a run that is asked for twice is made once."""
    made: dict[Path, Planned] = {}
    for config in configs:
        source = prepared(config)
        name = run_digest(config, source.stem).removeprefix("sha256:")[:20]
        folder = runs_folder(out, config.dataset, config.protected_unit) / name
        made[folder] = Planned(config, source, folder)
    return list(made.values())


@contextmanager
def pool_of(workers: int) -> Iterator[Executor]:
    """Open processes of their own for several workers; one works right here. After an error no more is started."""
    pool = (
        ThreadPoolExecutor(1)
        if workers == 1
        else ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_the_parent)
    )
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)  # those who open one wait for their jobs, so none is left unless one failed


def make_all(runs: Sequence[Planned], pool: Executor, tell: Callable[[int], None]) -> int:
    """Make every run that is not there yet, and return how many that were; ``tell`` hears of each finished batch."""
    prepare_folders(runs)
    missing = [one for one in runs if not is_finished(one.folder)]
    tell(len(runs) - len(missing))
    for made in as_completed([pool.submit(_make, job) for job in _jobs(missing)]):
        tell(made.result())
    return len(missing)


def prepare_folders(runs: Iterable[Planned]) -> None:
    """Make the folders of runs, and remove what an interrupted one left there."""
    for parent in {one.folder.parent for one in runs}:
        evaluation_folder(parent)
        _forget_unfinished(parent)


def clean_runs(out: Path, dataset: str, unit: Unit) -> None:
    """Remove the runs of a data set and unit, so that no summary joins two grids (the paper's CLEAN_RUNS=1)."""
    folder = runs_folder(out, dataset, unit)
    require_no_release(folder)
    if not folder.exists():
        return
    if not (folder / NOTICE_FILE).exists():
        raise InputError(f"{folder} was not made by the lab, so it is not removed: choose another output folder")
    shutil.rmtree(folder)


def _jobs(missing: Sequence[Planned]) -> Iterator[tuple[Planned, ...]]:
    """Put runs together that share their records, so that these are chosen and summed once."""

    def shared(one: Planned) -> tuple[str, str]:
        return str(one.prepared), repr(key_of(one.config))

    for _, group in groupby(sorted(missing, key=shared), key=shared):
        together = tuple(group)
        for first in range(0, len(together), MOST_AT_ONCE):
            yield together[first : first + MOST_AT_ONCE]


def _make(job: tuple[Planned, ...]) -> int:
    first = job[0]
    start = start_of(first.config, prepared_at(first.prepared))
    for one in job:
        write_run(one.folder, run(one.config, start))
    return len(job)


def _end_with_the_parent() -> None:
    """End a worker when its parent is killed: it would wait for more work for ever."""
    if (parent := parent_process()) is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def _forget_unfinished(folder: Path) -> None:
    """Remove what a killed process left; others may be at work here, and writing a run takes them a moment."""
    for begun in folder.glob(f"{UNFINISHED}*"):
        with suppress(FileNotFoundError):  # it is finished by now
            if time.time() - begun.stat().st_mtime > MOMENT:
                shutil.rmtree(begun, ignore_errors=True)
