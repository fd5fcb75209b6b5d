"""What an evaluation is: where it reads and writes, how fine its grids are, and its parts when they are ready."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dpspin_lab.datasets.registry import DATASETS, dataset
from dpspin_lab.datasets.split import Split
from dpspin_lab.judge.judging import Judging
from dpspin_lab.runs.config import Source, Unit
from dpspin_lab.runs.grids import MAIN_K, Scale, Setting
from dpspin_lab.runs.model_runs import Decoding
from dpspin_lab.runs.workspace import Files, Workspace

Counting = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Where the data lie, where results go, how fine the grids are, and who is told of progress."""

    data: Path
    out: Path
    scale: Scale
    workers: int
    counting: Counting
    names: tuple[str, ...] = tuple(DATASETS)
    clean: bool = False
    judging: Judging | None = None
    decoding: Decoding | None = None
    tell: Callable[[str], None] = print

    @property
    def parts(self) -> list[tuple[str, Unit]]:
        """Every data set with every unit that it can protect."""
        return [(name, unit) for name in self.names for unit in dataset(name).units]


@dataclass(frozen=True, slots=True)
class Opened:
    """A data set and unit that is ready to run."""

    setting: Setting
    files: Files


def of_records(opened: Sequence[Opened]) -> list[Opened]:
    """Return the parts that rivals and judges are asked about."""
    return [one for one in opened if one.setting.unit == "record"]


def main_file(opened: Opened) -> Path:
    """Return the prepared records of the usual dictionary and K."""
    return opened.files[Source(opened.setting.main_m, MAIN_K)]


def split_of(data: Path, out: Path, setting: Setting) -> Split:
    """Read a data set, and split it."""
    kind = dataset(setting.dataset)
    return Workspace(kind, setting.unit, kind.read(data), out).split
