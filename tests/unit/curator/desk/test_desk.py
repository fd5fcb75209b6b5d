"""The order at the desk: the ledger speaks first, reading costs nothing, noise comes after the charge."""

import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.privacy import Adjacency, Gaussian, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator import desk
from dpspin.curator.desk import Request, answer
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.policy import BadRows, Columns, MissingUsers, RowPolicy
from dpspin.curator.stage1_assign.scorers.idf import PublicWordIdf
from dpspin.curator.stage1_assign.scorers.ngram import NgramMap
from dpspin.curator.stage2_release.release import ReleaseSpec
from dpspin.errors import BudgetRefused, RecordsRefused, RequestError
from factories import universe_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash"), Atom(id=3, label="refund")])
MAP = NgramMap.fit(UNIVERSE, PublicWordIdf())
TABLE = pa.table({"text": ["late parcel"] * 60 + ["app crash"] * 40, "who": [f"u{i % 9}" for i in range(100)]})


def request(**changes):
    fields = {"dataset": "d", "universe": UNIVERSE, "contribution_map": MAP, "unit": RecordUnit()}
    spec = {"loss": PrivacyLoss(1.0), "denominator": 100, "size": 3, **changes.pop("spec", {})}
    fields |= {"adjacency": Adjacency.ADD_DROP, "spec": ReleaseSpec(**spec), **changes}
    return Request(**fields)


def corpus(table=TABLE, user=None, policy=None):
    return open_corpus(table, Columns("text", user), policy)


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "ledger.db")
    book.set_budget("d", PrivacyLoss(1.5, 1e-5))
    return book


def spent(ledger):
    return float(ledger.require_budget("d").spent.epsilon)


def explode():
    raise AssertionError("a record was read")


UNREADABLE = ProtectedCorpus(explode, explode, Columns("text"), RowPolicy())


def test_a_budget_refusal_comes_before_any_record_is_read(ledger):
    with pytest.raises(BudgetRefused, match=r"spent .* asked .* left"):
        answer(request(spec={"loss": PrivacyLoss(1.6)}), UNREADABLE, ledger)
    with pytest.raises(AssertionError, match="a record was read"):
        answer(request(), UNREADABLE, ledger)


def test_parameters_that_do_not_fit_are_refused_before_the_ledger_is_asked(ledger):
    with pytest.raises(RequestError, match="plan size"):
        answer(request(spec={"size": 4}), UNREADABLE, ledger)
    with pytest.raises(RequestError, match="needs a delta"):
        answer(request(spec={"mechanism": Gaussian()}), UNREADABLE, ledger)
    with pytest.raises(RequestError, match="naming the column"):
        answer(request(unit=UserUnit(bound=1.0)), UNREADABLE, ledger)
    assert spent(ledger) == 0


def test_records_that_cannot_be_used_cost_nothing(ledger):
    nameless = pa.table({"text": ["late parcel"], "who": pa.array([None], pa.string())})
    with pytest.raises(RecordsRefused):
        answer(request(unit=UserUnit(bound=1.0)), corpus(nameless, "who"), ledger)
    assert spent(ledger) == 0


def test_the_charge_is_durable_before_noise_is_drawn(ledger, monkeypatch):
    seen = []
    real = desk.release_plan

    def watched(*args):
        seen.append(spent(ledger))
        return real(*args)

    monkeypatch.setattr(desk, "release_plan", watched)
    answer(request(), corpus(), ledger)
    assert seen == [1.0]


def test_the_same_request_is_answered_once_and_reads_no_record_again(ledger):
    first = answer(request(), corpus(), ledger)
    digest = corpus().content_digest()
    again = answer(request(), ProtectedCorpus(explode, lambda: digest, Columns("text"), RowPolicy()), ledger)
    assert again.stored == first.stored
    assert again.diagnostics is None
    assert spent(ledger) == 1.0


CHANGED = {
    "epsilon": request(spec={"loss": PrivacyLoss(0.25)}),
    "denominator": request(spec={"denominator": 101, "loss": PrivacyLoss(0.25)}),
    "size": request(spec={"size": 2, "loss": PrivacyLoss(0.25)}),
    "title": request(spec={"title": "another", "loss": PrivacyLoss(0.25)}),
    "admission": request(spec={"admission": "fixed", "loss": PrivacyLoss(0.25)}),
    "beta": request(spec={"beta": 0.1, "loss": PrivacyLoss(0.25)}),
    "mechanism": request(spec={"mechanism": Gaussian(), "loss": PrivacyLoss(0.25, 1e-6)}),
    "adjacency": request(adjacency=Adjacency.REPLACE, spec={"loss": PrivacyLoss(0.25)}),
    "map": request(contribution_map=NgramMap.fit(UNIVERSE, PublicWordIdf(), 1), spec={"loss": PrivacyLoss(0.25)}),
}


def test_every_public_parameter_is_part_of_the_request():
    texts = [changed.description(corpus()) for changed in CHANGED.values()]
    rows = [
        corpus(policy=RowPolicy(bad_rows=BadRows.REFUSE)),
        corpus(policy=RowPolicy(missing_users=MissingUsers.DROP)),
    ]
    texts += [request(spec={"loss": PrivacyLoss(0.25)}).description(rows_as) for rows_as in rows]
    bounds = [request(unit=UserUnit(bound=b)).description(corpus(user="who")) for b in (1.0, 2.0)]
    assert len({*texts, *bounds}) == len(texts) + len(bounds)


@pytest.mark.parametrize("what", ["title", "map"])
def test_another_request_is_charged_on_its_own(ledger, what):
    answer(request(), corpus(), ledger)
    answer(CHANGED[what], corpus(), ledger)
    assert spent(ledger) == 1.25


@pytest.mark.parametrize("user", [None, "who"])
def test_auxiliary_data_that_overlap_the_target_are_refused_at_no_cost(ledger, user):
    unit = RecordUnit() if user is None else UserUnit(bound=1.0)
    same_users = pa.table({"text": ["other words"] * 3, "who": ["u1", "x", "y"]})
    long_text = "a long complaint about a late parcel that nobody could have written twice by chance " * 2
    target = pa.table({"text": [long_text, "late parcel"], "who": ["u1", "u2"]})
    overlapping = corpus(pa.table({"text": [long_text], "who": ["z"]})) if user is None else corpus(same_users, user)
    with pytest.raises(RecordsRefused, match="both the auxiliary and the protected"):
        answer(request(unit=unit), corpus(target, user), ledger, auxiliary=overlapping)
    with pytest.raises(RecordsRefused, match="auxiliary data are the protected data"):
        answer(request(unit=unit), corpus(target, user), ledger, auxiliary=corpus(target, user))
    assert spent(ledger) == 0
    separate = corpus(pa.table({"text": ["something else entirely"], "who": ["z"]}), user)
    assert answer(request(unit=unit), corpus(target, user), ledger, auxiliary=separate).plan.is_private
