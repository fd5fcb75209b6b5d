"""A process that spends as fast as it can, run by the concurrency test.

``spender.py sound|naive PATH WORKER DATASETS CAP_NANO`` says "ready", waits for a line, then goes through the
datasets and spends on each until it is refused: so all workers reach for the last crumbs of one cap together.
"""

import hashlib
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from dpspin.boundary.accounting import Cost, Neighbours
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger import Charge, open_ledger
from dpspin.errors import BudgetRefused

LARGEST_PRICE = 16
OF_RECORDS = Neighbours("record", Adjacency.ADD_DROP)


class SoundLedger:
    """The ledger under test."""

    def __init__(self, path: Path, cap_nano: int) -> None:  # the cap stands in the file
        self.ledger = open_ledger(path)

    def spend(self, dataset: str, request: str, nano: int) -> None:
        cost = Cost(PrivacyLoss(nano / 10**9), pure_rho(nano / 10**9), OF_RECORDS)
        charge = Charge(dataset, request, cost, '{"mechanism":{"kind":"laplace"}}')
        reserved = self.ledger.reserve(charge, f"records of {dataset}")
        self.ledger.commit(reserved, request.encode())


class NaiveLedger:
    """The control: reads the sum, then inserts. The test must catch it."""

    def __init__(self, path: Path, cap_nano: int) -> None:
        self.path = path
        self.cap_nano = cap_nano
        self._run("CREATE TABLE IF NOT EXISTS entry (dataset TEXT, epsilon_nano INTEGER)")

    def spend(self, dataset: str, request: str, nano: int) -> None:
        (spent,) = self._run("SELECT coalesce(sum(epsilon_nano), 0) FROM entry WHERE dataset = ?", dataset)[0]
        if spent + nano > self.cap_nano:
            raise BudgetRefused(request)
        self._run("INSERT INTO entry VALUES (?, ?)", dataset, nano)

    def _run(self, sql: str, *values: object) -> list[tuple]:
        with closing(sqlite3.connect(self.path, timeout=30, isolation_level=None)) as connection:
            return connection.execute(sql, values).fetchall()


def price(worker: str, dataset: str, number: int) -> int:
    """Different for every worker and request, the same in every run."""
    return hashlib.sha256(f"{worker} {dataset} {number}".encode()).digest()[0] % LARGEST_PRICE + 1


def spend_until_refused(ledger: SoundLedger | NaiveLedger, dataset: str, worker: str) -> None:
    for number in count():
        try:
            ledger.spend(dataset, f"{worker}-{number}", price(worker, dataset, number))
        except BudgetRefused:
            return


def main(kind: str, path: str, worker: str, datasets: str, cap_nano: str) -> None:
    ledger = {"sound": SoundLedger, "naive": NaiveLedger}[kind](Path(path), int(cap_nano))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for dataset in range(int(datasets)):
        spend_until_refused(ledger, str(dataset), worker)


if __name__ == "__main__":
    main(*sys.argv[1:])
