"""An account may demand an approval of exactly each request: what every database promises about it, and attacks."""

import json
import threading
from dataclasses import replace
from datetime import timedelta

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.approval import SignedApproval
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.boundary.signing import make_key
from dpspin.curator.aggregate.likeness import likeness_of
from dpspin.curator.ledger import Amount, Committed, Reserved, chain, open_ledger
from dpspin.curator.ledger.accounts import Kind
from dpspin.curator.ledger.approvals import MOST_DAYS, Verdict
from dpspin.curator.ledger.filings import Standing
from dpspin.errors import ApprovalRefused, BudgetRefused, LedgerError, RequestError, SigningError
from factories import OF_RECORDS, charge_to, price

ANNA, OLGA, OTTO, EVE = map(make_key, ("Anna Analyst", "Olga Officer", "Otto Officer", "Eve"))
TOLD = '{"release":{"title":"as it was told"}}'
ASKED = charge_to("tickets", "sha256:f", price(0.4), told=TOLD)
CONTENT = "digest of the records"


@pytest.fixture
def ledger(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    ledger.name_officers("tickets", [OLGA.public, OTTO.public], "decided by the data owner")
    return ledger


def approve(ledger, filed, key=OLGA, days=30, reason="fits what the owner agreed to"):
    return ledger.decide(filed, Verdict("approved", reason, days), key)


def decline(ledger, filed, key=OLGA):
    return ledger.decide(filed, Verdict("declined", "too much for this"), key)


def refused(ledger, charge, code, error=ApprovalRefused):
    """Hold that a charge is refused before a record is read and under the lock, and that nothing is charged."""
    for ask in (lambda: ledger.check(charge), lambda: ledger.reserve(charge, CONTENT)):
        with pytest.raises(error) as why:
            ask()
        assert why.value.code == code
    assert ledger.budget(charge.dataset).spent == Amount(0)


def later(monkeypatch, days):
    day = chain.this_day() + timedelta(days)
    monkeypatch.setattr(chain, "this_day", lambda: day)


# --- the way it goes -------------------------------------------------------------------------------------------------


def test_a_request_is_asked_for_approved_charged_once_and_repeated_for_free(backend, ledger):
    refused(ledger, ASKED, "approval.not-asked")
    filed = ledger.ask(ASKED, "the monthly report", ANNA)
    assert [each.standing(chain.this_day()) for each in ledger.filings()] == [Standing.WAITING]
    refused(ledger, ASKED, "approval.waiting")
    given_ = approve(ledger, filed)
    assert (given_.by, given_.is_authentic, given_.request) == (OLGA.public, True, filed.digest)
    ledger.check(ASKED)
    reserved = ledger.reserve(ASKED, CONTENT)
    assert isinstance(reserved, Reserved)
    assert ledger.commit(reserved, b"plan").output == b"plan"
    assert isinstance(ledger.reserve(ASKED, CONTENT), Committed)
    assert [each.standing(chain.this_day()) for each in ledger.filings()] == [Standing.CHARGED]
    row = ledger.history()[0]
    assert (row.people, row.as_json()["approved_by"]) == (
        "asked by Anna Analyst, approved by Olga Officer",
        "Olga Officer",
    )
    behind = ledger.approved(ASKED)
    assert (behind.approvals, behind.terms, [*behind.contradictions()]) == ((given_,), filed.terms, [])
    assert backend.open().verify().holds


def test_an_account_that_names_nobody_demands_nothing(backend):
    ledger = backend.open()
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    ledger.check(ASKED)
    assert ledger.approved(ASKED) is None
    with pytest.raises(RequestError, match="demands an approval") as why:
        ledger.ask(ASKED, "why", ANNA)
    assert why.value.code == "request.no-approval-needed"


def test_asking_twice_is_asking_once_and_what_cannot_be_paid_is_not_asked_for(ledger):
    first, again = ledger.ask(ASKED, "why", ANNA), ledger.ask(ASKED, "why", ANNA)
    assert first == again
    with pytest.raises(BudgetRefused):
        ledger.ask(charge_to("tickets", "sha256:g", price(1.4), told=TOLD), "why", ANNA)
    with pytest.raises(RequestError, match="in memory"):
        ledger.ask(replace(ASKED, told=""), "why", ANNA)
    with pytest.raises(RequestError, match="say who decided it"):
        ledger.ask(ASKED, "", ANNA)
    approve(ledger, first)
    ledger.reserve(ASKED, CONTENT)
    with pytest.raises(RequestError) as why:
        ledger.ask(ASKED, "why", ANNA)
    assert why.value.code == "request.charged-before"


def test_a_decline_blocks_until_a_new_approval(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    approve(ledger, filed)
    decline(ledger, filed, OTTO)
    refused(ledger, ASKED, "approval.declined")
    assert ledger.filings()[0].standing(chain.this_day()) is Standing.DECLINED
    again = ledger.ask(ASKED, "it was changed as agreed", ANNA)
    assert again.digest != filed.digest
    refused(ledger, ASKED, "approval.declined")
    approve(ledger, again, OTTO)
    ledger.reserve(ASKED, CONTENT)
    assert [each.by for each in ledger.approved(ASKED).approvals] == [OTTO.public]
    assert ledger.verify().holds


def test_an_approval_expires(ledger, monkeypatch):
    filed = ledger.ask(ASKED, "why", ANNA)
    approve(ledger, filed, days=1)
    later(monkeypatch, 1)
    ledger.check(ASKED)
    later(monkeypatch, 1)
    refused(ledger, ASKED, "approval.expired")
    assert ledger.filings()[0].standing(chain.this_day()) is Standing.EXPIRED
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    ledger.reserve(ASKED, CONTENT)
    assert ledger.verify().holds


def test_a_run_that_was_stopped_keeps_its_approval(ledger, monkeypatch):
    approve(ledger, ledger.ask(ASKED, "why", ANNA), days=0)
    ledger.reserve(ASKED, CONTENT)
    later(monkeypatch, 5)
    ledger.check(ASKED)
    resumed = ledger.reserve(ASKED, CONTENT)
    assert resumed.attempt == 2
    assert ledger.commit(resumed, b"plan").output == b"plan"
    assert ledger.budget("tickets").spent == Amount(400_000_000)
    assert ledger.verify().holds


def test_a_population_may_demand_it_of_all_its_datasets(backend):
    users = Neighbours("user", Adjacency.ADD_DROP)
    ledger = backend.open()
    ledger.set_population_budget("customers", PrivacyLoss(1.0), neighbours=users)
    ledger.set_budget("tickets", PrivacyLoss(1.0), population="customers", neighbours=users)
    ledger.name_officers("customers", [OTTO.public], "people", kind=Kind.POPULATION)
    asked = charge_to("tickets", "sha256:f", price(0.4, 0.0, users), told=TOLD, user_column="customer")
    refused(ledger, asked, "approval.not-asked")
    ledger.name_officers("tickets", [OLGA.public], "and the owner")
    filed = ledger.ask(asked, "why", ANNA)
    approve(ledger, filed, OLGA)
    refused(ledger, asked, "approval.waiting")  # each of the two accounts wants its own officer's word
    approve(ledger, filed, OTTO)
    ledger.reserve(asked, CONTENT)
    assert {each.by.name for each in ledger.approved(asked).approvals} == {"Olga Officer", "Otto Officer"}
    assert ledger.verify().holds


# --- who may decide --------------------------------------------------------------------------------------------------


def test_nobody_decides_about_what_they_ask_for(ledger):
    filed = ledger.ask(ASKED, "why", OLGA)
    for decide in (approve, decline):
        with pytest.raises(ApprovalRefused) as why:
            decide(ledger, filed, OLGA)
        assert why.value.code == "approval.own-request"
    refused(ledger, ASKED, "approval.waiting")
    approve(ledger, filed, OTTO)
    ledger.reserve(ASKED, CONTENT)


def test_a_key_that_the_account_does_not_name_decides_nothing(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    called_olga = replace(EVE, public=EVE.public.model_copy(update={"name": "Olga Officer"}))
    for key in (EVE, called_olga):
        with pytest.raises(ApprovalRefused) as why:
            approve(ledger, filed, key)
        assert why.value.code == "approval.no-officer"
    other_name = replace(OLGA, public=OLGA.public.model_copy(update={"name": "Olga of the board"}))
    with pytest.raises(ApprovalRefused):  # a name is what the account says, and not what a key file says
        approve(ledger, filed, other_name)
    refused(ledger, ASKED, "approval.waiting")


@pytest.mark.parametrize("verdict", [("approved", " ", 1), ("approved", "why", -1), ("approved", "why", MOST_DAYS + 1)])
def test_a_verdict_has_a_reason_and_an_end(verdict):
    with pytest.raises(RequestError):
        Verdict(*verdict)


def test_a_reason_is_one_line(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    with pytest.raises(Exception, match="decision is not valid"):
        approve(ledger, filed, reason="one\ntwo")
    assert ledger.filings()[0].verdicts == ()


def test_who_may_approve_is_changed_by_one_who_may(ledger):
    for key in (None, ANNA, EVE):
        with pytest.raises(ApprovalRefused) as why:
            ledger.name_officers("tickets", [EVE.public], "me", key=key)
        assert why.value.code == "approval.no-officer"
        with pytest.raises(ApprovalRefused):
            ledger.name_officers("tickets", [], "nobody", key=key)
    filed = ledger.ask(ASKED, "why", ANNA)
    approve(ledger, filed, OTTO)
    ledger.name_officers("tickets", [OLGA.public], "Otto has left", key=OLGA)
    refused(ledger, ASKED, "approval.waiting")  # Otto's approval counts no more
    ledger.name_officers("tickets", [], "the owner ends it", key=OLGA)
    ledger.check(ASKED)
    told = [(each.words, each.note) for each in ledger.decisions_on_officers("tickets")]
    assert told == [
        ("approval by Olga Officer or Otto Officer", "decided by the data owner"),
        ("approval by Olga Officer", "Otto has left"),
        ("no approval any more", "the owner ends it"),
    ]
    assert ledger.verify().holds


def test_nothing_is_ended_twice_and_no_key_has_two_names(ledger):
    two = [OLGA.public, OLGA.public.model_copy(update={"name": "Olga again"})]
    with pytest.raises(RequestError, match="two names"):
        ledger.name_officers("tickets", two, "why", key=OLGA)
    ledger.name_officers("tickets", [], "ended", key=OTTO)
    with pytest.raises(RequestError, match="nothing to end"):
        ledger.name_officers("tickets", [], "ended again", key=OTTO)


# --- an approval is of exactly one request ----------------------------------------------------------------------------

CHANGES = st.one_of(
    st.builds(lambda title: {"told": json.dumps({"release": {"title": title}})}, st.text(min_size=1)),
    st.builds(lambda epsilon: {"cost": price(epsilon)}, st.floats(0.001, 0.9).filter(lambda it: it != 0.4)),
    st.builds(lambda more: {"request_json": json.dumps({"mechanism": {"kind": "laplace"}, "x": more})}, st.text()),
    st.builds(lambda state: {"state": state}, st.text(min_size=1)),
    st.builds(lambda view: {"view": view}, st.text(min_size=1)),
    st.builds(lambda name: {"fingerprint": f"sha256:{name}"}, st.text(min_size=2)),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(change=CHANGES)
def test_an_approval_is_of_no_changed_request(tmp_path_factory, change):
    ledger = open_ledger(tmp_path_factory.mktemp("changed") / "ledger.db")
    ledger.set_budget("tickets", PrivacyLoss(1.0))
    ledger.name_officers("tickets", [OLGA.public], "four eyes")
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    changed = replace(ASKED, **change)
    for ask in (lambda: ledger.check(changed), lambda: ledger.reserve(changed, CONTENT)):
        with pytest.raises(ApprovalRefused) as why:
            ask()
        assert why.value.code in {"approval.other-request", "approval.not-asked"}
    assert ledger.budget("tickets").spent == Amount(0)
    ledger.check(ASKED)


def test_an_approval_is_for_one_account_alone(ledger):
    ledger.set_budget("reviews", PrivacyLoss(1.0))
    ledger.name_officers("reviews", [OLGA.public], "four eyes")
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    refused(ledger, replace(ASKED, dataset="reviews"), "approval.not-asked")


def test_an_approval_is_of_no_other_ledger(backend, ledger, tmp_path):
    """Rows that are copied with their signatures name the chain after which they were written."""
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    other = open_ledger(tmp_path / "other.db")
    other.set_budget("tickets", PrivacyLoss(1.0))
    other.name_officers("tickets", [OLGA.public, OTTO.public], "decided by the data owner")
    copied = ledger.filings()[0]
    with other._transaction() as connection:
        row = {"scope_id": 1, "fingerprint": copied.fingerprint, "key": ANNA.public.key, "digest": copied.digest}
        terms = json.dumps(copied.terms.model_dump(mode="json"))
        more = {"terms": terms, "told": copied.told, "note": "why", "signature": copied.signature}
        chain.add_row(connection, chain.Linked.FILING, **row, **more, day=copied.terms.day)
        signed = copied.verdicts[0]
        about = signed.model_dump(include={"decision", "reason", "day", "expires", "signature"})
        chain.add_row(
            connection, chain.Linked.VERDICT, filing_id=1, key=OLGA.public.key, name=OLGA.public.name, **about
        )
    refused(other, ASKED, "ledger.forged-approval", LedgerError)
    assert "was filed elsewhere" in other.verify().finding


def test_two_runs_at_once_with_one_approval_are_one_charge(backend, ledger):
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    came: list[object] = []

    def run():
        own = backend.open()
        own.check(ASKED)
        came.append(own.reserve(ASKED, CONTENT))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(each.attempt for each in came) == [1, 2, 3, 4]
    assert ledger.budget("tickets").spent == Amount(400_000_000)
    assert len(ledger.history()) == 1
    assert ledger.verify().holds


# --- attacks on the database ------------------------------------------------------------------------------------------


def relink(ledger, kind, row_id):
    """Recompute the last link, as somebody who knows the chain could."""
    chain_link = "UPDATE link SET public_hash = '{}', private_hash = '{}' WHERE position = {}"
    with ledger._transaction() as connection:
        position, _ = chain.end_of_chain(connection)
        before = connection.exec_driver_sql(
            f"SELECT public_hash, private_hash FROM link WHERE position = {position - 1}"
        ).one()
        row = chain.row_of(connection, kind, row_id)
        hashes = chain.Hashes(*before).then(position, kind, row)
        connection.exec_driver_sql(chain_link.format(hashes.public, hashes.private, position))


ALTERED = {
    "name": "name = 'Somebody Else'",
    "reason": "reason = 'because'",
    "day": "day = '2020-01-01'",
    "expires": "expires = '2999-01-01'",
    "decision": "decision = 'approved'",
    "signature": "signature = 'AAAA'",
}


@pytest.mark.parametrize("field", ALTERED)
@pytest.mark.parametrize("knows_the_chain", [False, True])
def test_a_verdict_that_was_altered_is_refused_and_found(backend, ledger, field, knows_the_chain):
    filed = ledger.ask(ASKED, "why", ANNA)
    (decline if field == "decision" else approve)(ledger, filed)
    for table in ("verdict", "link"):
        backend.disarm(table)
    backend.raw(f"UPDATE verdict SET {ALTERED[field]}")
    if knows_the_chain:
        relink(ledger, chain.Linked.VERDICT, 1)
    code = "approval.waiting" if field == "name" else "ledger.forged-approval"
    refused(ledger, ASKED, code, ApprovalRefused if field == "name" else LedgerError)
    finding = backend.open().verify().finding
    assert finding is not None
    assert ("signed" in finding) == knows_the_chain


def test_a_verdict_without_the_officers_key_is_refused_and_found(backend, ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    forged = {"request": filed.digest, "decision": "approved", "reason": "all is well", "by": OLGA.public}
    day = chain.this_day()
    by_eve = SignedApproval(**forged, day=day, expires=day, signature="A" * 86 + "==")
    about = by_eve.model_dump(include={"decision", "reason", "day", "expires", "signature"})
    with ledger._transaction() as connection:
        chain.add_row(
            connection, chain.Linked.VERDICT, filing_id=filed.id, key=OLGA.public.key, name=OLGA.public.name, **about
        )
    refused(ledger, ASKED, "ledger.forged-approval", LedgerError)
    assert "was not signed by the officer" in ledger.verify().finding


def test_officers_that_somebody_wrote_without_a_signature_are_refused_and_found(backend, ledger):
    values = f"1, '{EVE.public.key}', '[\"{EVE.public.text}\"]', 'me', '2026-01-01', '{OLGA.public.key}', 'AAAA'"
    columns = "scope_id, keys, people, note, day, signer, signature"
    with ledger._transaction() as connection:
        insert = f"INSERT INTO officers ({columns}) VALUES ({values}) RETURNING id"
        row_id = connection.exec_driver_sql(insert).scalar_one()
        chain.link_row(connection, chain.Linked.OFFICERS, row_id)
    for ask in (lambda: ledger.check(ASKED), lambda: ledger.ask(ASKED, "why", ANNA)):
        with pytest.raises(LedgerError) as why:
            ask()
        assert why.value.code == "ledger.forged-officers"
    assert "was not decided by an officer" in ledger.verify().finding


def test_the_database_itself_refuses_what_no_officer_let_through(backend, ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    day = chain.this_day()
    entry = (
        "INSERT INTO entry (scope_id, fingerprint, content, epsilon_nano, delta_atto, rho_nano, unit, adjacency,"
        " mechanism, request, day)"
        f" VALUES (1, 'sha256:f', 'c', 1, 0, 1, 'record', 'add_drop', 'laplace', '{{}}', '{day}')"
    )
    with pytest.raises(backend.refusal, match="demands an approval"):
        backend.raw(entry)
    verdict = "INSERT INTO verdict (filing_id, decision, key, name, reason, day, expires, signature) VALUES "
    for key in (EVE.public.key, ANNA.public.key):  # neither a stranger nor who asks
        with pytest.raises(backend.refusal, match="officer of the account"):
            backend.raw(f"{verdict} ({filed.id}, 'approved', '{key}', 'x', 'x', '{day}', '{day}', 'x')")
    officers = "INSERT INTO officers (scope_id, keys, people, note, day, signer, signature) VALUES "
    for signer in ("NULL, NULL", f"'{EVE.public.key}', 'x'"):
        with pytest.raises(backend.refusal, match="by one who may"):
            backend.raw(f"{officers} (1, '', '[]', 'x', '{day}', {signer})")
    with pytest.raises(backend.refusal):  # a part of a key is no key
        backend.raw(f"{verdict} ({filed.id}, 'approved', 'dpspin', 'x', 'x', '{day}', '{day}', 'x')")
    for table in ("officers", "filing", "verdict"):
        for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET day = '2020-01-01'"):
            backend.raw("SELECT 1")
            if backend.raw(f"SELECT count(*) FROM {table}") != [(0,)]:
                with pytest.raises(backend.refusal, match="never"):
                    backend.raw(sql)
    decline(ledger, filed)
    with pytest.raises(backend.refusal, match="demands an approval"):
        backend.raw(entry)
    approve(ledger, filed)
    backend.raw(entry)


def test_a_charge_that_went_around_the_gate_is_found(backend, ledger):
    backend.disarm("entry")
    with ledger._transaction() as connection:
        chain.add_row(
            connection, chain.Linked.ENTRY, scope_id=1, fingerprint="sha256:f", content="c", epsilon_nano=1,
            delta_atto=0, rho_nano=1, unit="record", adjacency="add_drop", mechanism="laplace", request="{}",
        )  # fmt: skip
    assert "without the approval" in ledger.verify().finding


def test_a_filing_that_was_altered_is_refused_and_found(backend, ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    approve(ledger, filed)
    for table in ("filing", "link"):
        backend.disarm(table)
    less = json.dumps(filed.terms.model_copy(update={"epsilon": 0.01}).model_dump(mode="json"))
    backend.raw(f"UPDATE filing SET terms = '{less}'")
    refused(ledger, ASKED, "ledger.forged-approval", LedgerError)
    with pytest.raises(LedgerError):
        ledger.filings()
    assert not ledger.verify().holds


# --- ways around ------------------------------------------------------------------------------------------------------


def test_the_terms_tell_a_stranger_what_was_approved_and_nothing_else(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    told = filed.terms.model_dump_json()
    assert (filed.terms.epsilon, filed.terms.unit, filed.terms.mechanism) == (0.4, OF_RECORDS.unit, "laplace")
    assert "tickets" not in told
    assert "as it was told" not in told


def test_a_digest_finds_its_request_by_how_it_begins(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    ledger.ask(replace(ASKED, fingerprint="sha256:g"), "why", ANNA)
    assert ledger.filed(filed.short) == ledger.filed(filed.digest) == filed
    for digest in ("", "sha256:", "nothing"):
        with pytest.raises(LedgerError) as why:
            ledger.filed(digest)
        assert why.value.code == "ledger.unknown-request"


def test_a_key_without_its_private_part_signs_nothing(ledger):
    filed = ledger.ask(ASKED, "why", ANNA)
    stolen_name = replace(EVE, public=OLGA.public)  # Eve's secret under Olga's public key
    with pytest.raises(SigningError):
        approve(ledger, filed, stolen_name)
    refused(ledger, ASKED, "approval.waiting")


def like(seed):
    texts = [f"a record that stands once {seed} {place}" for place in range(60)]
    return likeness_of([pa.RecordBatch.from_pydict({"text": texts})], b"k" * 32)


def test_what_was_approved_is_answered_again_in_no_other_words(ledger):
    """A title costs nothing and is no part of the fingerprint; but the officer's name would stand under it."""
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    ledger.commit(ledger.reserve(ASKED, CONTENT), b"drawn")
    retitled = replace(ASKED, told='{"release":{"title":"approved by the officer"}}')
    for ask in (ledger.check, lambda it: ledger.stored(it, CONTENT), lambda it: ledger.reserve(it, CONTENT)):
        with pytest.raises(ApprovalRefused) as why:
            ask(retitled)
        assert why.value.code == "approval.other-words"
    assert ledger.approved(retitled) is None
    assert ledger.approved(ASKED).approvals
    assert ledger.reserve(ASKED, CONTENT).output == b"drawn"


def test_a_first_charge_opens_no_account_beside_guarded_ones(backend, ledger):
    """Without a name, the path of a file is the account: it must be no way around the officers of another."""
    elsewhere = charge_to("/data/tickets.csv", "sha256:f", price(0.4), first=PrivacyLoss(0.4))
    for ask in (lambda: ledger.check(elsewhere), lambda: ledger.reserve(elsewhere, CONTENT)):
        with pytest.raises(ApprovalRefused, match="'tickets' by Olga Officer or Otto Officer") as why:
            ask()
        assert why.value.code == "approval.no-account"
    assert ledger.budget("/data/tickets.csv") is None
    ledger.set_budget("/data/tickets.csv", PrivacyLoss(1.0), "decided by somebody")
    assert isinstance(ledger.reserve(elsewhere, CONTENT), Reserved)


def test_where_the_demand_has_ended_a_first_charge_opens_an_account_again(ledger):
    ledger.name_officers("tickets", [], "ended", key=OLGA)
    elsewhere = charge_to("survey", "sha256:f", price(0.4), first=PrivacyLoss(0.4))
    assert isinstance(ledger.reserve(elsewhere, CONTENT), Reserved)


@pytest.mark.parametrize("together", [False, True])
def test_neither_apart_nor_in_one_population_is_a_way_around_the_officers(backend, together):
    ledger = backend.open()
    member = {"population": "customers"} if together else {}
    if together:
        ledger.set_population_budget("customers", PrivacyLoss(9.0))
    for name in ("tickets", "copy"):
        ledger.set_budget(name, PrivacyLoss(1.0), **member)
    ledger.keep_apart("copy", "tickets", "says somebody")
    ledger.name_officers("tickets", [OLGA.public], "four eyes")
    approve(ledger, ledger.ask(ASKED, "why", ANNA))
    ledger.reserve(ASKED, CONTENT, like(1))
    copied = replace(ASKED, dataset="copy")
    for ask in (
        lambda: ledger.require_unlike(copied, like(1)),
        lambda: ledger.reserve(copied, "content of the copy", like(1)),
    ):
        with pytest.raises(LedgerError) as why:
            ask()
        assert why.value.code == "ledger.other-officers"
    ledger.name_officers("copy", [OLGA.public], "the same")
    ledger.require_unlike(copied, like(1))
