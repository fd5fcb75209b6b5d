"""Periods of a series in the ledger, on every database: each once, in order, with the allowances that it leaves."""

import sqlite3
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import psycopg
import pytest
from sqlalchemy import select

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger import Reserved, chain
from dpspin.curator.ledger.periods import Claim, Generation, Moved
from dpspin.curator.ledger.schema import link
from dpspin.errors import LedgerError, RecordsRefused, RequestError
from factories import charge_to, price

OF_USERS = Neighbours("user", Adjacency.ADD_DROP)
ASKED = '{"mechanism":{"kind":"laplace"},"series":{"life":1}}'
REFUSED = (sqlite3.DatabaseError, psycopg.Error)


def life_of(fingerprint="life 1", dataset="tickets", epsilon=1.0):
    cost = price(epsilon, 0.0, OF_USERS)
    return charge_to(dataset, fingerprint, cost, ASKED, user_column="customer", first=PrivacyLoss(2.0))


LIFE = life_of()


@pytest.fixture
def ledger(backend):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = backend.open()
    reserved = opened.reserve(LIFE, "content of nobody")
    opened.commit(reserved, b"terms")
    return opened


def claim(name, number, content=None, before=None):
    """Claim a period as the run after the ``number - 1`` before it would."""
    before = Generation(number - 1, f"state {number - 1}" if number > 1 else "") if before is None else before
    return Claim(name, content or f"records of {name}", None, before, Generation(number, f"state {number}"))


def add(ledger, name, number):
    reserved = ledger.reserve_period(LIFE, claim(name, number))
    return ledger.commit_period(reserved, f"plan of {name}".encode())


def test_a_period_is_reserved_then_committed_and_then_answered_for_free(ledger):
    spent = ledger.budget("tickets").spent
    reserved = ledger.reserve_period(LIFE, claim("2026-W01", 1))
    assert (reserved.attempt, ledger.standing(LIFE).find("2026-W01").committed) == (1, None)
    assert ledger.commit_period(reserved, b"plan").output == b"plan"
    assert ledger.reserve_period(LIFE, claim("2026-W01", 1)).output == b"plan"
    assert ledger.reserve_period(LIFE, claim("2026-W01", 1, content="other records")).output == b"plan"
    assert ledger.budget("tickets").spent == spent  # the life has paid
    assert ledger.verify(reserved.statement.head).holds


def test_periods_follow_each_other_and_each_takes_from_what_the_one_before_left(ledger):
    assert ledger.standing(LIFE).before("2026-W01") == Generation()
    add(ledger, "2026-W01", 1)
    add(ledger, "2026-W03", 2)
    standing = ledger.standing(LIFE)
    assert [(each.name, each.after.number) for each in standing.periods] == [("2026-W01", 1), ("2026-W03", 2)]
    assert standing.before("2026-W03") == Generation(1, "state 1")
    assert standing.before("2026-W04") == Generation(2, "state 2")
    with pytest.raises(RequestError, match="closed: '2026-W03' was added"):
        ledger.reserve_period(LIFE, claim("2026-W02", 3))
    assert ledger.verify().holds


def test_a_claim_on_allowances_that_have_moved_on_reserves_nothing(ledger):
    add(ledger, "2026-W01", 1)
    assert isinstance(ledger.reserve_period(LIFE, claim("2026-W02", 1)), Moved)
    forked = claim("2026-W02", 2, before=Generation(1, "the state of another folder"))
    assert isinstance(ledger.reserve_period(LIFE, forked), Moved)
    assert len(ledger.standing(LIFE).periods) == 1


def test_a_stopped_run_is_resumed_with_the_same_records_and_fenced_off(ledger, backend):
    first = ledger.reserve_period(LIFE, claim("2026-W01", 1))
    second = ledger.reserve_period(LIFE, claim("2026-W01", 1))
    assert (first.entry_id, second.attempt) == (second.entry_id, 2)
    with pytest.raises(LedgerError, match="took this request over"):
        ledger.commit_period(first, b"noise that nobody may see")
    earlier = {known for (known,) in backend.raw("SELECT public_hash FROM link")}
    stored = ledger.commit_period(second, b"plan")
    assert (stored.output, stored.head in earlier, ledger.head()) == (b"plan", False, stored.head)
    assert ledger.standing(LIFE).find("2026-W01").committed == stored
    assert ledger.commit_period(first, b"late").output == b"plan"


def test_other_records_for_a_reserved_period_are_refused_and_the_next_period_goes_on(ledger):
    ledger.reserve_period(LIFE, claim("2026-W01", 1))
    with pytest.raises(RecordsRefused, match="begun with other records"):
        ledger.reserve_period(LIFE, claim("2026-W01", 1, content="other records"))
    other = Claim("2026-W01", "records of 2026-W01", None, Generation(), Generation(1, "counted in another way"))
    with pytest.raises(LedgerError, match="counts these records in another way"):
        ledger.reserve_period(LIFE, other)
    assert ledger.standing(LIFE).oldest_needed == 0  # somebody may still resume it
    add(ledger, "2026-W02", 2)
    assert ledger.standing(LIFE).oldest_needed == 0
    ledger.commit_period(ledger.reserve_period(LIFE, claim("2026-W01", 1)), b"plan")
    assert ledger.standing(LIFE).oldest_needed == 2


