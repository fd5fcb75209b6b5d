"""A ledger on a PostgreSQL server: what is special to it. What all databases promise is in the contract suite."""

import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import Amount, open_ledger
from dpspin.curator.ledger.stores import store_of
from dpspin.errors import BudgetRefused, LedgerError, MissingExtra, NewLedger
from factories import charge_to, price

SECRET = "hunter2-and-more"
UNREACHABLE = f"postgresql://curator:{SECRET}@/ledger?host=/nowhere&sslpassword={SECRET}"


@pytest.fixture
def url(postgres):
    """A schema of its own on the shared server; with a password, which a trusting server does not ask for."""
    name = f"own_{uuid4().hex}"
    with psycopg.connect(postgres) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{postgres}&options=-csearch_path%3D{name}".replace("curator@", f"curator:{SECRET}@")


def test_the_password_is_in_no_message_name_or_command(url):
    ledger = open_ledger(url)
    ledger.set_budget("tickets", PrivacyLoss(0.1))
    with pytest.raises(BudgetRefused) as refused:
        ledger.check(charge_to("tickets", "f", price(1.0)))
    assert "--ledger postgresql://curator@/postgres" in str(refused.value)
    assert SECRET not in f"{ledger!r} {store_of(url)!r} {refused.value}"


@pytest.mark.parametrize("attempt", [open_ledger, lambda url: store_of(url).exists()], ids=["open", "look"])
def test_a_server_that_is_away_is_reported_without_the_password(attempt):
    with pytest.raises(LedgerError, match="postgresql://curator@/ledger cannot be") as failed:
        attempt(UNREACHABLE)
    assert SECRET not in "".join(traceback.format_exception(failed.value))


def test_a_driver_that_quotes_the_password_is_not_passed_on():
    message = store_of(UNREACHABLE).without_secrets(f"cannot log in with {SECRET}\n  at all")
    assert message == "cannot log in with *** at all"


def test_looking_does_not_make_a_ledger(url):
    assert not store_of(url).exists()
    open_ledger(url)
    assert store_of(url).exists()


def test_a_schema_whose_ledger_was_dropped_is_not_taken_for_a_new_one(url):
    open_ledger(url).set_budget("tickets", PrivacyLoss(1.0))
    with psycopg.connect(url) as connection:
        for (table,) in connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        ).fetchall():
            connection.execute(f"DROP TABLE {table} CASCADE")
    assert not store_of(url).exists()
    with pytest.raises(LedgerError, match=r"is empty: .* Restore it"):
        open_ledger(url)


def test_a_new_ledger_is_announced_once_and_without_the_password(url):
    with pytest.warns(NewLedger, match="New ledger: postgresql://curator@/postgres") as told:
        open_ledger(url)
    assert SECRET not in str(told[0].message)
    assert not open_ledger(url).is_new


def test_a_database_of_something_else_is_refused(url):
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(LedgerError, match="not a dpspin ledger"):
        open_ledger(url)


def test_without_its_driver_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"dpspin\[postgres\]"):
        open_ledger(UNREACHABLE)


def test_sessions_are_durable_and_never_wait_for_ever(url):
    with open_ledger(url)._engine.begin() as connection:
        names = ("synchronous_commit", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_isolation")
        settings = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names]
    assert settings == ["on", "30s", "1min", "read committed"]


def test_threads_may_open_create_and_spend_at_the_same_time(url):
    def open_and_spend(worker):
        ledger = open_ledger(url)
        ledger.set_budget("tickets", PrivacyLoss(1.0))
        for number in range(3):
            reserved = ledger.reserve(charge_to("tickets", f"{worker}-{number}", price(0.1)), "c")
            ledger.commit(reserved, b"plan")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(open_and_spend, range(3)))
    assert open_ledger(url).budget("tickets").left == Amount(100_000_000)
    assert open_ledger(url).verify().holds


def test_raw_writers_wait_for_each_other_in_the_triggers(url):
    """Without our lock: the second charge sees the first, because it waited for the row of the account."""
    open_ledger(url).set_budget("tickets", PrivacyLoss(1.0))
    price, kind = "600000000, 0, 1", "'record', 'add_drop'"
    columns = (
        "epsilon_nano, delta_atto, rho_nano, unit, adjacency, scope_id, fingerprint, content, mechanism, request, day"
    )
    charge = f"INSERT INTO entry ({columns}) VALUES ({price}, {kind}, 1, '%s', 'c', 'm', '{{}}', '2024-01-01')"
    with psycopg.connect(url) as first, ThreadPoolExecutor(1) as pool:
        first.execute(charge % "one")
        with psycopg.connect(url) as second:
            waiting = pool.submit(second.execute, charge % "two")
            _until_it_waits(url)
            first.commit()
            with pytest.raises(psycopg.IntegrityError, match="exceeds the cap"):
                waiting.result(timeout=30)


def _until_it_waits(url):
    with psycopg.connect(url, autocommit=True) as watcher:
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while not watcher.execute(query).fetchone()[0]:
            pass
