"""Run a command that waits at a named step until a line comes in. Used by the tests of signals and lost connections."""

import select
import sys

from dpspin.cli.main import run
from dpspin.curator.aggregate.local import Records
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.release import answer_request

PLACES = {"read": (Records, "measure"), "draw": (answer_request, "release_plan"), "commit": (Ledger, "commit")}


def hold_before(place: str) -> None:
    owner, name = PLACES[place]
    real = getattr(owner, name)

    def held(*args, **kwargs):
        sys.stdout.write("held\n")
        sys.stdout.flush()
        while not select.select([sys.stdin], [], [], 0.1)[0]:  # a signal just before a plain read would wait with it
            pass
        return real(*args, **kwargs)

    setattr(owner, name, held)


if __name__ == "__main__":
    hold_before(sys.argv.pop(1))
    run()
