"""Ledgers of schemas 3 to 6, as earlier versions wrote them, go on: nothing that they hold is lost or changed."""

import json
import re
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.boundary.signing import make_key
from dpspin.curator.ledger import Reserved
from dpspin.curator.ledger.periods import Claim, Generation
from dpspin.errors import ApprovalRefused, BudgetRefused, LedgerError, RequestError
from factories import charge_to, price

GOLDEN = Path(__file__).parents[1] / "golden" / "ledger-schema-3"
WITHOUT_SERIES = GOLDEN.with_name("ledger-schema-4")
WITHOUT_RUNS = GOLDEN.with_name("ledger-schema-5")
WITHOUT_APPROVALS = GOLDEN.with_name("ledger-schema-6")
OF_USERS = Neighbours("user", Adjacency.ADD_DROP)
REQUEST = '{"mechanism":{"kind":"laplace"}}'
OLD_TABLES = ("scope", "budget_change", "entry", "resumption", "output", "link")


@pytest.fixture
def expected(backend):
    backend.restore((GOLDEN / f"{backend.kind}.sql").read_text())
    return json.loads((GOLDEN / f"{backend.kind}.json").read_text())


def told(ledger):
    """What the ledger answers, as the golden file of the version before has it."""
    accounts = [
        {
            "kind": each.kind.value,
            "name": each.name,
            "budget": each.budget.as_json(),
            "population": each.population,
            "partition": each.partition,
            "about": None if each.neighbours is None else str(each.neighbours),
            "more_like_the_last": each.more_like_the_last,
        }
        for each in ledger.overviews()
    ]
    history, decisions = ledger.history(), ledger.decisions()
    return {
        "overviews": accounts,
        "history": [row.as_json() for row in history],
        "decisions": [made.as_json() for made in decisions],
    }


def version(backend):
    return backend.raw("SELECT schema_version FROM dpspin_ledger")


def stored_requests(backend):
    columns = "scope.name, entry.fingerprint, entry.content, output.output"
    joined = "entry JOIN scope ON scope.id = entry.scope_id JOIN output ON output.id = entry.id"
    return backend.raw(f"SELECT {columns} FROM {joined} ORDER BY entry.id")


def test_an_upgraded_ledger_tells_what_it_told_before(backend, expected):
    ledger = backend.open()
    assert version(backend) == [(7,)]
    assert told(ledger) == {name: expected[name] for name in ("overviews", "history", "decisions")}
    assert told(backend.open()) == told(ledger)  # and the second opening changes nothing more
    assert backend.open().head() == ledger.head()


def test_no_row_and_no_hash_of_it_changes(backend, expected):
    before = {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in OLD_TABLES}
    backend.open()
    for table, rows in before.items():
        after = backend.raw(f"SELECT * FROM {table} ORDER BY 1")
        assert [row[: len(rows[0])] for row in after[: len(rows)]] == rows


def test_every_published_head_is_still_found_and_the_chain_holds(backend, expected):
    ledger = backend.open()
    checked = ledger.verify()
    assert (checked.holds, checked.rows) == (True, expected["rows"] + 3)  # two datasets about users, and a resumption
    assert all(ledger.verify(head).holds for head in (*expected["published_heads"], expected["head"]))


def test_stored_outputs_are_answered_as_they_were(backend, expected):
    ledger = backend.open()
    for dataset, fingerprint, content, output in stored_requests(backend):
        assert ledger.stored(charge_to(dataset, fingerprint, price(0.1)), content).output == bytes(output)
        assert SemanticPlan.from_json(bytes(output)).to_json().encode() == bytes(output)
    assert len(stored_requests(backend)) == 6


def test_the_user_column_comes_from_the_first_charge_of_each_dataset(backend, expected):
    ledger = backend.open()
    columns = {each.name: each.user_columns for each in ledger.overviews()}
    assert columns == {
        "customers": (), "reviews": (), "first": (), "untouched": (),
        "tickets": ("customer_id",), "chats": ("customer_id",),
    }  # fmt: skip
    notes = {said.dataset: said.note for said in ledger.declarations()}
    assert notes["tickets"] == "as its first charge named it; later ones also named 'household'"
    with pytest.raises(RequestError, match=r"column 'customer_id' names; this request takes them from 'household'"):
        ledger.check(charge_to("tickets", "next", price(0.1, 0.0, OF_USERS), user_column="household"))
    ledger.check(charge_to("tickets", "next", price(0.1, 0.0, OF_USERS), user_column="customer_id"))


