"""Four processes at once never over-spend; a ledger that reads and then writes does, and is caught."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import Amount, open_ledger
from factories import charge_to, price

SPENDER = Path(__file__).with_name("spender.py")
WORKERS, DATASETS, CAP_NANO = 4, 40, 60
LARGEST_PRICE = 16


def start(kind: str, path: Path, worker: int) -> subprocess.Popen:
    arguments = [kind, path, worker, DATASETS, CAP_NANO]
    return subprocess.Popen(
        [sys.executable, SPENDER, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def spend_together(kind: str, path: Path) -> None:
    with ExitStack() as stack:
        spenders = [stack.enter_context(start(kind, path, worker)) for worker in range(WORKERS)]
        for spender in spenders:
            stack.callback(spender.kill)
        assert [spender.stdout.readline() for spender in spenders] == ["ready\n"] * WORKERS
        for spender in spenders:
            spender.stdin.write("go\n")
            spender.stdin.flush()
        assert [spender.wait(timeout=120) for spender in spenders] == [0] * WORKERS


def test_four_processes_never_overspend(tmp_path):
    path = tmp_path / "ledger.db"
    ledger = open_ledger(path)
    for dataset in range(DATASETS):
        ledger.set_budget(str(dataset), PrivacyLoss(CAP_NANO / 10**9))
    spend_together("sound", path)
    spent = [ledger.budget(str(dataset)).spent.epsilon_nano for dataset in range(DATASETS)]
    assert all(CAP_NANO - LARGEST_PRICE < total <= CAP_NANO for total in spent)
    assert {row.state for row in ledger.history()} == {"committed"}


def test_threads_may_open_create_and_spend_at_the_same_time(tmp_path):
    path = tmp_path / "ledger.db"

    def open_and_spend(worker: int) -> None:
        ledger = open_ledger(path)
        ledger.set_budget("tickets", PrivacyLoss(1.0))
        for number in range(5):
            reserved = ledger.reserve(charge_to("tickets", f"{worker}-{number}", price(0.05)), "c")
            ledger.commit(reserved, b"plan")

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(open_and_spend, range(WORKERS)))
    assert open_ledger(path).budget("tickets").left == Amount(0)


def naive_overspends(path: Path) -> bool:
    spend_together("naive", path)
    with closing(sqlite3.connect(path)) as connection:
        spent = connection.execute("SELECT sum(epsilon_nano) FROM entry GROUP BY dataset").fetchall()
    return any(total > CAP_NANO for (total,) in spent)


def test_the_same_load_catches_a_ledger_that_reads_and_then_writes(tmp_path):
    # One round caught it in 12 of 12 runs on two cores; ten rounds leave the scheduler no excuse.
    assert any(naive_overspends(tmp_path / f"naive-{number}.db") for number in range(10))
