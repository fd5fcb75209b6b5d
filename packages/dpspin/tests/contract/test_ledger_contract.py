"""What every ledger backend promises. One suite, run on every database."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import literal, select

from dpspin.boundary.accounting import Cost, EpsilonBalance, Neighbours, Rho, RhoBalance, Window
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger import Amount, Reserved, accounts, chain, charges, open_ledger, refusals, schema
from dpspin.errors import BudgetRefused, LedgerError, RecordsRefused, RequestError
from factories import OF_RECORDS, charge_to, price

REQUEST = '{"mechanism":{"kind":"laplace"},"size":10}'
FOUR_TENTHS = price(0.4)
CONTENT = "content-digest-that-stays-inside"


@pytest.fixture
def ledger(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0, 1e-6))
    return ledger


def reserve(ledger, *, fingerprint="request", content=CONTENT, cost=FOUR_TENTHS, dataset="tickets", **more):
    users = {"user_column": "customer"} if cost.neighbours.unit == "user" else {}
    return ledger.reserve(charge_to(dataset, fingerprint, cost, REQUEST, **users | more), content)


def spent(ledger, dataset="tickets"):
    return ledger.budget(dataset).spent


# --- paying ---------------------------------------------------------------------------------------------------------


def test_a_reservation_counts_as_spent_before_it_is_committed(ledger):
    reserve(ledger)
    assert spent(ledger) == Amount(400_000_000)


def test_commit_returns_the_output_and_charges_nothing_more(ledger):
    assert ledger.commit(reserve(ledger), b"plan").output == b"plan"
    assert spent(ledger) == Amount(400_000_000)


def test_what_was_spent_survives_reopening(backend, ledger):
    ledger.commit(reserve(ledger), b"plan")
    assert spent(backend.open()) == Amount(400_000_000)
    assert reserve(backend.open()).output == b"plan"


def test_the_same_request_on_the_same_content_gets_the_stored_output_for_free(ledger):
    stored = ledger.commit(reserve(ledger), b"plan")
    assert [reserve(ledger), reserve(ledger)] == [stored] * 2
    assert spent(ledger) == Amount(400_000_000)


def test_a_stored_output_can_be_looked_up_without_charging_or_taking_over(ledger):
    def stored():
        return ledger.stored(charge_to("tickets", "request", FOUR_TENTHS), CONTENT)

    assert stored() is None
    reserved = reserve(ledger)
    assert stored() is None
    assert ledger.commit(reserved, b"plan").output == b"plan"  # looking did not fence the run off
    assert stored().output == b"plan"
    assert len(ledger.history()) == 1


def test_another_request_is_charged_anew(ledger):
    ledger.commit(reserve(ledger), b"plan")
    assert isinstance(reserve(ledger, fingerprint="other", content="also other"), Reserved)
    assert spent(ledger) == Amount(800_000_000)


def test_a_request_never_gets_a_second_output_even_if_the_records_changed(ledger):
    """Else two publications would be equal exactly when no record changed."""
    ledger.commit(reserve(ledger), b"plan")
    for attempt in (
        lambda: reserve(ledger, content="changed since"),
        lambda: ledger.stored(charge_to("tickets", "request", FOUR_TENTHS), "changed since"),
    ):
        with pytest.raises(RecordsRefused, match=r"`account.snapshot"):
            attempt()
    assert spent(ledger) == Amount(400_000_000)


def test_the_same_records_cannot_have_a_second_budget_under_another_name(ledger):
    ledger.set_budget("same file, other path", PrivacyLoss(1.0))
    reserve(ledger)
    for attempt in (
        lambda: reserve(ledger, dataset="same file, other path"),
        lambda: ledger.stored(charge_to("same file, other path", "new", FOUR_TENTHS), CONTENT),
    ):
        with pytest.raises(LedgerError, match="known to this ledger as dataset 'tickets'"):
            attempt()
    assert spent(ledger, "same file, other path") == Amount(0)


def test_datasets_have_separate_budgets(ledger):
    ledger.set_budget("reviews", PrivacyLoss(2.0))
    ledger.commit(reserve(ledger), b"plan")
    assert isinstance(reserve(ledger, dataset="reviews", content="reviews"), Reserved)
    assert spent(ledger) == spent(ledger, "reviews") == Amount(400_000_000)
    assert ledger.datasets() == ("tickets", "reviews")


def test_the_whole_cap_can_be_spent_and_not_a_nano_unit_more(ledger):
    for number in range(10):
        reserve(ledger, fingerprint=str(number), cost=price(0.1))
    assert ledger.budget("tickets").left.epsilon_nano == 0
    with pytest.raises(BudgetRefused):
        reserve(ledger, fingerprint="one more", cost=price(1e-9))


def test_an_empty_output_is_an_output(ledger):
    assert ledger.commit(reserve(ledger), b"").output == b""
    assert reserve(ledger).output == b""


# --- refusing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cost", [price(0.7), price(0.1, 2e-6)], ids=["epsilon", "delta"])
def test_a_request_beyond_the_cap_is_refused_and_leaves_no_charge(ledger, cost):
    reserve(ledger)
    with pytest.raises(BudgetRefused):
        ledger.check(charge_to("tickets", "next", cost))
    with pytest.raises(BudgetRefused):
        reserve(ledger, fingerprint="next", cost=cost)
    assert spent(ledger) == Amount(400_000_000)


def test_the_refusal_states_spent_asked_left_and_a_command_that_helps(ledger):
    reserve(ledger)
    with pytest.raises(BudgetRefused) as refused:
        ledger.check(charge_to("tickets", "next", price(0.7, 2e-6)))
    message = str(refused.value)
    assert "epsilon: spent 0.4, asked 0.7, left 0.6 of 1" in message
    assert "delta: spent 0, asked 2e-6, left 1e-6 of 1e-6" in message
    assert "dpspin ledger init --dataset tickets --epsilon 1.1 --delta 2e-6 --ledger " in message
    ledger.set_budget("tickets", PrivacyLoss(1.1, 2e-6))
    ledger.check(charge_to("tickets", "next", price(0.7, 2e-6)))


def test_check_passes_a_request_that_was_charged_before_even_when_nothing_is_left(ledger):
    reserve(ledger, cost=price(1.0))
    ledger.check(charge_to("tickets", "request", price(1.0)))
    with pytest.raises(BudgetRefused):
        ledger.check(charge_to("tickets", "another", price(1.0)))


def test_check_charges_nothing(ledger):
    ledger.check(charge_to("tickets", "request", price(1.0)))
    assert spent(ledger) == Amount(0)
    assert ledger.history() == ()


def test_a_dataset_without_a_budget_is_refused_with_the_command_that_gives_it_one(ledger):
    assert ledger.budget("nobody's") is None
    for attempt in (
        lambda: ledger.check(charge_to("new", "request", price(0.5))),
        lambda: ledger.stored(charge_to("new", "request", FOUR_TENTHS), CONTENT),
        lambda: ledger.require_budget("new"),
        lambda: reserve(ledger, dataset="new"),
    ):
        with pytest.raises(LedgerError, match="dpspin ledger init --dataset new --epsilon TOTAL --ledger "):
            attempt()


def test_a_fingerprint_that_comes_back_with_another_loss_is_refused(ledger):
    reserve(ledger, cost=price(0.1))
    with pytest.raises(LedgerError, match="fingerprint must cover"):
        reserve(ledger, cost=price(0.9))
    assert spent(ledger) == Amount(100_000_000)


@pytest.mark.parametrize("request_json", ["", "[]", "{}", '{"mechanism": "laplace"}'])
def test_a_request_that_does_not_name_its_mechanism_is_refused(ledger, request_json):
    with pytest.raises(LedgerError, match="mechanism"):
        ledger.reserve(charge_to("tickets", "f", price(0.1), request_json), "c")


@pytest.mark.parametrize("name", ["", " tickets", "tickets\n", "-tickets", "tic\x00kets"])
def test_a_name_that_cannot_be_read_or_typed_is_refused(ledger, name):
    with pytest.raises(LedgerError, match="name"):
        ledger.set_budget(name, PrivacyLoss(1.0))


def test_an_absurd_epsilon_is_refused(ledger):
    with pytest.raises(RequestError):
        ledger.set_budget("tickets", PrivacyLoss(1e300))


# --- caps -----------------------------------------------------------------------------------------------------------


def test_raising_the_cap_makes_room(ledger):
    reserve(ledger, cost=price(1.0))
    ledger.set_budget("tickets", PrivacyLoss(1.5), note="agreed by the board")
    assert ledger.budget("tickets").left == Amount(500_000_000)
    assert ledger.budget("tickets").reports_left(price(0.2)) == 2


def test_the_cap_may_be_lowered_to_what_is_spent_but_not_below(ledger):
    reserve(ledger)
    ledger.set_budget("tickets", PrivacyLoss(0.4))
    with pytest.raises(BudgetRefused, match=r"epsilon 0\.4 is spent"):
        ledger.set_budget("tickets", PrivacyLoss(0.3))
    assert ledger.budget("tickets").left == Amount(0)


def test_a_budget_is_readable_by_programs(ledger):
    reserve(ledger)
    assert ledger.require_budget("tickets").as_json() == {
        "cap": {"epsilon": 1.0, "delta": 1e-6},
        "spent": {"epsilon": 0.4, "delta": 0.0},
        "left": {"epsilon": 0.6, "delta": 1e-6},
    }


def test_every_change_of_a_cap_is_kept_with_its_note(backend, ledger):
    ledger.set_budget("tickets", PrivacyLoss(1.5), note="agreed by the board")
    kept = backend.raw("SELECT epsilon_nano, delta_atto, note FROM budget_change ORDER BY id")
    assert kept == [(1_000_000_000, 10**12, ""), (1_500_000_000, 0, "agreed by the board")]


# --- one output per key ---------------------------------------------------------------------------------------------


def test_a_run_that_stopped_is_resumed_without_a_new_charge(ledger):
    first = reserve(ledger)
    second = reserve(ledger)
    assert (second.entry_id, second.attempt) == (first.entry_id, 2)
    assert spent(ledger) == Amount(400_000_000)


def test_an_overtaken_run_loses_its_output_and_gets_the_winners(ledger):
    slow, fast = reserve(ledger), reserve(ledger)
    assert ledger.commit(fast, b"winner").output == b"winner"
    assert ledger.commit(slow, b"loser").output == b"winner"
    assert reserve(ledger).output == b"winner"


def test_an_overtaken_run_publishes_nothing_while_the_winner_is_at_work(ledger):
    slow, fast = reserve(ledger), reserve(ledger)
    with pytest.raises(LedgerError, match="took this request over"):
        ledger.commit(slow, b"loser")
    assert ledger.commit(fast, b"winner").output == b"winner"


def test_a_second_commit_never_replaces_the_first(ledger):
    reserved = reserve(ledger)
    ledger.commit(reserved, b"first")
    assert ledger.commit(reserved, b"second").output == b"first"


def test_a_reservation_nobody_made_cannot_be_committed(ledger):
    with pytest.raises(LedgerError):
        ledger.commit(replace(reserve(ledger), entry_id=99), b"plan")
    assert {row.state for row in ledger.history()} == {"reserved"}


def test_a_fenced_reservation_nobody_made_cannot_be_committed(ledger):
    with pytest.raises(LedgerError, match="took this request over"):
        ledger.commit(replace(reserve(ledger), entry_id=99, attempt=7), b"plan")


# --- history --------------------------------------------------------------------------------------------------------


def test_history_tells_each_charge_to_the_day(ledger):
    before = datetime.now(UTC).date()
    ledger.commit(reserve(ledger, cost=price(0.4, 1e-7)), b"plan")
    ledger.set_budget("reviews", PrivacyLoss(1.0))
    reserve(ledger, dataset="reviews", content="reviews")
    first, second = ledger.history()
    assert before <= first.day <= datetime.now(UTC).date()
    assert (first.dataset, first.mechanism, str(first.amount)) == ("tickets", "laplace", "epsilon 0.4, delta 1e-7")
    assert (first.state, second.state) == ("committed", "reserved")
    assert ledger.history("reviews") == (second,)


def test_the_content_digest_is_in_no_answer_and_no_message(ledger):
    answers = [reserve(ledger), reserve(ledger), ledger.history(), ledger.budget("tickets"), ledger]
    with pytest.raises(BudgetRefused) as refused:
        reserve(ledger, fingerprint="next", cost=price(0.7))
    with pytest.raises(LedgerError) as contradiction:
        reserve(ledger, cost=price(0.1))
    assert CONTENT not in repr(answers) + str(refused.value) + str(contradiction.value)


# --- the tables defend themselves -----------------------------------------------------------------------------------

ENTRY = {
    "scope_id": 1, "fingerprint": "'raw'", "content": "'raw'", "epsilon_nano": 1, "delta_atto": 0, "rho_nano": 1,
    "unit": "'record'", "adjacency": "'add_drop'", "mechanism": "'laplace'", "request": "'{}'",
    "part": "NULL", "day": "'2024-01-01'",
}  # fmt: skip
TABLES = ("dpspin_ledger", "scope", "budget_change", "entry", "resumption", "output", "declaration", "link")


def insert_entry(**values):
    row = ENTRY | values
    return f"INSERT INTO entry ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


def insert_cap(epsilon_nano, delta_atto):
    columns = "scope_id, epsilon_nano, delta_atto, rho_nano, note, day"
    return f"INSERT INTO budget_change ({columns}) VALUES (1, {epsilon_nano}, {delta_atto}, 0, '', '2024-01-01')"


def insert_output(entry_id, attempt):
    return f"INSERT INTO output (id, attempt, output) VALUES ({entry_id}, {attempt}, 'other')"


def insert_resumption(entry_id, attempt):
    return f"INSERT INTO resumption (entry_id, attempt) VALUES ({entry_id}, {attempt})"


def insert_link(position, row_id=7):
    columns = "position, kind, row_id, public_hash, private_hash"
    return f"INSERT INTO link ({columns}) VALUES ({position}, 'entry', {row_id}, 'x', 'x')"


def insert_scope(kind, name, population="NULL", partition="NULL"):
    values = f"'{kind}', '{name}', 'epsilon', {population}, {partition}"
    return f"INSERT INTO scope (kind, name, currency, population_id, partition) VALUES ({values})"


@pytest.fixture
def used(ledger):
    """Entry 1 is committed, entry 2 is at its second attempt."""
    ledger.commit(reserve(ledger, fingerprint="done", cost=price(0.3, 5e-18)), b"plan")
    reserve(ledger, fingerprint="open", cost=price(0.1))
    reserve(ledger, fingerprint="open", cost=price(0.1))
    return ledger


@pytest.mark.parametrize(
    "sql",
    [
        insert_entry(epsilon_nano=600_000_000, delta_atto=10**12 - 5),
        insert_cap(400_000_000, 5),
        insert_output(2, attempt=2),
        insert_resumption(2, attempt=3),
        insert_link(7),
        insert_scope("dataset", "new"),
        insert_scope("population", "tickets"),
    ],
)
def test_raw_sql_that_keeps_the_rules_is_accepted_so_the_refusals_below_mean_something(backend, used, sql):
    backend.raw(sql)


@pytest.mark.parametrize(
    "sql",
    [
        insert_entry(epsilon_nano=600_000_001),
        insert_entry(delta_atto=10**12 - 4),
        insert_entry(epsilon_nano=0),
        insert_entry(epsilon_nano=-5),
        insert_entry(delta_atto=-5),
        insert_entry(rho_nano=0),
        insert_entry(scope_id=77),
        insert_entry(part="'week 1'"),
        insert_entry(unit="'user'"),
        insert_entry(adjacency="'replace'"),
        insert_entry(unit="'household'"),
        insert_entry(fingerprint="'done'", content=f"'{CONTENT}'"),
        insert_cap(399_999_999, 10**12),
        insert_cap(10**9, 4),
        insert_scope("dataset", "tickets"),
        insert_scope("dataset", "member of a dataset", population="1"),
        insert_scope("population", "partitioned", partition="'week'"),
        insert_scope("thing", "tickets"),
        insert_output(1, attempt=1),
        insert_output(2, attempt=1),
        insert_output(2, attempt=3),
        insert_output(99, attempt=1),
        insert_resumption(1, attempt=2),
        insert_resumption(2, attempt=2),
        insert_resumption(2, attempt=4),
        insert_link(6),
        insert_link(8),
        insert_link(7, row_id=1),
        "INSERT INTO dpspin_ledger (schema_version, genesis) VALUES (4, 'x')",
        *(f"DELETE FROM {table}" for table in TABLES if table != "declaration"),  # it has no row here
        "UPDATE entry SET epsilon_nano = 1",
        "UPDATE entry SET scope_id = scope_id + 1",
        "UPDATE entry SET content = 'x'",
        "UPDATE output SET output = 'other'",
        "UPDATE resumption SET attempt = 9",
        "UPDATE scope SET name = 'renamed'",
        "UPDATE budget_change SET epsilon_nano = 9000000000",
        "UPDATE link SET public_hash = 'x'",
        "UPDATE dpspin_ledger SET schema_version = 2",
    ],
)
def test_raw_sql_cannot_forget_forge_or_overspend(backend, used, sql):
    before = [backend.raw(f"SELECT * FROM {table}") for table in TABLES]
    with pytest.raises(backend.refusal):
        backend.raw(sql)
    assert [backend.raw(f"SELECT * FROM {table}") for table in TABLES] == before


# --- the hash chain -------------------------------------------------------------------------------------------------

BEHIND_THE_GUARDS = {
    "a cheaper charge": ("entry", "UPDATE entry SET epsilon_nano = 1 WHERE id = 1", "row 3 .* changed"),
    "other records": ("entry", "UPDATE entry SET content = 'other' WHERE id = 1", "row 3 .* changed"),
    "another output": ("output", "UPDATE output SET output = 'other'", "row 4 .* changed"),
    "a larger cap": ("budget_change", "UPDATE budget_change SET epsilon_nano = 9000000000", "row 2 .* changed"),
    "another name": ("scope", "UPDATE scope SET name = 'renamed'", "row 1 .* changed"),
    "a forgotten link": ("link", "DELETE FROM link WHERE position = 3", "row 3 is missing or unreadable"),
    "a forgotten output": ("output", "DELETE FROM output", "row 4 is missing or unreadable"),
    "a forgotten end": ("link", "DELETE FROM link WHERE position = 6", "'resumption' is not part of the chain"),
    "a forgotten run": ("resumption", "DELETE FROM resumption", "row 6 is missing or unreadable"),
    "another run": ("resumption", "UPDATE resumption SET attempt = 3", "row 6 .* changed"),
    "a strange link": ("link", "UPDATE link SET kind = 'gift' WHERE position = 3", "row 3 is missing or unreadable"),
    "another beginning": ("dpspin_ledger", "UPDATE dpspin_ledger SET genesis = 'x'", "row 1 .* changed"),
}


def test_an_untouched_ledger_holds(used):
    checked = used.verify()
    assert (checked.holds, checked.rows, checked.head) == (True, 6, used.head())


@pytest.mark.parametrize("what", BEHIND_THE_GUARDS)
def test_tampering_without_the_guards_is_found_at_its_row(backend, used, what):
    table, sql, finding = BEHIND_THE_GUARDS[what]
    backend.disarm(table)
    backend.raw(sql)
    checked = backend.open().verify()
    assert not checked.holds
    assert re.search(finding, checked.finding)
    assert CONTENT not in checked.finding


def test_a_row_that_was_slipped_in_is_found(backend, used):
    backend.raw(insert_entry())
    assert "not part of the chain" in used.verify().finding


def test_an_overspent_account_is_found_even_if_its_hashes_fit(backend, ledger, monkeypatch):
    backend.disarm("entry")
    monkeypatch.setattr(refusals, "require_chargeable", lambda *_: None)  # a program with a bug, without guards
    with pytest.raises(LedgerError, match="more is spent than the cap allows"):
        reserve(ledger, cost=price(1.5))
    assert ledger.verify().holds  # the transaction was rolled back
    ledger.set_budget("tickets", PrivacyLoss(2.0))
    reserve(ledger, cost=price(1.5))
    backend.disarm("budget_change")
    ledger_without_check = backend.open()
    with ledger_without_check._transaction() as connection:
        accounts.add_cap(connection, 1, Amount(10**9), "lowered below what is spent")
    assert ledger.verify().finding == "row 5 (budget) spends more than was decided"
    with pytest.raises(LedgerError, match="dpspin ledger verify"):
        ledger.budget("tickets")


def test_the_head_moves_with_every_decision_charge_run_and_output_and_is_remembered(ledger):
    heads = [ledger.head()]
    for _ in range(2):  # the second run takes over
        reserved = reserve(ledger)
        heads.append(ledger.head())
        assert reserved.statement.head == ledger.head()
    stored = ledger.commit(reserved, b"plan")
    heads.append(ledger.head())
    assert stored.head == ledger.head()
    ledger.set_budget("tickets", PrivacyLoss(3.0))
    heads.append(ledger.head())
    assert len(set(heads)) == 5
    assert [reserve(ledger).head, ledger.commit(reserved, b"again").head] == [stored.head] * 2
    assert all(ledger.verify(head).holds for head in heads)


def test_an_output_without_its_link_is_neither_handed_out_nor_drawn_again(backend, ledger):
    reserved = reserve(ledger)
    ledger.commit(reserved, b"plan")
    backend.disarm("link")
    backend.raw("DELETE FROM link WHERE kind = 'output'")
    for ask in (lambda: reserve(ledger), lambda: ledger.commit(reserved, b"again")):
        with pytest.raises(LedgerError, match="in no link of its chain"):
            ask()


def test_a_restored_older_copy_is_noticed_by_the_head_of_a_release(backend, ledger):
    published = reserve(ledger).statement.head
    assert ledger.verify(published).holds
    for table in ("entry", "link"):
        backend.disarm(table)
    backend.raw("DELETE FROM link WHERE position = 3")  # what a copy from before the charge would look like
    backend.raw("DELETE FROM entry")
    older = backend.open()
    assert older.verify().holds
    assert "older copy" in older.verify(published).finding


def test_published_hashes_do_not_depend_on_the_records(backend):
    """A reader who guesses the records must not be able to confirm the guess: only the private hash may differ."""
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    reserve(ledger, content="one state of the records")
    with ledger._transaction() as connection:
        row = chain.row_of(connection, chain.Linked.ENTRY, 1)
        start = chain.beginning(connection)
        other = connection.execute(
            select(*(literal("another").label("content") if c.name == "content" else c for c in schema.entry.c))
        ).one()
    one, two = start.then(3, chain.Linked.ENTRY, row), start.then(3, chain.Linked.ENTRY, other)
    assert one.public == two.public
    assert one.private != two.private


def test_two_ledgers_with_the_same_rows_have_different_hashes(tmp_path):
    heads = []
    for name in ("one.db", "two.db"):
        ledger = open_ledger(tmp_path / name)
        ledger.set_budget("tickets", PrivacyLoss(1.0))
        heads.append(ledger.head())
    assert heads[0] != heads[1]


# --- populations ----------------------------------------------------------------------------------------------------


@pytest.fixture
def people(backend):
    ledger = backend.open()
    ledger.set_population_budget("customers", PrivacyLoss(1.0))
    for dataset in ("tickets", "reviews"):
        ledger.set_budget(dataset, PrivacyLoss(0.8), population="customers")
    return ledger


def test_a_release_is_charged_to_its_dataset_and_to_its_population(people):
    reserve(people)
    reserve(people, dataset="reviews", content="other", cost=price(0.5))
    assert spent(people) == Amount(400_000_000)
    assert people.require_budget("customers", accounts.Kind.POPULATION).spent == Amount(900_000_000)


def test_a_refusal_names_the_account_that_lacks_room(people):
    reserve(people, cost=price(0.7))
    with pytest.raises(BudgetRefused, match=r"population 'customers' does not cover .* spent 0.7, asked 0.4, left 0.3"):
        people.check(charge_to("reviews", "request", price(0.4)))
    with pytest.raises(BudgetRefused, match=r"--population customers --epsilon 1.1 "):
        reserve(people, dataset="reviews", content="other")
    with pytest.raises(BudgetRefused, match="dataset 'tickets' does not cover"):
        reserve(people, fingerprint="next", cost=price(0.2))
    assert spent(people, "reviews") == Amount(0)


def test_raw_sql_cannot_overspend_a_population_either(backend, people):
    reserve(people, cost=price(0.7))
    with pytest.raises(backend.refusal, match="exceeds the cap"):
        backend.raw(insert_entry(scope_id=3, epsilon_nano=300_000_001))
    backend.raw(insert_entry(scope_id=3, epsilon_nano=300_000_000))


def test_a_population_must_exist_and_membership_never_changes(people):
    with pytest.raises(LedgerError, match="no budget for population 'nobody'"):
        people.set_budget("new", PrivacyLoss(1.0), population="nobody")
    people.set_population_budget("others", PrivacyLoss(1.0))
    with pytest.raises(LedgerError, match="another population"):
        people.set_budget("tickets", PrivacyLoss(1.0), population="others")
    people.set_budget("tickets", PrivacyLoss(0.9))
    people.set_budget("tickets", PrivacyLoss(0.9), population="customers")
    with pytest.raises(LedgerError, match="no budget for population"):
        people.require_budget("tickets", accounts.Kind.POPULATION)


def test_a_population_has_its_decisions_and_cannot_sink_below_what_its_datasets_spent(people):
    reserve(people)
    with pytest.raises(BudgetRefused, match=r"population 'customers' cannot be lowered .* epsilon 0\.4 is spent"):
        people.set_population_budget("customers", PrivacyLoss(0.3))
    assert [(made.kind, made.name) for made in people.decisions()][:2] == [
        ("population", "customers"), ("dataset", "tickets"),
    ]  # fmt: skip
    assert people.decisions()[0].as_json()["population"] == "customers"
    assert people.verify().holds


def test_the_statement_for_the_plan_tells_both_totals_and_no_name(people):
    statement = reserve(people).statement
    both = {"spent_epsilon": 0.4, "spent_delta": 0.0, "cap_delta": 0.0}
    assert statement.balances == (
        EpsilonBalance(scope="dataset", cap_epsilon=0.8, **both),
        EpsilonBalance(scope="population", cap_epsilon=1.0, **both),
    )
    assert "tickets" not in statement.model_dump_json()
    assert "customers" not in statement.model_dump_json()


# --- whom the losses are about ---------------------------------------------------------------------------------------

OF_USERS = Neighbours("user", Adjacency.ADD_DROP)
OTHERS = [OF_USERS, Neighbours("record", Adjacency.REPLACE)]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_the_first_charge_decides_whom_an_account_is_about(ledger, other):
    assert ledger.overviews()[0].neighbours is None
    reserve(ledger)
    assert ledger.overviews()[0].neighbours == OF_RECORDS
    refused = rf"this request is about {re.escape(str(other))}.* `records.unit: record` and `records.adjacency"
    column = "customer" if other.unit == "user" else None
    asked = charge_to("tickets", "x", price(0.1, 0.0, other), user_column=column)
    for ask in (lambda: ledger.check(asked), lambda: ledger.reserve(asked, CONTENT)):
        with pytest.raises(RequestError, match=refused):
            ask()
    assert spent(ledger) == Amount(400_000_000)


def test_whom_a_total_is_about_can_be_declared_and_never_changes(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0), neighbours=OF_USERS)
    with pytest.raises(RequestError, match="adds up losses about one user"):
        reserve(ledger)
    with pytest.raises(backend.refusal, match="same neighbours"):
        backend.raw(insert_entry())
    with pytest.raises(LedgerError, match="another unit or adjacency"):
        ledger.set_budget("tickets", PrivacyLoss(1.0), neighbours=OF_RECORDS)
    ledger.set_budget("tickets", PrivacyLoss(2.0))
    ledger.set_budget("tickets", PrivacyLoss(2.0), neighbours=OF_USERS)
    reserve(ledger, cost=price(0.4, neighbours=OF_USERS))
    assert ledger.overviews()[0].neighbours == OF_USERS
    assert ledger.verify().holds


def test_a_population_adds_up_losses_of_one_kind_over_all_its_datasets(backend, people):
    reserve(people, cost=price(0.1, neighbours=OF_USERS))
    with pytest.raises(RequestError, match="population 'customers' adds up losses about one user"):
        reserve(people, dataset="reviews", content="other")
    with pytest.raises(backend.refusal, match="same neighbours"):
        backend.raw(insert_entry(scope_id=3))
    assert people.overviews()[-1].neighbours == OF_USERS


def test_a_charge_of_another_kind_is_found_even_if_its_hashes_fit(backend, ledger, monkeypatch):
    reserve(ledger)
    backend.disarm("entry")
    monkeypatch.setattr(refusals, "require_chargeable", lambda *_: None)  # a program with a bug, without guards
    reserve(ledger, fingerprint="other", cost=price(0.1, neighbours=OF_USERS))
    assert ledger.verify().finding == "row 5 (entry) is about other neighbours than the account"


# --- rho ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def in_rho(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", Rho(0.1))
    return ledger


def test_an_account_in_rho_adds_rho_and_never_looks_at_epsilon_or_delta(in_rho):
    for number in range(3):
        reserve(in_rho, fingerprint=str(number), cost=Cost(PrivacyLoss(5.0, 0.1), 0.03, OF_RECORDS))
    budget = in_rho.budget("tickets")
    assert budget.as_json() == {"cap": {"rho": 0.1}, "spent": {"rho": 0.090000003}, "left": {"rho": 0.009999997}}
    with pytest.raises(BudgetRefused, match=r"rho: spent 0.090000003, asked 0.010000001, left 0.009999997 of 0.1"):
        reserve(in_rho, fingerprint="more", cost=Cost(PrivacyLoss(1e-9), 0.01, OF_RECORDS))
    with pytest.raises(BudgetRefused, match=r"--rho 0.100000004 "):
        in_rho.check(charge_to("tickets", "more", Cost(PrivacyLoss(1e-9), 0.01, OF_RECORDS)))
    reserve(in_rho, fingerprint="less", cost=Cost(PrivacyLoss(1e-9), 0.009, OF_RECORDS))
    assert in_rho.verify().holds


def test_raw_sql_cannot_overspend_rho(backend, in_rho):
    with pytest.raises(backend.refusal):
        backend.raw(insert_entry(rho_nano=100_000_001))
    backend.raw(insert_entry(epsilon_nano=10**15, rho_nano=100_000_000))


def test_the_currency_of_an_account_never_changes(in_rho):
    with pytest.raises(LedgerError, match="another currency"):
        in_rho.set_budget("tickets", PrivacyLoss(1.0))
    in_rho.set_budget("tickets", Rho(0.2))
    assert in_rho.decisions()[1].as_json()["rho"] == 0.2


def test_a_plan_states_rho_where_the_account_is_in_rho(in_rho):
    assert reserve(in_rho, cost=price(0.4)).statement.balances == (
        RhoBalance(scope="dataset", spent_rho=0.080000001, cap_rho=0.1),
    )


# --- windows --------------------------------------------------------------------------------------------------------


def week(number, partition="week"):
    return Window(partition, f"2024-W{number:02}")


@pytest.fixture
def weekly(backend):
    ledger = backend.open()
    ledger.set_population_budget("customers", PrivacyLoss(10.0))
    ledger.set_budget("tickets", PrivacyLoss(1.0), partition="week", population="customers")
    return ledger


def test_windows_of_a_declared_partition_cost_the_largest_of_them(weekly):
    for number, epsilon in enumerate((0.4, 0.6, 0.5)):
        reserve(weekly, fingerprint=str(number), cost=price(epsilon), window=week(number))
    assert spent(weekly) == Amount(600_000_000)
    reserve(weekly, fingerprint="again", cost=price(0.3), window=week(0))
    assert spent(weekly) == Amount(700_000_000)
    reserve(weekly, fingerprint="all weeks", cost=price(0.3))
    assert spent(weekly) == Amount(1_000_000_000)
    assert weekly.verify().holds


def test_people_may_be_in_several_windows_so_their_account_adds_up(weekly):
    for number in range(3):
        reserve(weekly, fingerprint=str(number), window=week(number))
    assert weekly.require_budget("customers", accounts.Kind.POPULATION).spent == Amount(1_200_000_000)


def test_a_window_is_refused_by_its_own_total_and_everything_else_by_the_largest(weekly):
    reserve(weekly, fingerprint="1", cost=price(0.9), window=week(1))
    reserve(weekly, fingerprint="2", cost=price(0.1), window=week(2))
    with pytest.raises(BudgetRefused, match=r"spent 0.9, asked 0.2, left 0.1 of 1"):
        reserve(weekly, fingerprint="3", cost=price(0.2), window=week(1))
    with pytest.raises(BudgetRefused, match=r"spent 0.9, asked 0.2, left 0.1 of 1"):
        reserve(weekly, fingerprint="3", cost=price(0.2))
    reserve(weekly, fingerprint="3", cost=price(0.9), window=week(2))
    assert [row.window for row in weekly.history()] == ["2024-W01", "2024-W02", "2024-W02"]


def test_raw_sql_cannot_overspend_a_window(backend, weekly):
    reserve(weekly, fingerprint="1", cost=price(0.9), window=week(1))
    inside = {"scope_id": 2, "epsilon_nano": 100_000_001}
    with pytest.raises(backend.refusal, match="exceeds the cap"):
        backend.raw(insert_entry(part="'2024-W01'", **inside))
    with pytest.raises(backend.refusal, match="exceeds the cap"):
        backend.raw(insert_entry(**inside))
    with pytest.raises(backend.refusal, match="goes to a dataset"):
        backend.raw(insert_entry(scope_id=1))
    backend.raw(insert_entry(part="'2024-W02'", **inside))


def test_a_window_of_another_or_no_partition_is_refused(weekly):
    with pytest.raises(RequestError, match="is partitioned by 'week'"):
        reserve(weekly, window=week(1, partition="month"))
    weekly.set_budget("undivided", PrivacyLoss(1.0))
    with pytest.raises(RequestError, match="no declared partition"):
        weekly.check(charge_to("undivided", "request", price(0.1), window=week(1)))


def test_a_partition_is_declared_when_the_account_is_made_and_never_changes(weekly):
    weekly.set_budget("tickets", PrivacyLoss(1.5), partition="week")
    weekly.set_budget("undivided", PrivacyLoss(1.0))
    for dataset, partition in (("tickets", "month"), ("undivided", "week")):
        with pytest.raises(LedgerError, match="another partition"):
            weekly.set_budget(dataset, PrivacyLoss(2.0), partition=partition)


def test_a_plan_states_its_window(weekly):
    statement = reserve(weekly, window=week(1)).statement
    assert statement.window == week(1)
    assert statement.balances[0].spent_epsilon == 0.4


# --- overviews ------------------------------------------------------------------------------------------------------


def test_an_overview_tells_how_many_more_reports_like_the_last_one_there_are(weekly):
    assert [each.more_like_the_last for each in weekly.overviews()] == [None, None]
    reserve(weekly, fingerprint="1", cost=price(0.1))
    reserve(weekly, fingerprint="2", cost=price(0.3))
    dataset, population = weekly.overviews()
    assert (dataset.kind, dataset.more_like_the_last, dataset.partition) == ("dataset", 2, "week")
    assert (population.kind, population.more_like_the_last) == ("population", 32)
    assert len(weekly.charges_of(dataset)) == len(weekly.charges_of(population)) == 2


# --- the first release ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "left"), [(PrivacyLoss(1 / 3), 0), (PrivacyLoss(0.5), 166_666_666)])
def test_without_a_decision_the_first_charge_makes_the_account_and_rounding_never_refuses_it(backend, first, left):
    ledger = backend.open()
    charge = charge_to("new", "f", price(1 / 3), first=first)
    ledger.check(charge)
    assert ledger.budget("new") is None
    ledger.reserve(charge, "c")
    assert ledger.budget("new").left.epsilon_nano == left
    assert [made.note for made in ledger.decisions("new")] == ["set by the first release"]
    assert ledger.decisions("other") == ()
    assert ledger.verify().holds


def test_a_charge_does_not_print_its_digest():
    assert CONTENT not in repr(charges.Entry(1, CONTENT, Amount(1), 1, None))
