"""The order at the desk: the ledger speaks first, reading costs nothing, noise comes after the charge."""

from dataclasses import replace

import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.certify import SupportBin, three_bins
from dpspin.boundary.mechanisms import Gaussian, PrivateTopL
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.statement import TOLERANCE, Separation
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.pseudonyms import Pseudonyms
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.ledger import Charge, open_ledger
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import ProtectedCorpus, open_corpus
from dpspin.curator.release import answer_request
from dpspin.curator.release.answer_request import ResolvedRequest, answer
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import BoundViolation, BudgetRefused, LedgerError, RecordsRefused, RequestError
from factories import WeightsMap, universe_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash"), Atom(id=3, label="refund")])
MAP = NgramMap.fit(UNIVERSE, PublicWordIdf())
TABLE = pa.table({"text": ["late parcel"] * 60 + ["app crash"] * 40, "who": [f"u{i % 9}" for i in range(100)]})


ORIGIN = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
USERS = replace(ORIGIN, unit=UserUnit(1.0))


def request(origin=ORIGIN, snapshot="", **spec):
    chosen = {"loss": PrivacyLoss(1.0), "denominator": 100, "size": 3, **spec}
    return ResolvedRequest("d", UNIVERSE, origin, ReleaseSpec(**chosen), snapshot)


def corpus(table=TABLE, user=None, policy=None):
    return open_corpus(table, Columns("text", user), policy)


def records(table=TABLE, user=None, policy=None, **more):
    return Records(
        corpus(table, user, policy), **{"contribution_map": MAP, "origin": USERS if user else ORIGIN, **more}
    )


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "ledger.db")
    book.set_budget("d", PrivacyLoss(1.5, 1e-5))
    return book


def spent(ledger):
    return float(ledger.require_budget("d").spent.epsilon)


def explode():
    raise AssertionError("a record was read")


UNREADABLE = Records(ProtectedCorpus(explode, explode, Columns("text"), RowPolicy()), MAP, ORIGIN)


def test_a_budget_refusal_comes_before_any_record_is_read(ledger):
    with pytest.raises(BudgetRefused, match=r"spent .* asked .* left"):
        answer(request(loss=PrivacyLoss(1.6)), UNREADABLE, ledger)
    with pytest.raises(AssertionError, match="a record was read"):
        answer(request(), UNREADABLE, ledger)


def test_parameters_that_do_not_fit_are_refused_before_the_ledger_is_asked(ledger):
    with pytest.raises(RequestError, match="plan size"):
        answer(request(size=4), UNREADABLE, ledger)
    with pytest.raises(RequestError, match="needs a delta"):
        answer(request(mechanism=Gaussian()), UNREADABLE, ledger)
    with pytest.raises(RequestError, match="naming the column"):
        answer(request(USERS), UNREADABLE, ledger)
    assert spent(ledger) == 0


def test_records_that_cannot_be_used_cost_nothing(ledger):
    nameless = pa.table({"text": ["late parcel"], "who": pa.array([None], pa.string())})
    with pytest.raises(RecordsRefused):
        answer(request(USERS), records(nameless, "who"), ledger)
    assert spent(ledger) == 0


def test_the_charge_is_durable_before_noise_is_drawn(ledger, monkeypatch):
    seen = []
    real = answer_request.release_plan

    def watched(*args):
        seen.append(spent(ledger))
        return real(*args)

    monkeypatch.setattr(answer_request, "release_plan", watched)
    answer(request(), records(), ledger)
    assert seen == [1.0]


def test_the_same_request_is_answered_once_and_reads_no_record_again(ledger):
    first = answer(request(), records(), ledger)
    unread = replace(UNREADABLE, corpus=ProtectedCorpus(explode, corpus().content_parts, Columns("text"), RowPolicy()))
    again = answer(request(), unread, ledger)
    assert again.plan.to_json() == first.plan.to_json()
    assert again.diagnostics is None
    assert spent(ledger) == 1.0


