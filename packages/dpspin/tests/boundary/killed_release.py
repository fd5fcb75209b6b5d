"""Run a release in a process that dies at a named step. Used by test_kill_points."""

import os
import sys

from dpspin.cli.main import run
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.release import answer_request
from dpspin.public.report import folder

PLACES = {
    "reserve": (Ledger, "reserve"),
    "draw": (answer_request, "release_plan"),
    "commit": (Ledger, "commit"),
    "publish": (folder, "write_published"),
}


def die_at(step: str) -> None:
    """``before-X`` or ``after-X``: the process ends there, at once and without clean-up, as under SIGKILL."""
    moment, _, place = step.partition("-")
    owner, name = PLACES[place]
    real = getattr(owner, name)

    def dying(*args, **kwargs):
        if moment == "before":
            os._exit(9)
        real(*args, **kwargs)
        os._exit(9)

    setattr(owner, name, dying)


if __name__ == "__main__":
    die_at(sys.argv.pop(1))
    run()
