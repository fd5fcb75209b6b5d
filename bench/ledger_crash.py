"""Eight processes on one ledger, killed at random moments: is a budget ever overspent, a release ever without charge?

    python bench/ledger_crash.py --seconds 60                  # SQLite, in a temporary folder
    python bench/ledger_crash.py --seconds 60 --postgres       # a throw-away PostgreSQL server
    python bench/ledger_crash.py --seconds 60 --url URL        # a PostgreSQL database that is empty
    python bench/ledger_crash.py --seconds 5 --naive           # the control: SELECT, then INSERT. It must overspend

The workers spend on one dataset until it refuses a few times, and then turn to the next. They draw requests from one
small pool, so they also resume what a killed worker left, overtake each other, and ask for what was stored. Now and
then they add a period to one series, whose every period takes one tick off the allowance of each of four users. Prices,
pauses and victims are random. Exit code 1 if anything is wrong.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing
from ctypes import c_int
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from dpspin.boundary.accounting import Cost, Neighbours
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger import Charge, Committed, Ledger, Reserved, open_ledger
from dpspin.curator.ledger.periods import Claim, Moved
from dpspin.curator.release.series_period import StateFolder
from dpspin.errors import BudgetRefused, DpSpinError, LedgerError

WORKERS = 8
POOL = 20  # requests per dataset; together they cost about three times the cap
CAP_NANO = 60
CAP = PrivacyLoss(CAP_NANO / 10**9)
LARGEST_PRICE = 16
OF_RECORDS = Neighbours("record", Adjacency.ADD_DROP)
TURN = 0.3  # the chance that a refusal makes all turn to the next dataset
PATIENCE = 60  # seconds after the end in which every worker must have stopped, else something waits for ever
REQUEST = '{"mechanism":{"kind":"laplace"}}'
PERIODS = 0.3  # the chance that a worker adds a period instead
LIFE = Charge(
    *("a series", "life", Cost(PrivacyLoss(1e-9), 1e-9, Neighbours("user", Adjacency.ADD_DROP))),
    '{"mechanism":{"kind":"laplace"},"series":{}}',
    user_column="who",
    first=CAP,
)
USERS = np.arange(8, dtype=np.int64).reshape(4, 2)


@dataclass
class Figures:
    """What happened; the last five must be zero."""

    database: str
    seconds: int
    kills: int = 0
    charges: int = 0
    charged_nano: int = 0
    left_reserved: int = 0
    resumed: int = 0
    published: int = 0
    refused: int = 0
    fenced: int = 0
    accounts_used: int = 0
    periods: int = 0
    periods_left_reserved: int = 0
    claims_that_came_late: int = 0
    failures: list[str] = field(default_factory=list)
    overspent_accounts: int = 0
    releases_without_their_charge: int = 0
    releases_that_differ: int = 0
    allowances_lost_or_spent_twice: int = 0
    stuck_workers: int = 0

    @property
    def wrong(self) -> bool:
        counts = (self.overspent_accounts, self.releases_without_their_charge, self.releases_that_differ)
        return any((*counts, self.allowances_lost_or_spent_twice)) or self.stuck_workers > 0 or bool(self.failures)


@dataclass(frozen=True)
class Load:
    """Where and how long a worker spends."""

    place: str
    naive: bool
    end: float
    folder: Path
    turn: c_int  # the number of the dataset that is being spent; shared by all, and without a lock

    def refused(self, dataset: str, chance: random.Random) -> None:
        if chance.random() < TURN:
            self.turn.value = max(self.turn.value, int(dataset) + 1)


def price_nano(request: str) -> int:
    return hashlib.sha256(request.encode()).digest()[0] % LARGEST_PRICE + 1


def price(request: str) -> Cost:
    epsilon = price_nano(request) / 10**9
    return Cost(PrivacyLoss(epsilon), pure_rho(epsilon), OF_RECORDS)


def charge_of(dataset: str, request: str) -> Charge:
    return Charge(dataset, request, price(request), REQUEST, first=CAP)  # the first charge makes the account


# --- workers --------------------------------------------------------------------------------------------------------


def work(load: Load, ledger: Ledger | None, number: int, seed: int) -> None:
    chance = random.Random(seed)
    spend = spend_naively if load.naive else spend_soundly
    with (load.folder / f"{number}-{seed}.log").open("a", buffering=1) as log:
        while time.time() < load.end:
            dataset = str(load.turn.value)
            try:
                if ledger is not None and chance.random() < PERIODS:
                    add_a_period(load, ledger, chance, log)
                else:
                    spend(load, ledger, dataset, chance, log)
            except BudgetRefused:
                log.write("refused\n")
                load.refused(dataset, chance)
            except DpSpinError as error:
                known = {"took this request over": "fenced", "is closed": "late"}
                log.write(next((word for why, word in known.items() if why in str(error)), f"failed {error}") + "\n")


def spend_soundly(_load: Load, ledger: Ledger, dataset: str, chance: random.Random, log) -> None:
    request = f"{dataset}-{chance.randrange(POOL)}"
    answer = ledger.reserve(charge_of(dataset, request), f"records of {dataset}")
    if isinstance(answer, Committed):
        output = answer.output
    else:
        if answer.attempt > 1:
            log.write("resumed\n")
        time.sleep(chance.random() * 0.01)  # reading and drawing
        output = ledger.commit(answer, os.urandom(16).hex().encode()).output
    log.write(f"published {dataset} {request} {output.decode()}\n")


def add_a_period(load: Load, ledger: Ledger, chance: random.Random, log) -> None:
    """Add the next period, or finish one that a killed worker left; each takes one tick of everybody."""
    standing, folder = ledger.standing(LIFE), StateFolder(load.folder / "allowances")
    unfinished = [each.name for each in standing.periods if each.committed is None]
    name = chance.choice([*unfinished, f"{len(standing.periods) + 1:06}"])
    before = standing.before(name)
    state = folder.read(before)
    if state is None:
        if (ledger.standing(LIFE).before(name), ledger.standing(LIFE).find(name)) == (before, standing.find(name)):
            log.write(f"failed the allowances before {name} are gone\n")
        return
    after = folder.write(before.number + 1, state.plus(USERS, np.ones(len(USERS), np.int64)))
    answer = ledger.reserve_period(LIFE, Claim(name, f"records of {name}", None, before, after))
    if isinstance(answer, Moved):
        log.write("late\n")
        return
    output = answer.output if isinstance(answer, Committed) else drawn_for(answer, ledger, chance)
    folder.drop_before(ledger.standing(LIFE).oldest_needed)
    log.write(f"period {name} {output.decode()}\n")


def drawn_for(reserved: Reserved, ledger: Ledger, chance: random.Random) -> bytes:
    time.sleep(chance.random() * 0.01)
    return ledger.commit_period(reserved, os.urandom(16).hex().encode()).output


def spend_naively(load: Load, _ledger: None, dataset: str, chance: random.Random, _log) -> None:
    nano = chance.randrange(1, LARGEST_PRICE + 1)
    ((spent,),) = run(load.place, f"SELECT coalesce(sum(nano), 0) FROM naive WHERE dataset = '{dataset}'")
    if spent + nano > CAP_NANO:
        raise BudgetRefused(dataset)
    run(load.place, f"INSERT INTO naive (dataset, nano) VALUES ('{dataset}', {nano})")


def run(place: str, sql: str) -> list[tuple]:
    """Run one statement by itself, without our code."""
    if not place.startswith("postgresql"):
        with closing(sqlite3.connect(place, timeout=30, isolation_level=None)) as connection:
            return connection.execute(sql).fetchall()
    import psycopg

    with psycopg.connect(place, autocommit=True) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []


# --- the one who kills ----------------------------------------------------------------------------------------------


def torment(load: Load, ledger: Ledger | None, chance: random.Random, figures: Figures, between_kills: float) -> None:
    context = multiprocessing.get_context("fork")  # workers are there at once, with everything imported
    births = 0

    def start(number: int) -> multiprocessing.Process:
        nonlocal births
        births += 1
        worker = context.Process(target=work, args=(load, ledger, number, births))
        worker.start()
        return worker

    workers = [start(number) for number in range(WORKERS)]
    while time.time() < load.end:
        time.sleep(chance.expovariate(1 / between_kills))
        victim = chance.randrange(WORKERS)
        if workers[victim].is_alive():
            os.kill(workers[victim].pid, signal.SIGKILL)
            figures.kills += 1
        workers[victim].join()
        workers[victim] = start(victim)
    deadline = time.time() + PATIENCE
    for worker in workers:
        worker.join(max(0.0, deadline - time.time()))
        if worker.is_alive():
            figures.stuck_workers += 1
            worker.kill()
            worker.join()


# --- the one who counts ---------------------------------------------------------------------------------------------


def lines_of(folder: Path) -> list[str]:
    """Read what workers logged; the last line of a killed one may be torn."""
    return [line for log in folder.glob("*.log") for line in log.read_text().split("\n")[:-1]]


def count(load: Load, figures: Figures) -> None:
    lines = lines_of(load.folder)
    kinds = Counter(line.partition(" ")[0] for line in lines)
    figures.resumed, figures.refused, figures.fenced = (kinds[kind] for kind in ("resumed", "refused", "fenced"))
    figures.published, figures.claims_that_came_late = kinds["published"], kinds["late"]
    figures.failures = sorted({line for line in lines if line.startswith("failed")})[:5]
    if load.naive:
        sums = run(load.place, "SELECT dataset, sum(nano), count(*) FROM naive GROUP BY dataset")
    else:
        sums = run(load.place, "SELECT scope_id, sum(epsilon_nano), count(*) FROM entry GROUP BY scope_id")
    figures.accounts_used = len(sums)
    figures.charges, figures.charged_nano = sum(row[2] for row in sums), int(sum(row[1] for row in sums))
    figures.overspent_accounts = sum(row[1] > CAP_NANO for row in sums)
    if not load.naive:
        compare(load, figures, [line.split(" ") for line in lines if line.startswith("published")])
        compare_periods(load, figures, [line.split(" ") for line in lines if line.startswith("period")])


def compare(load: Load, figures: Figures, published: list[list[str]]) -> None:
    ledger = open_ledger(load.place)
    checked = ledger.verify()
    figures.failures += [] if checked.holds else [str(checked.finding)]
    figures.left_reserved = sum(row.state == "reserved" for row in ledger.history())
    stored: dict[str, bytes | None] = {}
    for _, dataset, request, output in published:
        if request not in stored:
            try:
                found = ledger.stored(charge_of(dataset, request), f"records of {dataset}")
                stored[request] = None if found is None else found.output
            except LedgerError:
                stored[request] = None
        figures.releases_without_their_charge += stored[request] is None
        figures.releases_that_differ += stored[request] not in {None, output.encode()}


def compare_periods(load: Load, figures: Figures, told: list[list[str]]) -> None:
    """Hold what was told against the ledger, and the newest allowances against the number of periods."""
    standing = open_ledger(load.place).standing(LIFE)
    figures.periods = len(standing.periods)
    figures.periods_left_reserved = sum(each.committed is None for each in standing.periods)
    for _, name, output in told:
        known = standing.find(name)
        stored = None if known is None or known.committed is None else known.committed.output
        figures.releases_without_their_charge += stored is None
        figures.releases_that_differ += stored not in {None, output.encode()}
    newest = StateFolder(load.folder / "allowances").read(standing.before("next"))
    used = [] if newest is None else newest.used_by(USERS).tolist()
    figures.allowances_lost_or_spent_twice = int(used != [len(standing.periods)] * len(USERS))


def prepare(load: Load) -> Ledger | None:
    """Make the tables; workers inherit the open ledger, which holds no connection between transactions."""
    if load.naive:
        run(load.place, "CREATE TABLE naive (dataset TEXT, nano INTEGER)")
        return None
    ledger = open_ledger(load.place)
    opened = ledger.reserve(LIFE, "nobody's records")
    ledger.commit(opened, b"terms")
    return ledger


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1, help="of the kills; processes have a timing of their own")
    asked.add_argument("--between-kills", type=float, default=0.3, help="seconds, on average")
    asked.add_argument("--url", help="a ledger's place; it must be empty")
    asked.add_argument("--postgres", action="store_true", help="start a throw-away server")
    asked.add_argument("--naive", action="store_true", help="the control that overspends")
    chosen = asked.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        place = chosen.url or str(folder / "ledger.db")
        if chosen.postgres:
            sys.path.insert(0, str(Path(__file__).parents[1] / "packages" / "dpspin" / "tests"))
            from postgres_server import postgres_server

            place = stack.enter_context(postgres_server(durable=True))
        (folder / "logs").mkdir()
        turn = multiprocessing.get_context("fork").Value("i", 0, lock=False)
        load = Load(place, chosen.naive, time.time() + chosen.seconds, folder / "logs", turn)
        ledger = prepare(load)
        database = "PostgreSQL" if place.startswith("postgresql") else "SQLite"
        figures = Figures(database, chosen.seconds)
        torment(load, ledger, random.Random(chosen.seed), figures, chosen.between_kills)
        count(load, figures)
    print(json.dumps(asdict(figures), indent=2))
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