def test_what_was_not_opened_here_has_no_periods(ledger, backend):
    for unknown in (life_of("another life"), life_of(dataset="elsewhere")):
        with pytest.raises(LedgerError):
            ledger.standing(unknown)
    reserved_only = life_of("reserved only", epsilon=0.5)
    ledger.reserve(reserved_only, "content of another nobody")
    with pytest.raises(LedgerError, match="knows no life of a series"):
        ledger.reserve_period(reserved_only, claim("2026-W01", 1))


def test_the_same_records_under_another_name_are_known(ledger):
    add(ledger, "2026-W01", 1)
    elsewhere = charge_to("copy", "f", price(0.1, 0.0, OF_USERS), user_column="customer", first=PrivacyLoss(1.0))
    with pytest.raises(LedgerError, match="known to this ledger as dataset 'tickets'"):
        ledger.reserve(elsewhere, "records of 2026-W01")
    other = life_of(dataset="copy")
    ledger.commit(ledger.reserve(other, "content of nobody in the copy"), b"terms")
    with pytest.raises(LedgerError, match=r"knows the records .* as dataset 'tickets'.* --dataset tickets …\)$"):
        ledger.reserve_period(other, claim("2026-W01", 1))


def test_raw_sql_cannot_change_skip_or_repeat_a_period(backend, ledger):
    reserved = ledger.reserve_period(LIFE, claim("2026-W02", 1))
    row = "INSERT INTO period (entry_id, name, generation, content, state, day) VALUES ({}, 'c', 's', '2026-01-01')"
    for wrong in ("1, '2026-W03', 3", "1, '2026-W01', 2", "1, '2026-W02', 2", "1, '2026-W03', 1", "7, '2026-W03', 2"):
        with pytest.raises(REFUSED):
            backend.raw(row.format(wrong))
    for sql in ("DELETE FROM period", "UPDATE period SET state = 'more left'"):
        with pytest.raises(REFUSED, match="never"):
            backend.raw(sql)
    with pytest.raises(REFUSED):
        backend.raw("INSERT INTO period_run (period_id, attempt) VALUES (1, 3)")
    with pytest.raises(REFUSED):
        backend.raw("INSERT INTO period_output (id, attempt, output) VALUES (1, 2, 'forged')")
    ledger.commit_period(reserved, b"plan")
    with pytest.raises(REFUSED):
        backend.raw("INSERT INTO period_run (period_id, attempt) VALUES (1, 2)")
    for sql in ("DELETE FROM period_output", "UPDATE period_output SET attempt = 2"):
        with pytest.raises(REFUSED, match="never"):
            backend.raw(sql)
    assert ledger.verify().holds


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("period", "UPDATE period SET state = 'more left'"),
        ("period", "UPDATE period SET content = 'other records'"),
        ("period", "UPDATE period SET generation = 2"),
        ("period_output", "UPDATE period_output SET attempt = 3"),
        ("period_output", "DELETE FROM period_output"),
        ("period_run", "UPDATE period_run SET attempt = 3"),
        ("period_run", "DELETE FROM period_run"),
    ],
)
def test_tampering_with_a_period_is_found(backend, ledger, table, change):
    ledger.reserve_period(LIFE, claim("2026-W01", 1))  # and its run stops
    add(ledger, "2026-W01", 1)
    assert ledger.verify().holds
    backend.disarm(table)
    backend.raw(change)
    assert not ledger.verify().holds


def test_a_state_is_part_of_the_private_hash_alone(backend, ledger):
    """A published head must not let anybody confirm a guess at who has used how much."""
    ledger.reserve_period(LIFE, claim("2026-W01", 1))
    [(public, private)] = backend.raw("SELECT public_hash, private_hash FROM link WHERE kind = 'period'")
    backend.disarm("period")
    backend.raw("UPDATE period SET state = 'another state'")
    again = recompute_last(ledger)
    assert (again.public == public, again.private == private) == (True, False)


def recompute_last(ledger):
    with ledger._transaction() as connection:
        before, last = connection.execute(select(link).order_by(link.c.position.desc()).limit(2)).all()[::-1]
        start = chain.Hashes(before.public_hash, before.private_hash)
        return start.then(
            last.position, chain.Linked(last.kind), chain.row_of(connection, chain.Linked(last.kind), last.row_id)
        )


NAMES = [f"2026-W{number:02}" for number in range(1, 25)]


def add_next(ledger, name):
    """Add a period from the newest state; say whether that is over, by whomever."""
    before = ledger.standing(LIFE).before(name)
    after = Generation(before.number + 1, f"{before.digest}+{name}")
    try:
        got = ledger.reserve_period(LIFE, Claim(name, f"records of {name}", None, before, after))
        if isinstance(got, Reserved):
            ledger.commit_period(got, name.encode())
    except RequestError:  # a later one was added meanwhile
        return True
    except LedgerError:  # another run took it over: ask again
        return False
    return not isinstance(got, Moved)


@pytest.mark.long
def test_eight_at_once_on_one_life_reserve_each_period_once_and_lose_no_state(ledger, backend):
    def work(_):
        own = backend.open()
        for name in NAMES:
            while not add_next(own, name):
                pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    periods = ledger.standing(LIFE).periods
    assert [each.after.number for each in periods] == list(range(1, 25))
    for earlier, later in pairwise(periods):
        assert later.after.digest == f"{earlier.after.digest}+{later.name}"  # each took from the one before it
    assert [(each.name, each.committed.output) for each in periods] == [(name, name.encode()) for name in NAMES]
    assert ledger.verify().holds
