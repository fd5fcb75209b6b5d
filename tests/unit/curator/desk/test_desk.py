"""The order at the desk: the ledger speaks first, reading costs nothing, noise comes after the charge."""

import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SupportBin, three_bins
from dpspin.boundary.privacy import Adjacency, Gaussian, MissingUsers, PrivacyLoss, PrivateTopL, RecordUnit, UserUnit
from dpspin.curator import desk
from dpspin.curator.desk import Request, answer
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.records.policy import BadRows, Columns, RowPolicy
from dpspin.curator.stage1_assign.scorers.idf import PublicWordIdf
from dpspin.curator.stage1_assign.scorers.ngram import NgramMap
from dpspin.curator.stage2_release.release import ReleaseSpec
from dpspin.errors import BoundViolation, BudgetRefused, RecordsRefused, RequestError
from factories import WeightsMap, universe_of

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
    assert again.plan.to_json() == first.plan.to_json()
    assert again.diagnostics is None
    assert spent(ledger) == 1.0


QUARTER = {"loss": PrivacyLoss(0.25)}
DRAWN_ANEW = {
    "epsilon": request(spec=QUARTER),
    "mechanism": request(spec={"mechanism": Gaussian(), "loss": PrivacyLoss(0.25, 1e-6)}),
    "selection": request(spec={"mechanism": PrivateTopL(), "loss": PrivacyLoss(0.25, 1e-6)}),
    "selected size": request(spec={"mechanism": PrivateTopL(), "loss": PrivacyLoss(0.25, 1e-6), "size": 2}),
    "adjacency": request(adjacency=Adjacency.REPLACE, spec=QUARTER),
    "map": request(contribution_map=NgramMap.fit(UNIVERSE, PublicWordIdf(), 1), spec=QUARTER),
    "snapshot": request(snapshot="february", spec=QUARTER),
}
READ_ANEW = {
    "denominator": {"denominator": 250},
    "size": {"size": 1},
    "title": {"title": "another"},
    "admission": {"admission": "fixed"},
    "beta": {"beta": 0.2},
    "bins": {"bins": three_bins(0.9, 0.8)},
}


def test_everything_that_decides_the_noise_is_part_of_the_request():
    texts = [changed.description(corpus()) for changed in DRAWN_ANEW.values()]
    texts += [request(spec=QUARTER).description(corpus(policy=RowPolicy(bad_rows=BadRows.REFUSE)))]
    users = [UserUnit(1.0), UserUnit(2.0), UserUnit(2.0, MissingUsers.DROP)]
    texts += [request(unit=unit).description(corpus(user="who")) for unit in users]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("what", DRAWN_ANEW)
def test_another_request_is_charged_on_its_own(ledger, what):
    first = answer(request(), corpus(), ledger)
    other = answer(DRAWN_ANEW[what], corpus(), ledger)
    assert spent(ledger) == 1.25
    assert {e.noisy_mass for e in first.plan.entries}.isdisjoint(e.noisy_mass for e in other.plan.entries)


@pytest.mark.parametrize("what", READ_ANEW)
def test_reading_the_same_numbers_in_another_way_is_free(ledger, what):
    first = answer(request(), corpus(), ledger).plan
    again = answer(request(spec=READ_ANEW[what]), corpus(), ledger)
    assert again.diagnostics is None
    assert spent(ledger) == 1.0
    assert again.plan.noisy_sketch == first.noisy_sketch
    assert again.plan != first
    assert answer(request(), corpus(), ledger).plan == first


def test_changed_records_are_refused_until_their_state_has_a_name(ledger):
    answer(request(spec=QUARTER), corpus(), ledger)
    more = pa.concat_tables([TABLE, TABLE.slice(0, 1)])
    with pytest.raises(RecordsRefused, match="--snapshot"):
        answer(request(spec=QUARTER), corpus(more), ledger)
    assert spent(ledger) == 0.25
    assert answer(DRAWN_ANEW["snapshot"], corpus(more), ledger).plan.is_private
    assert spent(ledger) == 0.5