def test_an_upgraded_ledger_charges_and_resumes(backend, expected):
    ledger = backend.open()
    again = charge_to("tickets", "stopped", price(0.1, 0.0, OF_USERS), user_column="customer_id")
    resumed = ledger.reserve(again, "digest of a stopped run")
    assert resumed.attempt == 3
    assert ledger.commit(resumed, b"plan").output == b"plan"
    assert ledger.reserve(again, "digest of a stopped run").output == b"plan"
    with pytest.raises(BudgetRefused):  # its one release was all of it
        ledger.check(charge_to("first", "x", price(1e-9)))
    assert isinstance(ledger.reserve(charge_to("reviews", "new", price(0.25)), "of reviews"), Reserved)
    assert ledger.verify().holds


def test_an_upgraded_ledger_has_the_new_guards(backend, expected):
    backend.open()
    columns = "scope_id, fingerprint, content, epsilon_nano, delta_atto, rho_nano, unit, adjacency, mechanism, request"
    values = "3, 'raw', 'raw', 1, 0, 1, 'user', 'add_drop', 'laplace', '{}'"
    charge = f"INSERT INTO entry ({columns}, day, user_column) VALUES ({values}, '2024-01-01', %s)"
    for column in ("NULL", "'household'"):
        with pytest.raises(backend.refusal, match="names the column that its account declares"):
            backend.raw(charge % column)
    for sql in ("DELETE FROM declaration", "UPDATE declaration SET value = 'household'", "DELETE FROM dpspin_ledger"):
        with pytest.raises(backend.refusal, match="never"):
            backend.raw(sql)
    backend.raw(charge % "'customer_id'")


def test_a_failure_in_the_middle_leaves_the_old_ledger_and_the_next_opening_upgrades_it(backend, expected):
    def fail(connection, cursor, statement, *_):
        if re.search("INSERT INTO declaration", statement):
            raise RuntimeError("power cut")

    event.listen(Engine, "before_cursor_execute", fail)
    try:
        with pytest.raises(RuntimeError, match="power cut"):
            backend.open()
    finally:
        event.remove(Engine, "before_cursor_execute", fail)
    assert version(backend) == [(3,)]
    with pytest.raises(backend.refusal):
        backend.raw("DELETE FROM entry")  # its guards are there again
    ledger = backend.open()
    assert version(backend) == [(7,)]
    assert ledger.verify(expected["head"]).holds


def test_a_request_that_names_no_columns_leaves_the_column_to_the_next_charge(backend, expected):
    for table in ("entry", "link"):
        backend.disarm(table)
    backend.raw("UPDATE entry SET request = '{}' WHERE scope_id IN (SELECT id FROM scope WHERE name = 'chats')")
    ledger = backend.open()
    assert [each.user_columns for each in ledger.overviews() if each.name == "chats"] == [()]
    ledger.check(charge_to("chats", "next", price(0.01, 0.0, OF_USERS), user_column="anything"))


def test_any_other_version_is_refused(backend):
    backend.open().set_budget("tickets", PrivacyLoss(1.0))
    backend.disarm("dpspin_ledger")
    backend.raw("UPDATE dpspin_ledger SET schema_version = 8")
    with pytest.raises(LedgerError, match="schema versions 3 to 7 only"):
        backend.open()


# --- schema 4, which knew no series ----------------------------------------------------------------------------------


@pytest.fixture
def without_series(backend):
    backend.restore((WITHOUT_SERIES / f"{backend.kind}.sql").read_text())
    return json.loads((WITHOUT_SERIES / f"{backend.kind}.json").read_text())


def test_a_ledger_of_schema_4_goes_on_and_nothing_in_it_changes(backend, without_series):
    tables = (*OLD_TABLES, "declaration")
    before = {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables}
    assert version(backend) == [(4,)]
    ledger = backend.open()
    assert version(backend) == [(7,)]
    assert {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables} == before
    assert told(ledger) == {name: without_series[name] for name in ("overviews", "history", "decisions")}
    checked = ledger.verify(without_series["head"])
    assert (checked.holds, checked.rows, checked.head) == (True, without_series["rows"], without_series["head"])


def test_an_upgraded_ledger_takes_a_series_and_has_its_guards(backend, without_series):
    ledger = backend.open()
    asked = '{"mechanism":{"kind":"laplace"},"series":{"life":1}}'
    life = charge_to("tickets", "a life", price(0.5, 0.0, OF_USERS), asked, user_column="customer")
    ledger.commit(ledger.reserve(life, "content of nobody"), b"terms")
    reserved = ledger.reserve_period(life, Claim("2026-W01", "records", None, after=Generation(1, "state")))
    ledger.commit_period(reserved, b"plan")
    for table in ("period", "period_output", "entry"):
        with pytest.raises(backend.refusal, match="never"):
            backend.raw(f"DELETE FROM {table}")
    assert backend.open().verify().holds
    assert [row.mechanism for row in ledger.history("tickets")][-1] == "laplace in a series"


