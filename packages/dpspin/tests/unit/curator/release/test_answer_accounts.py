"""The desk and the accounts: what the plan says of them, populations, rho, and windows."""

from dataclasses import replace

import pyarrow as pa
import pytest

from dpspin.boundary.accounting import Rho, Window
from dpspin.boundary.atoms import Atom
from dpspin.boundary.mechanisms.laplace import laplace_rho
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.release.answer_request import ResolvedRequest, answer
from dpspin.curator.release.draw_plan import ReleaseSpec
from dpspin.errors import BudgetRefused, LedgerError, RequestError
from factories import universe_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash")])
MAP = NgramMap.fit(UNIVERSE, PublicWordIdf())
ORIGIN = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
TABLE = pa.table(
    {
        "text": ["late parcel"] * 600 + ["app crash"] * 300,
        "week": ["W1"] * 600 + ["W2"] * 300,
        "who": [f"u{number}" for number in range(900)],
    }
)


def request(origin=ORIGIN, epsilon=1.0, size=2):
    return ResolvedRequest("d", UNIVERSE, origin, ReleaseSpec(loss=PrivacyLoss(epsilon), denominator=900, size=size))


def records(window=None, origin=ORIGIN, user=None):
    columns = Columns("text", user, window=None if window is None else Window("week", window))
    return Records(open_corpus(TABLE, columns), MAP, origin)


def explode():
    raise AssertionError("a record was read")


@pytest.fixture
def ledger(tmp_path):
    return open_ledger(tmp_path / "ledger.db")


def test_a_plan_says_what_is_spent_after_it_and_where_the_ledger_stood(ledger):
    ledger.set_budget("d", PrivacyLoss(3.0))
    first = answer(request(), records(), ledger).plan
    second = answer(request(epsilon=0.5), records(), ledger).plan
    spent = [(plan.account.balances[0].spent_epsilon, plan.account.balances[0].cap_epsilon) for plan in (first, second)]
    assert spent == [(1.0, 3.0), (1.5, 3.0)]
    assert first.account.head != second.account.head
    assert all(ledger.verify(plan.account.head).holds for plan in (first, second))


def test_a_replayed_request_gets_the_stored_statement_as_it_was(ledger):
    ledger.set_budget("d", PrivacyLoss(3.0))
    first = answer(request(), records(), ledger).plan
    answer(request(epsilon=0.5), records(), ledger)
    again = answer(request(), records(), ledger).plan
    assert again.to_json() == first.to_json()
    assert answer(request(size=1), records(), ledger).plan.account == first.account


def test_a_population_refuses_before_any_record_is_read(ledger):
    ledger.set_population_budget("people", Rho(0.1))
    ledger.set_budget("d", PrivacyLoss(3.0), population="people")
    users = replace(ORIGIN, unit=UserUnit(1.0))
    unreadable = Records(ProtectedCorpus(explode, explode, Columns("text", "who"), RowPolicy()), MAP, users)
    with pytest.raises(BudgetRefused, match="population 'people'"):
        answer(request(users), unreadable, ledger)
    with pytest.raises(RequestError, match="protect users"):
        answer(request(), records(), ledger)
    plan = answer(request(users, epsilon=0.25), records(None, users, "who"), ledger).plan
    assert plan.account.balances[1].spent_rho == pytest.approx(laplace_rho(0.25), abs=2e-9)


@pytest.fixture
def weekly(ledger):
    ledger.set_budget("d", PrivacyLoss(1.0), partition="week")
    return ledger


def test_each_window_is_measured_on_its_own_and_together_they_cost_one(weekly):
    first, second = (answer(request(), records(week), weekly) for week in ("W1", "W2"))
    assert float(weekly.require_budget("d").spent.epsilon) == 1.0
    assert (first.diagnostics.records, second.diagnostics.records) == (600, 300)
    masses = [[item.noisy_mass for item in each.plan.noisy_sketch] for each in (first, second)]
    assert masses[0] == pytest.approx([600, 0], abs=40)  # e^-40 for noise of scale 1
    assert masses[1] == pytest.approx([0, 300], abs=40)
    assert first.plan.account.window == Window("week", "W1")
    with pytest.raises(BudgetRefused):
        answer(request(epsilon=0.5), records("W1"), weekly)
    with pytest.raises(BudgetRefused):
        answer(request(epsilon=0.5), records(), weekly)