@pytest.mark.parametrize("late", [{"bins": (SupportBin(name="a", at_least=0.5),)}, {"size": 99}, {"beta": 0.4}])
def test_nothing_can_fail_once_the_charge_is_made(ledger, late):
    try:
        answer(request(spec=late), corpus(), ledger)
    except RequestError:
        assert spent(ledger) == 0
    else:
        assert spent(ledger) == 1.0


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


def test_without_a_decided_budget_the_first_charge_decides_it_and_a_failed_one_does_not(tmp_path):
    book = open_ledger(tmp_path / "new.db")
    nameless = pa.table({"text": ["late parcel"], "who": pa.array([None], pa.string())})
    with pytest.raises(RecordsRefused):
        answer(request(unit=UserUnit(1.0)), corpus(nameless, "who"), book, first_budget=PrivacyLoss(1.0))
    with pytest.raises(BudgetRefused):
        answer(request(), UNREADABLE, book, first_budget=PrivacyLoss(0.5))
    assert book.budget("d") is None
    answer(request(spec=QUARTER), corpus(), book, first_budget=PrivacyLoss(0.5))
    assert (str(book.budget("d").cap), str(book.budget("d").left)) == ("epsilon 0.5", "epsilon 0.25")
    with pytest.raises(BudgetRefused):
        answer(DRAWN_ANEW["mechanism"], corpus(), book, first_budget=PrivacyLoss(99.0, 0.1))


def test_a_map_that_counts_a_record_twice_is_stopped(ledger):
    class Twice:
        statement = MAP.statement

        def __call__(self, texts):
            return MAP(pa.concat_arrays([texts, texts]))

    with pytest.raises(BoundViolation, match="one row per record"):
        answer(request(contribution_map=Twice()), corpus(), ledger)
    assert spent(ledger) == 0


def test_numbers_and_their_spelling_are_one_request():
    whole = request(spec={"loss": PrivacyLoss(1)}).description(corpus())
    assert whole == request(spec={"loss": PrivacyLoss(1.0)}).description(corpus())
    assert UserUnit(1) == UserUnit(1.0)
    assert repr(UserUnit(1)) == repr(UserUnit(1.0))


def test_a_corpus_that_treats_missing_users_otherwise_than_the_unit_is_refused(ledger):
    lenient = corpus(user="who", policy=RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    with pytest.raises(RequestError, match="another way"):
        answer(request(unit=UserUnit(1.0)), lenient, ledger)


def test_data_that_change_while_they_are_read_are_refused_at_no_cost(ledger):
    digests = iter(["before", "after"])
    moving = ProtectedCorpus(
        lambda: iter(TABLE.select(["text"]).to_batches()), lambda: next(digests), Columns("text"), RowPolicy()
    )
    with pytest.raises(RecordsRefused, match="changed while"):
        answer(request(), moving, ledger)
    assert spent(ledger) == 0


@pytest.mark.parametrize(
    "spec",
    [{}, {"loss": PrivacyLoss(1.0, 1e-6), "mechanism": PrivateTopL(), "size": 2}],
    ids=["laplace", "private_topL"],
)
def test_what_is_uncovered_is_part_of_the_one_answer_and_of_its_price(ledger, spec):
    names_a_theme = WeightsMap(3, lambda text: [text == "late parcel", 0, 0, text != "late parcel"])
    asked = request(contribution_map=names_a_theme, spec=spec)
    first = answer(asked, corpus(), ledger)
    again = answer(asked, corpus(), ledger)
    assert first.plan.uncovered.noisy_mass == pytest.approx(40, abs=40 * first.plan.statement.noise.std)
    assert first.diagnostics.without_atom == 40
    assert again.plan == first.plan
    assert spent(ledger) == 1.0
