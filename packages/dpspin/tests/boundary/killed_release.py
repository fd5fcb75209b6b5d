"""Run a command in a process that dies at a named step. Used by the tests of kill points."""

import os
import sys

from dpspin.cli.main import run
from dpspin.curator.aggregate import reading_folder
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.release import answer_request
from dpspin.public.report import folder

PLACES = {
    "reserve": (Ledger, "reserve"),
    "draw": (answer_request, "release_plan"),
    "commit": (Ledger, "commit"),
    "publish": (folder, "write_published"),
    "private": (reading_folder, "write_private"),  # each file of a sample's folder
}


def die_at(step: str) -> None:
    """``before-X`` or ``after-X``: the process ends there, at once and without clean-up, as under SIGKILL.

    ``before-X-3`` is the third time that it comes there.
    """
    moment, place, time = (*step.split("-"), "1")[:3]
    owner, name = PLACES[place]
    real, left = getattr(owner, name), int(time)

    def dying(*args, **kwargs):
        nonlocal left
        left -= 1
        if moment == "before" and not left:
            os._exit(9)
        outcome = real(*args, **kwargs)
        if not left:
            os._exit(9)
        return outcome

    setattr(owner, name, dying)


if __name__ == "__main__":
    die_at(sys.argv.pop(1))
    run()
