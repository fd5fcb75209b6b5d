"""Run a command of dpspin for a scheduler: what its exit code means, and a log that only its owner can read.

Nothing here needs Airflow. Put it beside the DAG (in the folder ``dags``), or wherever Python finds it.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

PASSES = frozenset((75, 137, 143))  # not now, or stopped from outside: the same command again goes on


class TryAgain(Exception):
    """The same command, unchanged, may succeed later; nothing is charged twice."""


class NeedsAPerson(Exception):
    """To repeat it would end in the same way."""


def run_dpspin(words: Sequence[str], log: Path, program: Sequence[str] = ("dpspin",)) -> None:
    """Run ``dpspin WORDS``. What it prints depends on the records: it goes to ``log``, and into no message."""
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    log.touch(mode=0o600)
    with log.open("ab") as file:
        done = subprocess.run([*program, *words], stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False)
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode  # a signal, as a shell counts it
    if code in PASSES:
        raise TryAgain(f"dpspin stopped with exit code {code}; its words are in {log}")
    if code == 3:
        raise NeedsAPerson(f"the budget does not cover it (exit code 3): ask the owner of the data. See {log}")
    if code != 0:
        raise NeedsAPerson(f"dpspin stopped with exit code {code}; its words are in {log}")
