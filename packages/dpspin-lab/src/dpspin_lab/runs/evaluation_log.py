"""What the last call of an evaluation was: its command, its software, and how long it took for how many runs."""

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Final, Literal

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.software import SOFTWARE
from dpspin_lab.runs.run import METRICS

FILE: Final = "sitting.json"  # earlier results have it under this name
_PACKAGES: Final = ("opendp", "dp-accounting", "numpy", "scipy", "scikit-learn")


class EvaluationLog(FrozenModel):
    """One call of ``dpspin lab paper`` that came to its end; what it found finished it did not make again."""

    private: Literal[False] = False
    scale: str
    seeds: int
    workers: int
    day: str
    seconds: float
    runs: int
    runs_found: int  # finished before, by an earlier call
    software: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command line, with the places left open."""
        quick = " --quick" if self.scale == "quick" else ""
        return f"dpspin lab paper --data DATA --out RESULTS{quick}"


@contextmanager
def logged_evaluation(out: Path, scale: str, seeds: int, workers: int) -> Iterator[None]:
    """Time what is done inside, and write it down beside the results."""
    found, start = finished_runs(out), monotonic()
    yield
    made = EvaluationLog(
        scale=scale,
        seeds=seeds,
        workers=workers,
        day=datetime.now(UTC).date().isoformat(),
        seconds=round(monotonic() - start, 1),
        runs=finished_runs(out),
        runs_found=found,
        software=(SOFTWARE, f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in _PACKAGES)),
    )
    write_whole(out / FILE, (made.model_dump_json(indent=1) + "\n").encode())


def finished_runs(out: Path) -> int:
    """Count the runs of all data sets and units that are there as a whole."""
    return sum(1 for _ in out.glob(f"*/runs/*/*/{METRICS}"))
