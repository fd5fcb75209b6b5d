"""Run a command of a series in a process that dies at a named step. Used by the tests of its kill points."""

import sys

from dpspin import series
from dpspin.cli.main import run
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.release import series_period
from dpspin.public.report import folder

PLACES = {
    "open": (Ledger, "reserve"),
    "opened": (Ledger, "commit"),
    "declare": (series, "write_private"),
    "state": (series_period.StateFolder, "write"),
    "reserve": (Ledger, "reserve_period"),
    "draw": (series_period, "release_plan"),
    "commit": (Ledger, "commit_period"),
    "drop": (series_period.StateFolder, "drop_before"),
    "publish": (folder, "write_published"),
    "index": (series, "write_published"),
}

if __name__ == "__main__":
    import killed_release  # from this folder: of a program, not of a collected module

    killed_release.PLACES = PLACES
    killed_release.die_at(sys.argv.pop(1))
    run()
