"""The process of a long work: a release, or the drawing of a sample. It writes down how far it is and how it ended."""

import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dpspin.app.journey import OUTCOME, Journey
from dpspin.app.releasing import write_progress
from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.safe_files import write_private
from dpspin.curator.aggregate.local import Records
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import ApprovalRefused, BudgetRefused, DpSpinError, LedgerError, where_unforeseen
from dpspin.pipeline import dated, run
from dpspin.request import ReleaseRequest
from dpspin.sampling import SampleRequest, draw

SAMPLE: Final = "sample"
SECONDS_BETWEEN: Final = 0.3


class InTheApp:
    """The curator at the app: the look was taken on its own page, and progress is written for the next one."""

    def __init__(self, private: Path) -> None:
        self._private = private
        self._told = 0.0
        self._records = 0

    def doing(self, what: str, records: int = 0) -> None:
        """Write down what is being done."""
        write_progress(self._private, what, os.getpid(), records)

    def look_at_data(self, measured: Measurement, atoms: AtomUniverse) -> None:
        """Do not look again."""

    def look_at_map(self, records: Records) -> Records:
        """Do not look."""
        return records

    @contextmanager
    def fitting(self, atoms: AtomUniverse) -> Iterator[None]:
        """Say that the map is being fitted."""
        self.doing(f"Learning to recognise the {atoms.size} themes")
        yield

    @contextmanager
    def reading(self) -> Iterator[Callable[[int], None]]:
        """Say how many records have been read: they are read twice, to be compared and to be measured."""
        self.doing("Reading the records")
        yield self._read

    def _read(self, records: int) -> None:
        self._records += records
        if time.monotonic() - self._told > SECONDS_BETWEEN:
            self._told = time.monotonic()
            self.doing("Reading the records", self._records)


def work(journey: Journey, task: str, told: list[str]) -> None:
    """Do one task; the lock came from whoever began it. Write how it ended."""
    ended = _ended(journey, task, told, InTheApp(journey.private))
    write_private(journey.private / OUTCOME, json.dumps(ended).encode())


def _ended(journey: Journey, task: str, told: list[str], seen: InTheApp) -> dict[str, object]:
    try:
        request = ReleaseRequest.load(journey.request_file)
        if task == SAMPLE:
            seen.doing("Learning to recognise the themes, and drawing records")
            draw(SampleRequest.of(request), int(told[0]), journey.reading_folder())
        else:
            run(dated(request), journey.folder, seen)
    except DpSpinError as error:
        return {"why": str(error), "by_ledger": isinstance(error, ApprovalRefused | BudgetRefused | LedgerError)}
    except Exception as error:  # noqa: BLE001  its message may quote a record
        return {"why": where_unforeseen(error), "unforeseen": True}
    return {"task": task, "digest": request.digest}


def main(words: list[str]) -> None:
    """Work as the app asked; SIGTERM stops in order, so that what is temporary is removed."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    warnings.simplefilter("ignore")  # nobody sees a terminal here; the pages say what there is to say
    room, name, task, *told = words
    work(Journey(Path(room), name), task, told)


if __name__ == "__main__":
    main(sys.argv[1:])