def test_numbers_of_another_version_are_not_asked_for_again(ledger):
    known = request().description(records())
    charge = Charge("d", digest_of(known), request().cost, known)
    reserved = ledger.reserve(charge, records().content_digest())
    ledger.commit(reserved, b'{"schema_version": "1"}')
    with pytest.raises(LedgerError, match="read them with that version") as refused:
        answer(request(), records(), ledger)
    assert "release again" not in str(refused.value)
    assert spent(ledger) == 1.0
    assert answer(request(snapshot="february", **QUARTER), records(), ledger).plan.is_private


QUARTER = {"loss": PrivacyLoss(0.25)}
ONE_ATOM = NgramMap.fit(UNIVERSE, PublicWordIdf(), 1)
DRAWN_ANEW = {
    "epsilon": request(**QUARTER),
    "mechanism": request(mechanism=Gaussian(), loss=PrivacyLoss(0.25, 1e-6)),
    "selection": request(mechanism=PrivateTopL(), loss=PrivacyLoss(0.25, 1e-6)),
    "selected size": request(mechanism=PrivateTopL(), loss=PrivacyLoss(0.25, 1e-6), size=2),
    "map": request(replace(ORIGIN, contribution_map=ONE_ATOM.statement), **QUARTER),
    "snapshot": request(snapshot="february", **QUARTER),
}


def asked_for(asked):
    contribution_map = ONE_ATOM if asked.origin.contribution_map == ONE_ATOM.statement else MAP
    return records(contribution_map=contribution_map, origin=asked.origin)


REPLACED = request(replace(ORIGIN, adjacency=Adjacency.REPLACE), **QUARTER)


def test_a_request_about_other_neighbours_is_refused_before_any_record_is_read(ledger):
    """An add/drop loss counts twice against replacement, so a sum of both would mean neither."""
    answer(request(), records(), ledger)
    with pytest.raises(
        RequestError, match=r"about one record \(add_drop\); this request is about one record \(replace\)"
    ):
        answer(REPLACED, replace(UNREADABLE, origin=REPLACED.origin), ledger)
    assert spent(ledger) == 1.0


READ_ANEW = {
    "denominator": {"denominator": 250},
    "size": {"size": 1},
    "title": {"title": "another"},
    "admission": {"admission": "fixed"},
    "beta": {"beta": 0.2},
    "bins": {"bins": three_bins(0.9, 0.8)},
}


def test_everything_that_decides_the_noise_is_part_of_the_request():
    texts = [changed.description(records()) for changed in DRAWN_ANEW.values()]
    texts += [request(**QUARTER).description(records(policy=RowPolicy(bad_rows=BadRows.REFUSE)))]
    texts += [REPLACED.description(records())]
    users = [UserUnit(1.0), UserUnit(2.0), UserUnit(2.0, MissingUsers.DROP)]
    texts += [request(replace(ORIGIN, unit=unit)).description(records(user="who")) for unit in users]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("what", DRAWN_ANEW)
def test_another_request_is_charged_on_its_own(ledger, what):
    first = answer(request(), records(), ledger)
    other = answer(DRAWN_ANEW[what], asked_for(DRAWN_ANEW[what]), ledger)
    assert spent(ledger) == 1.25
    assert {e.noisy_mass for e in first.plan.entries}.isdisjoint(e.noisy_mass for e in other.plan.entries)


@pytest.mark.parametrize("what", READ_ANEW)
def test_reading_the_same_numbers_in_another_way_is_free(ledger, what):
    first = answer(request(), records(), ledger).plan
    again = answer(request(**READ_ANEW[what]), records(), ledger)
    assert again.diagnostics is None
    assert spent(ledger) == 1.0
    assert again.plan.noisy_sketch == first.noisy_sketch
    assert again.plan != first
    assert answer(request(), records(), ledger).plan == first


def test_changed_records_are_refused_until_their_state_has_a_name(ledger):
    answer(request(**QUARTER), records(), ledger)
    more = pa.concat_tables([TABLE, TABLE.slice(0, 1)])
    with pytest.raises(RecordsRefused, match=r"`account.snapshot"):
        answer(request(**QUARTER), records(more), ledger)
    assert spent(ledger) == 0.25
    assert answer(DRAWN_ANEW["snapshot"], records(more), ledger).plan.is_private
    assert spent(ledger) == 0.5


