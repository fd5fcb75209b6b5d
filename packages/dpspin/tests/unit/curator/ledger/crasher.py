"""A process that dies on purpose at a named moment, run by the crash test: ``crasher.py PATH_OR_URL MOMENT``."""

import os
import signal
import sys

from sqlalchemy import Engine, event

from dpspin.boundary.accounting import Cost, Neighbours
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger import Charge, open_ledger

OUTPUT = b"drawn before the crash" * 400_000  # larger than SQLite's cache, so that pages reach the file before COMMIT
OF_RECORDS = Neighbours("record", Adjacency.ADD_DROP)


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(path: str, moment: str) -> None:
    if moment == "inside opening":  # of a ledger that is made, or upgraded
        event.listen(Engine, "commit", die)
    ledger = open_ledger(path)
    if moment == "inside reserve":
        event.listen(Engine, "commit", die)  # fires when all is written but COMMIT is not sent
    cost = Cost(PrivacyLoss(0.4), pure_rho(0.4), OF_RECORDS)
    reserved = ledger.reserve(Charge("tickets", "request", cost, '{"mechanism":{"kind":"laplace"}}'), "content")
    if moment == "after reserve":
        die()
    if moment == "exit after reserve":
        os._exit(1)
    if moment == "inside commit":
        event.listen(Engine, "commit", die)
    ledger.commit(reserved, OUTPUT)
    die()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
