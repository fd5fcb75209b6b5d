"""Which column names the users of an account, and which accounts know the same records: on every database."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.aggregate.likeness import Likeness, Shared, likeness_of
from dpspin.curator.ledger import Amount, Reserved, chain, open_ledger, refusals
from dpspin.errors import LedgerError, RequestError
from factories import charge_to, price

OF_USERS = Neighbours("user", Adjacency.ADD_DROP)
OF_RECORDS = Neighbours("record", Adjacency.ADD_DROP)
REQUEST = '{"mechanism":{"kind":"laplace"}}'
CANARY = "canary-in-the-records"


@pytest.fixture
def ledger(backend):
    ledger = backend.open()
    for dataset in ("tickets", "reviews"):
        ledger.set_budget(dataset, PrivacyLoss(1.0))
    return ledger


def charge(ledger, dataset="tickets", *, fingerprint="f", column=None, likeness=None, content=None, first=None):
    cost = price(0.1, neighbours=OF_RECORDS if column is None else OF_USERS)
    asked = charge_to(dataset, fingerprint, cost, user_column=column, first=first)
    return ledger.reserve(asked, content or f"content of {dataset}", likeness)


def columns_of(ledger, dataset="tickets"):
    return next(each.user_columns for each in ledger.overviews() if each.name == dataset)


# --- which column names the users -----------------------------------------------------------------------------------


def test_the_first_charge_decides_the_column_and_another_is_refused_before_and_at_the_charge(ledger):
    statement = charge(ledger, column="customer").statement
    assert (statement.user_column, columns_of(ledger)) == ("customer", ("customer",))
    refused = r"column 'customer' names; this request takes them from 'row_id'.*`records.user: customer`.*ledger alias"
    for ask in (
        lambda: ledger.check(charge_to("tickets", "g", price(0.1, neighbours=OF_USERS), user_column="row_id")),
        lambda: charge(ledger, column="row_id", fingerprint="g"),
    ):
        with pytest.raises(RequestError, match=refused):
            ask()
    assert ledger.budget("tickets").spent == Amount(100_000_000)
    assert ledger.verify().holds


def test_a_column_is_declared_with_the_budget_and_never_changes(ledger):
    about = {"neighbours": OF_USERS, "user_column": "customer"}
    ledger.set_budget("chats", PrivacyLoss(1.0), "decided", **about)
    with pytest.raises(RequestError, match="column 'customer' names"):
        charge(ledger, "chats", column="household")
    with pytest.raises(RequestError, match="column 'customer' names"):
        ledger.set_budget("chats", PrivacyLoss(2.0), neighbours=OF_USERS, user_column="household")
    ledger.set_budget("chats", PrivacyLoss(2.0), **about)
    ledger.set_budget("chats", PrivacyLoss(2.0))
    charge(ledger, "chats", column="customer")
    assert [said.note for said in ledger.declarations("chats")] == ["decided"]


def test_a_renamed_column_is_a_persons_decision_that_is_kept_in_the_chain(ledger):
    charge(ledger, column="customer")
    before = ledger.head()
    with pytest.raises(RequestError, match="say who decided it"):
        ledger.add_user_column("tickets", "customer_id", " ")
    ledger.add_user_column("tickets", "customer_id", "renamed by the new export")
    assert ledger.head() != before
    assert charge(ledger, column="customer_id", fingerprint="g").statement.user_column == "customer_id"
    charge(ledger, column="customer", fingerprint="h")
    assert columns_of(ledger) == ("customer", "customer_id")
    told = [said.as_json() for said in ledger.declarations()]
    assert [(each["user_column"], each["note"]) for each in told] == [
        ("customer", "named by the first charge"), ("customer_id", "renamed by the new export"),
    ]  # fmt: skip
    assert ledger.verify().holds


def test_an_account_about_records_has_no_user_column(ledger):
    charge(ledger)
    for ask in (
        lambda: ledger.add_user_column("tickets", "customer", "why"),
        lambda: ledger.set_budget("tickets", PrivacyLoss(1.0), user_column="customer"),
        lambda: ledger.set_budget("new", PrivacyLoss(1.0), user_column="customer"),
    ):
        with pytest.raises(RequestError, match="not about users"):
            ask()
    with pytest.raises(RequestError, match="names the column with the user id, and no other loss does"):
        ledger.check(charge_to("tickets", "g", price(0.1), user_column="customer"))
    with pytest.raises(RequestError, match="names the column"):
        ledger.check(charge_to("reviews", "g", price(0.1, neighbours=OF_USERS)))
    assert ledger.declarations() == ()


@pytest.mark.parametrize("column", ["", "us\ner", "\u202eresu"])
def test_a_column_that_cannot_be_printed_is_refused_before_the_charge(ledger, column):
    with pytest.raises(RequestError, match="rename the column"):
        charge(ledger, column=column)
    assert ledger.history() == ()


def test_datasets_of_one_population_may_call_their_users_differently(backend):
    ledger = backend.open()
    ledger.set_population_budget("customers", PrivacyLoss(1.0))
    for dataset, column in (("a", "customer"), ("b", "kunde")):
        ledger.set_budget(dataset, PrivacyLoss(1.0), population="customers")
        charge(ledger, dataset, column=column)
    with pytest.raises(RequestError, match="column 'kunde' names"):
        charge(ledger, "b", column="customer", fingerprint="g")


RAW = (
    "INSERT INTO entry (scope_id, fingerprint, content, epsilon_nano, delta_atto, rho_nano, unit, adjacency, mechanism,"
    " request, day, user_column)"
    " VALUES (1, 'raw', 'raw', 1, 0, 1, '{unit}', 'add_drop', 'm', '{{}}', '2024-01-01', {by})"
)


def test_raw_sql_cannot_charge_for_users_of_another_column(backend, ledger):
    charge(ledger, column="customer")
    for by in ("NULL", "'household'"):
        with pytest.raises(backend.refusal, match="names the column that its account declares"):
            backend.raw(RAW.format(unit="user", by=by))
    backend.raw(RAW.format(unit="user", by="'customer'"))


def test_raw_sql_cannot_name_users_of_records_or_rewrite_a_declaration(backend, ledger):
    with pytest.raises(backend.refusal, match="names the column"):
        backend.raw(RAW.format(unit="record", by="'customer'"))
    charge(ledger, column="customer")
    add = "INSERT INTO declaration (dataset, subject, value, note, day) VALUES ('tickets', {}, '', '2024-01-01')"
    for sql in (
        "DELETE FROM declaration",
        "UPDATE declaration SET value = 'household'",
        add.format("'user_column', 'customer'"),
        add.format("'permission', 'all'"),
    ):
        with pytest.raises(backend.refusal):
            backend.raw(sql)
    backend.raw(add.format("'user_column', 'household'"))
    assert ledger.verify().finding == "a row of the kind 'declaration' is not part of the chain"


def test_a_charge_for_users_of_another_column_is_found_even_if_its_hashes_fit(backend, ledger, monkeypatch):
    charge(ledger, column="customer")
    backend.disarm("entry")
    monkeypatch.setattr(refusals, "require_chargeable", lambda *_: None)
    monkeypatch.setattr(type(ledger), "_name_users", lambda *_: None)
    charge(ledger, column="household", fingerprint="g")
    assert ledger.verify().finding == "row 7 (entry) takes its users from another column than the account"


def test_a_changed_column_or_declaration_is_found(backend, ledger):
    charge(ledger, column="customer")
    backend.disarm("declaration")
    backend.raw("UPDATE declaration SET value = 'household'")
    assert ledger.verify().finding == "row 5 (declaration) was changed, or a row before it was"


# --- near-copies ----------------------------------------------------------------------------------------------------


def collection(ledger, start=0, rows=300, *, users=None, of="letter"):
    texts = pa.array([f"{CANARY} {of} number {number}" for number in range(start, start + rows)], pa.large_string())
    parts = {"text": texts}
    if users is not None:
        parts["user"] = pa.array([f"{CANARY}-{users + n % 50}" for n in range(rows)], pa.large_string())
    return likeness_of([pa.RecordBatch.from_pydict(parts)], ledger.likeness_key())


def test_a_near_copy_under_another_name_is_refused_and_its_account_is_named(ledger):
    charge(ledger, likeness=collection(ledger))
    copy = collection(ledger, start=30)
    refused = r"of the records of 'reviews' is known to this ledger as dataset 'tickets'.*`account.dataset: tickets`"
    for ask in (
        lambda: ledger.require_unlike(charge_to("reviews", "f", price(0.1)), copy),
        lambda: charge(ledger, "reviews", likeness=copy),
        lambda: charge(ledger, "new", likeness=copy, first=PrivacyLoss(1.0)),
    ):
        with pytest.raises(LedgerError, match="known to this ledger as dataset 'tickets'") as caught:
            ask()
        assert CANARY not in str(caught.value)
    with pytest.raises(LedgerError, match=refused):
        charge(ledger, "reviews", likeness=copy)
    assert ledger.budget("reviews").spent == Amount(0)
    assert ledger.budget("new") is None
    [overlap] = ledger.overlaps("reviews", copy)
    assert (overlap.dataset, overlap.shared) == ("tickets", Shared.RECORDS)


def test_users_in_common_are_recognised_though_no_record_is(ledger):
    charge(ledger, column="customer", likeness=collection(ledger, users=0))
    others = collection(ledger, start=1000, users=0)
    with pytest.raises(LedgerError, match="large part of the users of 'reviews'"):
        charge(ledger, "reviews", column="customer", likeness=others)
    charge(ledger, "reviews", column="customer", likeness=collection(ledger, start=1000, users=1000))


def test_the_same_account_may_change_its_records(ledger):
    charge(ledger, likeness=collection(ledger))
    assert ledger.overlaps("tickets", collection(ledger, start=30)) == ()
    charge(ledger, fingerprint="g", content="next", likeness=collection(ledger, start=30))
    charge(ledger, "reviews", likeness=collection(ledger, of="review"))


def test_every_state_and_window_that_an_account_was_charged_for_is_remembered(ledger):
    charge(ledger, likeness=collection(ledger))
    charge(ledger, fingerprint="g", content="next", likeness=collection(ledger, of="newer letter"))
    for copy in (collection(ledger), collection(ledger, of="newer letter")):
        assert [each.dataset for each in ledger.overlaps("reviews", copy)] == ["tickets"]


def test_a_person_may_keep_two_accounts_apart_with_a_reason_that_is_kept(ledger):
    charge(ledger, likeness=collection(ledger))
    with pytest.raises(RequestError, match="say who decided it"):
        ledger.keep_apart("reviews", "tickets", "")
    with pytest.raises(LedgerError, match="no budget for dataset 'nobody'"):
        ledger.keep_apart("reviews", "nobody", "why")
    with pytest.raises(LedgerError, match="apart from itself"):
        ledger.keep_apart("tickets", "tickets", "why")
    ledger.keep_apart("reviews", "tickets", "the same form letters, other senders")
    charge(ledger, "reviews", likeness=collection(ledger, start=30))
    charge(ledger, fingerprint="g", content="next", likeness=collection(ledger, start=20))  # and the other way round
    [said] = ledger.declarations("reviews")
    assert (said.words, said.note) == ("apart from 'tickets'", "the same form letters, other senders")
    assert ledger.verify().holds


def test_datasets_of_one_population_may_overlap_and_a_new_one_is_offered_it(backend):
    ledger = backend.open()
    ledger.set_population_budget("people", PrivacyLoss(5.0))
    for dataset in ("a", "b"):
        ledger.set_budget(dataset, PrivacyLoss(1.0), population="people")
        charge(ledger, dataset, column="who", likeness=collection(ledger, users=0))
    with pytest.raises(LedgerError, match=r"ledger init --dataset c --population people --epsilon TOTAL"):
        charge(ledger, "c", column="who", likeness=collection(ledger, users=0), first=PrivacyLoss(1.0))


def test_a_request_that_was_charged_before_is_not_asked_again(ledger):
    likeness = collection(ledger)
    charge(ledger, likeness=likeness)
    charge(ledger, "reviews")  # by sketch files: nothing is known of the records
    ledger.require_unlike(charge_to("reviews", "f", price(0.1)), likeness)
    assert isinstance(charge(ledger, "reviews", likeness=likeness), Reserved)
    with pytest.raises(LedgerError):
        ledger.require_unlike(charge_to("reviews", "another", price(0.1)), likeness)


def test_what_is_kept_is_small_private_and_in_the_private_hash_only(backend, ledger):
    large = collection(ledger, rows=20_000, users=0)
    charge(ledger, column="who", likeness=large)
    [(stored,)] = backend.raw("SELECT likeness FROM entry")
    assert len(stored) < 2 * 2048 * 8 + 100
    assert CANARY.encode() not in bytes(stored)
    assert CANARY not in repr(large)
    with ledger._transaction() as connection:
        row, start = chain.row_of(connection, chain.Linked.ENTRY, 1), chain.beginning(connection)
    other = _with(row, likeness=b"of other records")
    one, two = start.then(1, chain.Linked.ENTRY, row), start.then(1, chain.Linked.ENTRY, other)
    assert one.public == two.public
    assert one.private != two.private


def _with(row, **changed):
    return SimpleNamespace(_mapping={**row._mapping, **changed})


def test_a_changed_sample_is_found_by_verify_and_a_broken_one_is_refused(backend, ledger):
    charge(ledger, likeness=collection(ledger))
    backend.disarm("entry")
    backend.raw("UPDATE entry SET likeness = 'abc'")
    assert ledger.verify().finding == "row 5 (entry) was changed, or a row before it was"
    with pytest.raises(LedgerError, match="dpspin ledger verify"):
        ledger.overlaps("reviews", collection(ledger))


def test_two_ledgers_hash_under_different_keys(ledger, tmp_path):
    other = open_ledger(tmp_path / "other.db")
    assert ledger.likeness_key() != other.likeness_key()
    mine, theirs = collection(ledger), collection(other)
    assert mine.shared_with(theirs) is None
    assert mine.shared_with(Likeness.from_bytes(collection(ledger).to_bytes())) is Shared.RECORDS