@pytest.mark.parametrize("late", [{"bins": (SupportBin(name="a", at_least=0.5),)}, {"size": 99}, {"beta": 0.4}])
def test_nothing_can_fail_once_the_charge_is_made(ledger, late):
    try:
        answer(request(**late), records(), ledger)
    except RequestError:
        assert spent(ledger) == 0
    else:
        assert spent(ledger) == 1.0


@pytest.mark.parametrize("user", [None, "who"])
def test_auxiliary_data_that_overlap_the_target_are_refused_at_no_cost(ledger, user):
    origin = replace(USERS if user else ORIGIN, separation=Separation(map_text="compared", dictionary_text="no_text"))
    asked = request(origin)
    same_users = pa.table({"text": ["other words"] * 3, "who": ["u1", "x", "y"]})
    long_text = "a long complaint about a late parcel that nobody could have written twice by chance " * 2
    target = pa.table({"text": [long_text, "late parcel"], "who": ["u1", "u2"]})
    overlapping = corpus(pa.table({"text": [long_text], "who": ["z"]})) if user is None else corpus(same_users, user)
    with pytest.raises(RecordsRefused, match="both the auxiliary and the protected"):
        answer(asked, records(target, user, auxiliary=overlapping, origin=origin), ledger)
    with pytest.raises(RecordsRefused, match="auxiliary data are the protected data"):
        answer(asked, records(target, user, auxiliary=corpus(target, user), origin=origin), ledger)
    assert spent(ledger) == 0
    separate = corpus(pa.table({"text": ["something else entirely"], "who": ["z"]}), user)
    plan = answer(asked, records(target, user, auxiliary=separate, origin=origin), ledger).plan
    assert (plan.is_private, plan.statement.separation) == (True, origin.separation)


def test_numbers_that_were_compared_under_an_earlier_tolerance_still_take_a_baseline(ledger):
    then = Separation(map_text="compared", dictionary_text="no_text")
    now = then.model_copy(update={"tolerance": TOLERANCE})
    separate = corpus(pa.table({"text": ["something else entirely"]}))
    public = baseline_of(UNIVERSE, dict.fromkeys(UNIVERSE.ids, 1.0), None, source="a census")
    first, again = (
        answer(request(replace(ORIGIN, separation=stated), baseline=beside), source, ledger).plan
        for stated, beside in ((then, None), (now, public))
        for source in [records(auxiliary=separate, origin=replace(ORIGIN, separation=stated))]
    )
    assert again.noisy_sketch == first.noisy_sketch
    assert again.statement.separation == then
    assert again.baseline == public


def test_without_a_decided_budget_the_first_charge_decides_it_and_a_failed_one_does_not(tmp_path):
    book = open_ledger(tmp_path / "new.db")
    nameless = pa.table({"text": ["late parcel"], "who": pa.array([None], pa.string())})
    with pytest.raises(RecordsRefused):
        answer(request(USERS), records(nameless, "who"), book, first_budget=PrivacyLoss(1.0))
    with pytest.raises(BudgetRefused):
        answer(request(), UNREADABLE, book, first_budget=PrivacyLoss(0.5))
    assert book.budget("d") is None
    answer(request(**QUARTER), records(), book, first_budget=PrivacyLoss(0.5))
    assert (str(book.budget("d").cap), str(book.budget("d").left)) == ("epsilon 0.5", "epsilon 0.25")
    with pytest.raises(BudgetRefused):
        answer(DRAWN_ANEW["mechanism"], records(), book, first_budget=PrivacyLoss(99.0, 0.1))


def test_a_map_that_counts_a_record_twice_is_stopped(ledger):
    class Twice:
        statement = MAP.statement

        def __call__(self, texts):
            return MAP(pa.concat_arrays([texts, texts]))

    with pytest.raises(BoundViolation, match="one row per record"):
        answer(request(), records(contribution_map=Twice()), ledger)
    assert spent(ledger) == 0


def test_numbers_and_their_spelling_are_one_request():
    whole = request(loss=PrivacyLoss(1)).description(records())
    assert whole == request(loss=PrivacyLoss(1.0)).description(records())
    assert UserUnit(1) == UserUnit(1.0)
    assert repr(UserUnit(1)) == repr(UserUnit(1.0))