# --- schema 5, whose chain did not hold the runs that took over -------------------------------------------------------


@pytest.fixture
def without_runs(backend):
    backend.restore((WITHOUT_RUNS / f"{backend.kind}.sql").read_text())
    return json.loads((WITHOUT_RUNS / f"{backend.kind}.json").read_text())


def test_the_runs_of_a_ledger_of_schema_5_are_linked_at_the_end_and_nothing_else_changes(backend, without_runs):
    tables = (*OLD_TABLES[:-1], "declaration", "period", "period_run", "period_output")
    before = {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables}
    links = backend.raw("SELECT * FROM link ORDER BY position")
    assert version(backend) == [(5,)]
    ledger = backend.open()
    assert version(backend) == [(7,)]
    assert {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables} == before
    linked = backend.raw("SELECT * FROM link ORDER BY position")
    assert linked[: len(links)] == links
    assert [row[1] for row in linked[len(links) :]] == ["resumption", "resumption", "period_run", "period_run"]
    assert told(ledger) == {name: without_runs[name] for name in ("overviews", "history", "decisions")}
    assert all(ledger.verify(head).holds for head in (*without_runs["published_heads"], without_runs["head"]))
    assert backend.open().head() == ledger.head()


def test_what_a_ledger_of_schema_5_stored_is_answered_with_its_own_link(backend, without_runs):
    ledger = backend.open()

    def asked(name):
        return charge_to("tickets", name, price(0.25, 0.0, OF_USERS), user_column="customer")

    stored = [ledger.stored(asked(name), "digest of tickets") for name in ("answered", "resumed")]
    assert [each.output for each in stored] == [b'{"a": "plan"}', b'{"a": "resumed plan"}']
    assert all(ledger.verify(each.head).holds for each in stored)
    assert len({each.head for each in stored} - set(without_runs["published_heads"])) == 2
    assert ledger.reserve(asked("stopped"), "digest of tickets").attempt == 3
    life = charge_to(
        "tickets", "a life", price(1.0, 0.0, OF_USERS), '{"mechanism":{"kind":"laplace"},"series":{}}',
        user_column="customer",
    )  # fmt: skip
    first, second = ledger.standing(life).periods
    assert (first.committed.output, second.committed) == (b"plan of 2026-W01", None)
    again = Claim("2026-W02", "records of 2026-W02", None, Generation(1, "state 1"), Generation(2, "state 2"))
    assert ledger.reserve_period(life, again).attempt == 3
    assert ledger.verify().holds


# --- schema 6, which knew no approvals -------------------------------------------------------------------------------


@pytest.fixture
def without_approvals(backend):
    backend.restore((WITHOUT_APPROVALS / f"{backend.kind}.sql").read_text())
    return json.loads((WITHOUT_APPROVALS / f"{backend.kind}.json").read_text())


def test_a_ledger_of_schema_6_goes_on_and_no_row_and_no_hash_of_it_changes(backend, without_approvals):
    tables = (*OLD_TABLES, "declaration", "period", "period_run", "period_output")
    before = {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables}
    assert version(backend) == [(6,)]
    ledger = backend.open()
    assert version(backend) == [(7,)]
    assert {table: backend.raw(f"SELECT * FROM {table} ORDER BY 1") for table in tables} == before
    assert told(ledger) == {name: without_approvals[name] for name in ("overviews", "history", "decisions")}
    checked = ledger.verify(without_approvals["head"])
    assert (checked.holds, checked.rows, checked.head) == (True, without_approvals["rows"], without_approvals["head"])
    assert all(ledger.verify(head).holds for head in without_approvals["published_heads"])


def test_an_upgraded_ledger_may_demand_approvals_and_has_their_guards(backend, without_approvals):
    ledger = backend.open()
    officer = make_key("Olga Officer")
    asked = charge_to("tickets", "next", price(0.25, 0.0, OF_USERS), user_column="customer")
    ledger.check(asked)  # nobody is asked until somebody demands it
    ledger.name_officers("tickets", [officer.public], "four eyes from now on")
    with pytest.raises(ApprovalRefused):
        ledger.check(asked)
    again = charge_to("tickets", "stopped", price(0.25, 0.0, OF_USERS), user_column="customer")
    assert ledger.reserve(again, "digest of tickets").attempt == 3  # what was charged before stays charged
    for table in ("officers", "filing", "verdict"):
        backend.raw(f"SELECT * FROM {table}")
    with pytest.raises(backend.refusal, match="never"):
        backend.raw("DELETE FROM officers")
    assert backend.open().verify().holds
