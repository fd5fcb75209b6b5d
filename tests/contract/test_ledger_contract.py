"""What every ledger backend promises. A new backend joins by adding itself to BACKENDS."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import Amount, Committed, Ledger, Reserved, open_ledger
from dpspin.errors import BudgetRefused, LedgerError, RecordsRefused, RequestError

REQUEST = '{"mechanism":{"kind":"laplace"},"size":10}'
FOUR_TENTHS = PrivacyLoss(0.4)
CONTENT = "content-digest-that-stays-inside"


@dataclass(frozen=True)
class Backend:
    """A ledger in a fresh place, and a way to its tables that does not go through our code."""

    open: Callable[[], Ledger]
    raw: Callable[[str], list[tuple]]
    refusal: type[Exception]


def sqlite_backend(folder: Path) -> Backend:
    path = folder / "ledger.db"

    def raw(sql: str) -> list[tuple]:
        with closing(sqlite3.connect(path)) as connection, connection:
            return connection.execute(sql).fetchall()

    return Backend(open=lambda: open_ledger(path), raw=raw, refusal=sqlite3.IntegrityError)


BACKENDS = {"sqlite": sqlite_backend}


@pytest.fixture(params=BACKENDS)
def backend(request, tmp_path):
    return BACKENDS[request.param](tmp_path)


@pytest.fixture
def ledger(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0, 1e-6))
    return ledger


def reserve(ledger, fingerprint="request", content=CONTENT, loss=FOUR_TENTHS, dataset="tickets"):
    return ledger.reserve(dataset, fingerprint=fingerprint, content=content, loss=loss, request_json=REQUEST)


def spent(ledger, dataset="tickets"):
    return ledger.budget(dataset).spent


# --- paying ---------------------------------------------------------------------------------------------------------


def test_a_reservation_counts_as_spent_before_it_is_committed(ledger):
    reserve(ledger)
    assert spent(ledger) == Amount(400_000_000)


def test_commit_returns_the_output_and_charges_nothing_more(ledger):
    assert ledger.commit(reserve(ledger), b"plan") == b"plan"
    assert spent(ledger) == Amount(400_000_000)


def test_what_was_spent_survives_reopening(backend, ledger):
    ledger.commit(reserve(ledger), b"plan")
    assert spent(backend.open()) == Amount(400_000_000)
    assert reserve(backend.open()) == Committed(b"plan")


def test_the_same_request_on_the_same_content_gets_the_stored_output_for_free(ledger):
    ledger.commit(reserve(ledger), b"plan")
    assert [reserve(ledger), reserve(ledger)] == [Committed(b"plan")] * 2
    assert spent(ledger) == Amount(400_000_000)


def test_a_stored_output_can_be_looked_up_without_charging_or_taking_over(ledger):
    def stored():
        return ledger.stored("tickets", fingerprint="request", content=CONTENT)

    assert stored() is None
    reserved = reserve(ledger)
    assert stored() is None
    assert ledger.commit(reserved, b"plan") == b"plan"  # looking did not fence the run off
    assert stored() == b"plan"
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
        lambda: ledger.stored("tickets", fingerprint="request", content="changed since"),
    ):
        with pytest.raises(RecordsRefused, match="--snapshot"):
            attempt()
    assert spent(ledger) == Amount(400_000_000)


def test_the_same_records_cannot_have_a_second_budget_under_another_name(ledger):
    ledger.set_budget("same file, other path", PrivacyLoss(1.0))
    reserve(ledger)
    for attempt in (
        lambda: reserve(ledger, dataset="same file, other path"),
        lambda: ledger.stored("same file, other path", fingerprint="new", content=CONTENT),
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
        reserve(ledger, fingerprint=str(number), loss=PrivacyLoss(0.1))
    assert ledger.budget("tickets").left.epsilon_nano == 0
    with pytest.raises(BudgetRefused):
        reserve(ledger, fingerprint="one more", loss=PrivacyLoss(1e-9))


def test_an_empty_output_is_an_output(ledger):
    assert ledger.commit(reserve(ledger), b"") == b""
    assert reserve(ledger) == Committed(b"")


# --- refusing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", [PrivacyLoss(0.7), PrivacyLoss(0.1, 2e-6)], ids=["epsilon", "delta"])
def test_a_request_beyond_the_cap_is_refused_and_leaves_no_charge(ledger, loss):
    reserve(ledger)
    with pytest.raises(BudgetRefused):
        ledger.check("tickets", "next", loss)
    with pytest.raises(BudgetRefused):
        reserve(ledger, fingerprint="next", loss=loss)
    assert spent(ledger) == Amount(400_000_000)


def test_the_refusal_states_spent_asked_left_and_a_command_that_helps(ledger):
    reserve(ledger)
    with pytest.raises(BudgetRefused) as refused:
        ledger.check("tickets", "next", PrivacyLoss(0.7, 2e-6))
    message = str(refused.value)
    assert "epsilon: spent 0.4, asked 0.7, left 0.6 of 1" in message
    assert "delta: spent 0, asked 2e-6, left 1e-6 of 1e-6" in message
    assert "dpspin ledger init --dataset tickets --epsilon 1.1 --delta 2e-6 --ledger " in message
    ledger.set_budget("tickets", PrivacyLoss(1.1, 2e-6))
    ledger.check("tickets", "next", PrivacyLoss(0.7, 2e-6))


def test_check_passes_a_request_that_was_charged_before_even_when_nothing_is_left(ledger):
    reserve(ledger, loss=PrivacyLoss(1.0))
    ledger.check("tickets", "request", PrivacyLoss(1.0))
    with pytest.raises(BudgetRefused):
        ledger.check("tickets", "another", PrivacyLoss(1.0))


def test_check_charges_nothing(ledger):
    ledger.check("tickets", "request", PrivacyLoss(1.0))
    assert spent(ledger) == Amount(0)
    assert ledger.history() == ()


def test_a_dataset_without_a_budget_is_refused_with_the_command_that_gives_it_one(ledger):
    assert ledger.budget("nobody's") is None
    for attempt in (
        lambda: ledger.check("new", "request", PrivacyLoss(0.5)),
        lambda: ledger.stored("new", fingerprint="request", content=CONTENT),
        lambda: ledger.require_budget("new"),
        lambda: reserve(ledger, dataset="new"),
    ):
        with pytest.raises(LedgerError, match="dpspin ledger init --dataset new --epsilon TOTAL --ledger "):
            attempt()


def test_a_fingerprint_that_comes_back_with_another_loss_is_refused(ledger):
    reserve(ledger, loss=PrivacyLoss(0.1))
    with pytest.raises(LedgerError, match="fingerprint must cover"):
        reserve(ledger, loss=PrivacyLoss(0.9))
    assert spent(ledger) == Amount(100_000_000)


@pytest.mark.parametrize("request_json", ["", "[]", "{}", '{"mechanism": "laplace"}'])
def test_a_request_that_does_not_name_its_mechanism_is_refused(ledger, request_json):
    with pytest.raises(LedgerError, match="mechanism"):
        ledger.reserve("tickets", fingerprint="f", content="c", loss=PrivacyLoss(0.1), request_json=request_json)


@pytest.mark.parametrize("name", ["", " tickets", "tickets\n", "-tickets", "tic\x00kets"])
def test_a_name_that_cannot_be_read_or_typed_is_refused(ledger, name):
    with pytest.raises(LedgerError, match="name"):
        ledger.set_budget(name, PrivacyLoss(1.0))


def test_an_absurd_epsilon_is_refused(ledger):
    with pytest.raises(RequestError):
        ledger.set_budget("tickets", PrivacyLoss(1e300))


# --- caps -----------------------------------------------------------------------------------------------------------


def test_raising_the_cap_makes_room(ledger):
    reserve(ledger, loss=PrivacyLoss(1.0))
    ledger.set_budget("tickets", PrivacyLoss(1.5), note="agreed by the board")
    assert ledger.budget("tickets").left == Amount(500_000_000)
    assert ledger.budget("tickets").reports_left(PrivacyLoss(0.2)) == 2


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
    assert second == Reserved(first.entry_id, attempt=2)
    assert spent(ledger) == Amount(400_000_000)


def test_an_overtaken_run_loses_its_output_and_gets_the_winners(ledger):
    slow, fast = reserve(ledger), reserve(ledger)
    assert ledger.commit(fast, b"winner") == b"winner"
    assert ledger.commit(slow, b"loser") == b"winner"
    assert reserve(ledger) == Committed(b"winner")


def test_an_overtaken_run_publishes_nothing_while_the_winner_is_at_work(ledger):
    slow, fast = reserve(ledger), reserve(ledger)
    with pytest.raises(LedgerError, match="took this request over"):
        ledger.commit(slow, b"loser")
    assert ledger.commit(fast, b"winner") == b"winner"


def test_a_second_commit_never_replaces_the_first(ledger):
    reserved = reserve(ledger)
    ledger.commit(reserved, b"first")
    assert ledger.commit(reserved, b"second") == b"first"


def test_a_reservation_nobody_made_cannot_be_committed(ledger):
    with pytest.raises(LedgerError):
        ledger.commit(Reserved(entry_id=99, attempt=1), b"plan")
    assert ledger.history() == ()


# --- history --------------------------------------------------------------------------------------------------------


def test_history_tells_each_charge_to_the_day(ledger):
    before = datetime.now(UTC).date()
    ledger.commit(reserve(ledger, loss=PrivacyLoss(0.4, 1e-7)), b"plan")
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
        reserve(ledger, fingerprint="next", loss=PrivacyLoss(0.7))
    with pytest.raises(LedgerError) as contradiction:
        reserve(ledger, loss=PrivacyLoss(0.1))
    assert CONTENT not in repr(answers) + str(refused.value) + str(contradiction.value)


# --- the tables defend themselves -----------------------------------------------------------------------------------

ENTRY = {
    "scope_id": 1, "fingerprint": "'raw'", "content": "'raw'", "epsilon_nano": 1, "delta_atto": 0, "attempt": 1,
    "mechanism": "'laplace'", "request": "'{}'", "state": "'reserved'", "output": "NULL", "day": "'2024-01-01'",
}  # fmt: skip


def insert_entry(**values):
    row = ENTRY | values
    return f"INSERT INTO entry ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


def insert_cap(epsilon_nano, delta_atto):
    columns = "scope_id, epsilon_nano, delta_atto, note, day"
    return f"INSERT INTO budget_change ({columns}) VALUES (1, {epsilon_nano}, {delta_atto}, '', '2024-01-01')"


def test_an_affordable_raw_insert_is_accepted_so_the_refusals_below_mean_something(backend, ledger):
    backend.raw(insert_entry(epsilon_nano=1_000_000_000, delta_atto=10**12))
    assert ledger.budget("tickets").left == Amount(0)


@pytest.mark.parametrize(
    "sql",
    [
        insert_entry(epsilon_nano=600_000_001),
        insert_entry(delta_atto=10**12 - 4),
        insert_entry(epsilon_nano=0),
        insert_entry(epsilon_nano=-5),
        insert_entry(delta_atto=-5),
        insert_entry(scope_id=77),
        insert_entry(state="'voided'"),
        insert_entry(state="'committed'"),
        insert_entry(output="'plan'"),
        insert_entry(fingerprint="'done'", content=f"'{CONTENT}'"),
        insert_cap(399_999_999, 10**12),
        insert_cap(10**9, 4),
        "INSERT INTO scope (dataset) VALUES ('tickets')",
        "DELETE FROM entry",
        "DELETE FROM scope",
        "DELETE FROM budget_change",
        "DELETE FROM dpspin_ledger",
        "UPDATE entry SET epsilon_nano = 1",
        "UPDATE entry SET epsilon_nano = 2000000000 WHERE state = 'reserved'",
        "UPDATE entry SET delta_atto = 1 WHERE state = 'reserved'",
        "UPDATE entry SET scope_id = 2 WHERE state = 'reserved'",
        "UPDATE entry SET content = 'x' WHERE state = 'reserved'",
        "UPDATE entry SET attempt = attempt - 1 WHERE state = 'reserved'",
        "UPDATE entry SET output = 'other' WHERE state = 'committed'",
        "UPDATE entry SET state = 'reserved', output = NULL WHERE state = 'committed'",
        "UPDATE entry SET state = 'committed' WHERE state = 'reserved'",
        "UPDATE scope SET dataset = 'renamed'",
        "UPDATE budget_change SET epsilon_nano = 9000000000",
        "UPDATE dpspin_ledger SET schema_version = 2",
    ],
)
def test_raw_sql_cannot_forget_forge_or_overspend(backend, ledger, sql):
    ledger.commit(reserve(ledger, fingerprint="done", loss=PrivacyLoss(0.3, 5e-18)), b"plan")
    reserve(ledger, fingerprint="open", loss=PrivacyLoss(0.1))
    reserve(ledger, fingerprint="open", loss=PrivacyLoss(0.1))  # attempt 2
    tables = ("dpspin_ledger", "scope", "budget_change", "entry")
    before = [backend.raw(f"SELECT * FROM {table}") for table in tables]
    with pytest.raises(backend.refusal):
        backend.raw(sql)
    assert [backend.raw(f"SELECT * FROM {table}") for table in tables] == before