def test_a_corpus_that_treats_missing_users_otherwise_than_the_unit_is_refused(ledger):
    lenient = records(user="who", policy=RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    with pytest.raises(RequestError, match="another way"):
        answer(request(USERS), lenient, ledger)


def test_data_that_change_while_they_are_read_are_refused_at_no_cost(ledger):
    digests = iter([["before"], ["after"]])
    moving = ProtectedCorpus(
        lambda: iter(TABLE.select(["text"]).to_batches()), lambda: next(digests), Columns("text"), RowPolicy()
    )
    with pytest.raises(RecordsRefused, match="changed while"):
        answer(request(), replace(UNREADABLE, corpus=moving), ledger)
    assert spent(ledger) == 0


def test_a_sketch_of_something_else_than_was_asked_for_is_refused_at_no_cost(ledger):
    other = replace(ORIGIN, adjacency=Adjacency.REPLACE)
    with pytest.raises(RequestError, match="not what was asked for"):
        answer(request(), records(origin=other), ledger)
    assert spent(ledger) == 0


def shards(folder, tables, origin=ORIGIN, user=None):
    files = [folder / f"{number}.sketch" for number in range(len(tables))]
    for file, table in zip(files, tables, strict=True):
        sketch_shard(file, records(table, user, origin=origin), pseudonyms=Pseudonyms(bytes(32)))
    return open_shards(files)


@pytest.mark.parametrize("user", [None, "who"])
def test_shards_are_the_same_request_and_the_same_numbers_as_the_whole_corpus(tmp_path, user):
    origin = USERS if user else ORIGIN
    whole, parts = records(user=user), shards(tmp_path, [TABLE.slice(0, 30), TABLE.slice(30)], origin, user)
    assert request(origin).description(parts) == request(origin).description(whole)
    plans = [
        release_plan(source.measure()[0], UNIVERSE, request(origin).spec, SimulatedNoise(7))
        for source in (whole, parts)
    ]
    assert plans[0].to_json() == plans[1].to_json()
    assert whole.measure()[1] == parts.measure()[1]


def test_shards_are_charged_once_and_read_again_for_free(tmp_path, ledger):
    parts = shards(tmp_path, [TABLE.slice(0, 30), TABLE.slice(30)])
    first = answer(request(), parts, ledger)
    again = answer(request(), parts, ledger)
    assert again.plan.to_json() == first.plan.to_json()
    assert (first.diagnostics.records, again.diagnostics) == (100, None)
    assert spent(ledger) == 1.0


@pytest.mark.parametrize("difference", [{"universe_digest": "sha256:other"}, {"universe_size": 4}])
def test_records_of_another_dictionary_are_refused_before_the_ledger_is_asked(ledger, difference):
    other = replace(ORIGIN, **difference)
    source = records(origin=other)  # nothing is measured, so that it need not be measurable
    with pytest.raises(RequestError, match="another dictionary"):
        answer(request(other, loss=PrivacyLoss(99.0)), source, ledger)
    assert spent(ledger) == 0


@pytest.mark.parametrize(
    "spec",
    [{}, {"loss": PrivacyLoss(1.0, 1e-6), "mechanism": PrivateTopL(), "size": 2}],
    ids=["laplace", "private_topL"],
)
def test_what_is_uncovered_is_part_of_the_one_answer_and_of_its_price(ledger, spec):
    names_a_theme = WeightsMap(3, lambda text: [text == "late parcel", 0, 0, text != "late parcel"])
    origin = SketchOrigin.of(UNIVERSE, names_a_theme.statement, RecordUnit(), Adjacency.ADD_DROP)
    asked, source = request(origin, **spec), records(contribution_map=names_a_theme, origin=origin)
    first = answer(asked, source, ledger)
    again = answer(asked, source, ledger)
    assert first.plan.uncovered.noisy_mass == pytest.approx(40, abs=40 * first.plan.statement.noise.std)
    assert first.diagnostics.without_atom == 40
    assert again.plan == first.plan
    assert spent(ledger) == 1.0
