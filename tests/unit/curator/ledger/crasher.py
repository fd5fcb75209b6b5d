"""A process that dies on purpose at a named moment, run by the crash test: ``crasher.py PATH MOMENT``."""

import os
import signal
import sys
from pathlib import Path

from sqlalchemy import Engine, event

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import open_ledger

OUTPUT = b"drawn before the crash" * 400_000  # larger than SQLite's cache, so that pages reach the file before COMMIT


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(path: Path, moment: str) -> None:
    ledger = open_ledger(path)
    if moment == "inside reserve":
        event.listen(Engine, "commit", die)  # fires when all is written but COMMIT is not sent
    reserved = ledger.reserve(
        "tickets",
        fingerprint="request",
        content="content",
        loss=PrivacyLoss(0.4),
        request_json='{"mechanism":{"kind":"laplace"}}',
    )
    if moment == "after reserve":
        die()
    if moment == "exit after reserve":
        os._exit(1)
    if moment == "inside commit":
        event.listen(Engine, "commit", die)
    ledger.commit(reserved, OUTPUT)
    die()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
