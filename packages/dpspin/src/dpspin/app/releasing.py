"""A release in a process of its own: begun once however often it is asked for, seen from any page, stopped safely.

The process holds a lock for as long as it lives, so a second one for the same report ends at once, and an app that is
started anew sees that it runs. Stopping it at any point is safe: the ledger charges before noise is drawn, and the same
request again goes on from there at no further cost.
"""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.app.journey import OUTCOME, Journey
from dpspin.boundary.safe_files import read_plain, write_private
from dpspin.errors import InputError

LOCK, PROGRESS = "at-work.lock", "progress.json"
PROGRAM: Final = "dpspin.app.long_work"


@dataclass(frozen=True, slots=True)
class Running:
    """It is at work: what it does, and how many records it has read. For the curator's eyes."""

    doing: str
    records: int


@dataclass(frozen=True, slots=True)
class Done:
    """It ended as it should."""

    task: str


@dataclass(frozen=True, slots=True)
class Refused:
    """It was refused, for a reason that may be shown."""

    why: str
    by_ledger: bool
    unforeseen: bool = False  # a fault of ours: the same request again is the remedy


@dataclass(frozen=True, slots=True)
class NotBegun:
    """Nobody asked for it, or it was stopped before the end."""

    stopped: bool


State = Running | Done | Refused | NotBegun


def begin(journey: Journey, task: str, *told: str) -> None:
    """Start the long work of a report, unless it is at work; it outlives the app."""
    with _lock(journey) as (place, free):
        if not free:
            return
        (journey.private / OUTCOME).unlink(missing_ok=True)
        process = subprocess.Popen(  # noqa: S603  our own program, with names that were checked
            [sys.executable, "-m", PROGRAM, str(journey.room), journey.name, task, *told],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[place],  # and with it the lock, which is held for as long as the process lives
        )
        write_progress(journey.private, "Getting ready", process.pid)
    threading.Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie


def write_progress(private: Path, doing: str, process: int, records: int = 0) -> None:
    """Write down what a process does."""
    write_private(private / PROGRESS, json.dumps({"doing": doing, "records": records, "process": process}).encode())


def state_of(journey: Journey) -> State:
    """Tell how the long work of a report stands, by its files alone."""
    outcome = journey.outcome()
    with _lock(journey) as (_, free):
        if not free:
            told = _progress(journey)
            return Running(str(told.get("doing", "Getting ready")), _whole(told.get("records")))
    if outcome.get("task"):
        return Done(str(outcome["task"]))
    if outcome.get("why"):
        return Refused(str(outcome["why"]), bool(outcome.get("by_ledger")), bool(outcome.get("unforeseen")))
    return NotBegun(stopped=(journey.private / PROGRESS).exists())


def cancel(journey: Journey) -> None:
    """Stop the long work, if it is at work; what was charged stays charged, and is not charged again."""
    with _lock(journey) as (_, free):
        process = _whole(_progress(journey).get("process"))
        if free or not process:
            return
    try:
        os.kill(process, signal.SIGTERM)
    except ProcessLookupError:
        return


@contextmanager
def _lock(journey: Journey) -> Iterator[tuple[int, bool]]:
    """Take the lock of a report for a moment, or for a process that inherits it; tell whether it was free."""
    place = os.open(journey.private / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield place, _taken(place)
    finally:
        os.close(place)


def _taken(place: int) -> bool:
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _progress(journey: Journey) -> dict[str, object]:
    try:
        told = json.loads(read_plain(journey.private / PROGRESS))
    except (FileNotFoundError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _whole(number: object) -> int:
    return number if isinstance(number, int) else 0


def require_open(journey: Journey) -> None:
    """Refuse a change while the report's request is being released, and afterwards."""
    if isinstance(state_of(journey), Running):
        raise InputError("this request is being released: wait for it, or stop it first")
    if journey.report_file.exists():
        raise InputError("this report is released as it was asked for: ask something else in another one")