def test_windows_are_refused_where_their_proof_does_not_hold(weekly):
    users = replace(ORIGIN, unit=UserUnit(1.0))
    with pytest.raises(RequestError, match="for records only"):
        answer(request(users), records("W1", users, "who"), weekly)
    replaced = replace(ORIGIN, adjacency=Adjacency.REPLACE)
    with pytest.raises(RequestError, match="may move to another window"):
        answer(request(replaced), records("W1", replaced), weekly)
    assert weekly.history() == ()


def test_a_window_needs_a_declared_partition_before_any_record_is_read(ledger):
    ledger.set_budget("d", PrivacyLoss(1.0))
    columns = Columns("text", window=Window("week", "W1"))
    unreadable = Records(ProtectedCorpus(explode, explode, columns, RowPolicy()), MAP, ORIGIN)
    with pytest.raises(RequestError, match="no declared partition"):
        answer(request(), unreadable, ledger)


def test_a_sketch_file_cannot_be_of_a_window(tmp_path):
    with pytest.raises(RequestError, match="from the records themselves"):
        sketch_shard(tmp_path / "one.sketch", records("W1"))


USERS = replace(ORIGIN, unit=UserUnit(1.0))


def test_another_user_column_is_refused_before_any_record_is_read(ledger):
    ledger.set_budget("d", PrivacyLoss(3.0))
    first = answer(request(USERS, epsilon=0.5), records(None, USERS, "who"), ledger).plan
    assert first.account.user_column == "who"
    unreadable = Records(ProtectedCorpus(explode, explode, Columns("text", "household"), RowPolicy()), MAP, USERS)
    with pytest.raises(RequestError, match="column 'who' names; this request takes them from 'household'"):
        answer(request(USERS, epsilon=0.25), unreadable, ledger)
    assert float(ledger.require_budget("d").spent.epsilon) == 0.5


def test_a_plan_about_records_states_no_user_column(ledger):
    ledger.set_budget("d", PrivacyLoss(3.0))
    plan = answer(request(), records(), ledger).plan
    assert plan.account.user_column is None
    assert "user_column" not in plan.to_json()


def test_a_near_copy_is_refused_before_the_map_works_and_before_the_charge(ledger):
    ledger.set_budget("d", PrivacyLoss(3.0))
    answer(request(USERS), records(None, USERS, "who"), ledger)

    class Unused:
        statement = MAP.statement

        def __call__(self, texts):
            raise AssertionError("a record was mapped")

    one_row_less = Records(open_corpus(TABLE.slice(1), Columns("text", "who")), Unused(), USERS)
    copy = replace(request(USERS), dataset="copy")
    with pytest.raises(LedgerError, match="large part of the users of 'copy' is known to this ledger as dataset 'd'"):
        answer(copy, one_row_less, ledger, first_budget=PrivacyLoss(1.0))
    assert ledger.budget("copy") is None
    ledger.keep_apart("copy", "d", "agreed")
    with pytest.raises(AssertionError, match="a record was mapped"):
        answer(copy, one_row_less, ledger, first_budget=PrivacyLoss(1.0))


def test_a_near_copy_that_is_charged_meanwhile_is_noticed_at_the_charge(ledger):
    class Slow:
        statement = MAP.statement

        def __call__(self, texts):
            if ledger.budget("first") is None:
                first = replace(request(USERS), dataset="first")
                answer(first, records(None, USERS, "who"), ledger, first_budget=PrivacyLoss(1.0))
            return MAP(texts)

    slow = Records(open_corpus(TABLE.slice(1), Columns("text", "who")), Slow(), USERS)
    with pytest.raises(LedgerError, match="as dataset 'first'"):
        answer(request(USERS), slow, ledger, first_budget=PrivacyLoss(1.0))
    assert ledger.budget("d") is None


def test_of_sketch_files_nothing_is_known_but_their_digests(ledger, tmp_path):
    answer(replace(request(), dataset="files"), records(), ledger, first_budget=PrivacyLoss(1.0))
    part = Records(open_corpus(TABLE.slice(1), Columns("text")), MAP, ORIGIN)
    sketch_shard(tmp_path / "one.sketch", part)
    shards = open_shards([tmp_path / "one.sketch"])
    assert shards.likeness(bytes(32)) is None
    answer(request(), shards, ledger, first_budget=PrivacyLoss(1.0))  # said in SECURITY.md
