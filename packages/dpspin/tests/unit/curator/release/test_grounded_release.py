"""A release with a reading: the sample is secret, read as a whole, of these very records, and pays for one release."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.accounting import cost_of
from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.denominator import CountShare, TotalMass
from dpspin.boundary.grounding import Grounding, best_share, loss_of_reading, sample_noise
from dpspin.boundary.mechanisms import Gaussian, SetSelection
from dpspin.boundary.mechanisms.laplace import laplace_rho
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Adjacency,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
)
from dpspin.curator.aggregate.local import Records
from dpspin.curator.aggregate.read_sample import Drawing, SampleSums
from dpspin.curator.aggregate.shards import open_shards, sketch_shard
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.ledger import open_ledger
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release import answer_request
from dpspin.curator.release.answer_request import ResolvedRequest, answer
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan, statement_of, with_mechanism
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, LedgerError, RecordsRefused, RequestError
from factories import WeightsMap, universe_of

UNIVERSE = universe_of([Atom(id=1, label="late parcel"), Atom(id=2, label="app crash"), Atom(id=3, label="refund")])
HALF_WRONG = {"late": [1.0, 0, 0, 0], "crash": [0.5, 0.5, 0, 0]}
MAP = WeightsMap(3, lambda text: HALF_WRONG.get(text, [0, 0, 0, 1.0]))
READ = {"late": frozenset({0}), "crash": frozenset({1})}
ORIGIN = SketchOrigin.of(UNIVERSE, MAP.statement, RecordUnit(), Adjacency.ADD_DROP)
USERS = replace(ORIGIN, unit=UserUnit(2.0))
TEXTS = ["late"] * 60 + ["crash"] * 40 + ["hello"] * 20
TABLE = pa.table({"text": TEXTS, "who": [f"u{i % 30}" for i in range(120)]})
READING = Grounding(rate=0.4, share=0.5, reader="a person")


def request(origin=ORIGIN, snapshot="", **spec):
    chosen = {"loss": PrivacyLoss(1.0), "denominator": 120, "size": 3, "grounding": READING, **spec}
    return ResolvedRequest("d", UNIVERSE, origin, ReleaseSpec(**chosen), snapshot)


def records(source=TABLE, user=None, **more):
    origin = USERS if user else ORIGIN
    return Records(open_corpus(source, Columns("text", user)), **{"contribution_map": MAP, "origin": origin, **more})


def drawn_for(asked, source, ledger):
    key = ledger.drawing_key(asked.drawing(source), source.content_digest())
    return Drawing(key, asked.spec.grounding.rate).of(source.corpus)


def read(asked, source, ledger, read_as=READ):
    """Draw the sample of a request and read all of it."""
    drawn = drawn_for(asked, source, ledger)
    return replace(source, readings={each.id: read_as.get(each.text, frozenset()) for each in drawn if each.text})


@pytest.fixture
def ledger(tmp_path):
    book = open_ledger(tmp_path / "ledger.db")
    book.set_budget("d", PrivacyLoss(20.0, 1e-5))
    return book


def spent(ledger):
    return float(ledger.require_budget("d").spent.epsilon)


@pytest.mark.parametrize("asked", [request(), request(USERS)], ids=["record", "user"])
def test_a_reading_is_released_once_and_again_for_free(ledger, asked):
    source = read(asked, records(user="who" if asked.origin is USERS else None), ledger)
    plan = answer(asked, source, ledger).plan
    assert plan.schema_version == "4"
    assert plan.statement.grounding == READING
    assert len(plan.grounded.readings.corrections) == 4
    assert plan.grounded.sorted_alike.low <= plan.grounded.sorted_alike.share <= plan.grounded.sorted_alike.high
    assert spent(ledger) == 1
    assert answer(asked, replace(source, readings=None), ledger).plan == plan  # the stored numbers, whatever is there
    assert spent(ledger) == 1


def test_what_is_published_says_nothing_of_who_was_drawn_or_how_many(ledger):
    asked = request()
    source = read(asked, records(), ledger)
    plan = answer(asked, source, ledger).plan
    assert set(dict(plan.statement.grounding)) == {"rate", "share", "reader"}
    assert set(dict(plan.grounded)) == {"readings", "themes", "none", "sorted_alike"}
    assert set(dict(plan.grounded.readings)) == {"corrections", "squares", "moved"}
    text = plan.to_json() + asked.description(source)
    assert not any(each in text for each in source.readings)
    exact = source.sums_over(drawn_for(asked, source, ledger))
    assert "corrections" not in repr(exact)
    noisy = [round(each * TICKS_PER_MASS) for each in plan.grounded.readings.corrections]
    assert noisy != exact.corrections.tolist()


def test_a_request_is_described_with_its_drawing_and_no_record_decides_its_name(ledger):
    other = records(pa.table({"text": ["hello"], "who": ["u"]}))
    assert request().description(records()) == request().description(other)
    assert request().drawing(records()) != request(snapshot="2026-02").drawing(records())
    assert request().drawing(records()) == request(loss=PrivacyLoss(2.0)).drawing(records())


@pytest.mark.parametrize(
    "change",
    [
        {"loss": PrivacyLoss(1.2)},
        {"mechanism": Gaussian(), "loss": PrivacyLoss(1.0, 1e-6)},
        {"grounding": READING.model_copy(update={"share": 0.25})},
        {"grounding": READING.model_copy(update={"reader": "another one"})},
        {"denominator": CountShare(share=0.1)},
    ],
    ids=["loss", "mechanism", "share", "reader", "count"],
)
def test_a_sample_pays_for_one_release(ledger, change):
    source = read(request(), records(), ledger)
    answer(request(), source, ledger)
    with pytest.raises(LedgerError) as refused:
        answer(request(**change), source, ledger)
    assert refused.value.code == "ledger.sample-used"
    assert spent(ledger) == 1
    again = request(snapshot="2026-02")
    answer(again, read(again, records(), ledger), ledger)  # another state of the data has another sample
    assert spent(ledger) == 2


def test_a_sample_pays_for_one_release_even_if_that_one_was_killed(ledger, monkeypatch):
    source = read(request(), records(), ledger)
    monkeypatch.setattr(answer_request, "release_plan", die)
    with pytest.raises(KeyboardInterrupt):
        answer(request(), source, ledger)
    monkeypatch.undo()
    with pytest.raises(LedgerError) as refused:
        answer(request(loss=PrivacyLoss(1.2)), source, ledger)
    assert refused.value.code == "ledger.sample-used"
    answer(request(), source, ledger)  # resumed: it was paid for
    assert spent(ledger) == 1


def die(*_args):
    raise KeyboardInterrupt


def test_records_that_were_not_read_and_readings_of_others_are_refused_and_cost_nothing(ledger):
    source = read(request(), records(), ledger)
    first, *rest = source.readings
    missing = replace(source, readings={name: source.readings[name] for name in rest})
    foreign = replace(source, readings={**source.readings, "0" * 20: frozenset()})
    for wrong, code in ((missing, "unread"), (records(), "unread"), (foreign, "not-the-sample")):
        with pytest.raises(RecordsRefused) as refused:
            answer(request(), wrong, ledger)
        assert refused.value.code == f"records-refused.{code}"
        assert not any(word.strip(".,").isdigit() for word in str(refused.value).split())  # nor how many were drawn
        assert first not in str(refused.value)
    assert spent(ledger) == 0


def test_readings_stay_with_their_records_when_files_are_renamed(ledger, tmp_path):
    """The same bytes have one digest, whatever their names; but places then name other records."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name, text in (("a", "late"), ("b", "crash")):
        (folder / f"{name}.csv").write_text("text\n" + f"{text}\n" * 50, encoding="utf-8")
    source = read(request(), records(folder), ledger)
    content = source.content_digest()
    (folder / "a.csv").rename(folder / "c.csv")
    renamed = replace(records(folder), readings=source.readings)
    assert renamed.content_digest() == content
    with pytest.raises(RecordsRefused) as refused:
        answer(request(), renamed, ledger)
    assert refused.value.code == "records-refused.changed-since-drawn"


def test_other_records_have_other_coins_and_the_same_ones_the_same(ledger):
    asked, one = request(), records()
    more = records(pa.concat_tables([TABLE, TABLE.slice(0, 1)]))
    drawn = {
        name: drawn_for(asked, each, ledger) for name, each in (("one", one), ("again", records()), ("more", more))
    }
    assert drawn["one"] == drawn["again"]
    assert not {each.id for each in drawn["one"]} & {each.id for each in drawn["more"]}


def test_a_map_that_looks_at_more_than_one_record_is_refused_for_the_sample_too(ledger):
    class Shifty(WeightsMap):
        calls = 0

        def __call__(self, texts):
            Shifty.calls += len(texts) == Shifty.drawn
            return super().__call__(texts) if len(texts) != Shifty.drawn or Shifty.calls % 2 else MAP(texts)

    source = read(request(), records(), ledger)
    Shifty.drawn = len(source.readings)
    shifty = Shifty(3, lambda _text: [0, 0, 1.0, 0])
    drawn = drawn_for(request(), source, ledger)
    with pytest.raises(BoundViolation, match="asked again"):
        replace(source, contribution_map=shifty).sums_over(drawn)


@pytest.mark.parametrize(
    ("origin", "spec", "words"),
    [
        (replace(ORIGIN, adjacency=Adjacency.REPLACE), {}, "add/drop only"),
        (replace(ORIGIN, sampling=PoissonSample(rate=0.5)), {}, "of everyone"),
        (ORIGIN, {"mechanism": SetSelection()}, "laplace or gaussian"),
        (ORIGIN, {"loss": PrivacyLoss(1e-9), "grounding": READING.model_copy(update={"rate": 0.9})}, "wider than any"),
    ],
    ids=["replacement", "sample of a sample", "selection", "no budget"],
)
def test_what_is_not_proven_is_refused_before_anything_is_read(origin, spec, words):
    with pytest.raises(RequestError, match=words):
        statement_of(origin, request(**spec).spec, "os-csprng")


def test_sketches_have_forgotten_their_records(ledger, tmp_path):
    sketch_shard(tmp_path / "one.sketch", records())
    shards = open_shards([tmp_path / "one.sketch"])
    with pytest.raises(RequestError, match="sample is read of records"):
        answer(request(shards.origin), shards, ledger)


def test_sums_go_with_a_payment_and_a_payment_with_sums():
    sketch, _ = records().measure()
    nobody = SampleSums.of_nobody(ORIGIN)
    for spec, sample in ((request().spec, None), (request(grounding=None).spec, nobody)):
        with pytest.raises(BoundViolation, match="where it is paid for"):
            release_plan(sketch, UNIVERSE, spec, SecureNoise(), sample)


def test_the_loss_is_that_of_all_parts():
    """Sequential composition: the sketch, the count and the sample; on the sample, its three sums."""
    loss, spec = PrivacyLoss(1.0), request(denominator=CountShare(share=0.2)).spec
    noise = sample_noise(loss, READING, ORIGIN.sensitivity)
    on_sample = sum(each.epsilon for each in (noise.corrections, noise.squares, noise.moved))
    assert np.log1p(READING.rate * np.expm1(on_sample)) <= loss_of_reading(loss, READING) == 0.5
    assert all(each.reach / each.scale <= each.epsilon for each in (noise.corrections, noise.squares, noise.moved))
    cost = cost_of(statement_of(ORIGIN, spec, "os-csprng"), 3, spec.denominator)
    assert cost.loss == loss
    assert cost.rho == pytest.approx(laplace_rho(0.4) + pure_rho(0.1) + pure_rho(0.5), rel=1e-6)


def test_a_reading_in_the_history_has_a_name_of_its_own(ledger):
    answer(request(), read(request(), records(), ledger), ledger)
    assert [each.mechanism for each in ledger.history("d")] == ["laplace with a reading"]


def test_auto_chooses_a_mechanism_that_measures_every_theme():
    origin = replace(ORIGIN, quantity=Prevalence(most_atoms=50))
    big = replace(origin, universe_size=200)
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, 1e-6), denominator=100, size=10)
    assert with_mechanism(spec, Auto(), big).mechanism.selects
    chosen = with_mechanism(spec.model_copy(update={"grounding": READING}), Auto(), big)
    assert not chosen.mechanism.selects


def test_the_best_share_leaves_something_for_both_and_follows_from_public_numbers():
    shares = [best_share(PrivacyLoss(1.0), rate, ORIGIN.sensitivity) for rate in (0.001, 0.015, 0.5)]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share < 1 for share in shares)


def test_prevalence_counts_every_theme_that_was_read(ledger):
    """A reader who names three themes says that all are mentioned, whatever part of the mass the map must notice."""
    origin = replace(ORIGIN, quantity=Prevalence(most_atoms=3, noticed=0.9))
    asked = request(origin)
    source = read(asked, records(origin=origin), ledger, {text: frozenset({0, 1, 2}) for text in set(TEXTS)})
    sums = source.sums_over(drawn_for(asked, source, ledger))
    assert sums.corrections[2] == len(source.readings) * TICKS_PER_MASS
    assert answer(asked, source, ledger).plan.grounded.sorted_alike is None  # of masses only


def test_what_moved_is_told_against_the_mass_there_is_and_not_the_mass_that_could_be(ledger):
    """So it fits 64 bits whatever the bound is: after the charge nothing may fail."""
    origin = replace(ORIGIN, unit=UserUnit(2.0**20))
    one_each = pa.table({"text": ["late"] * 100, "who": [f"u{i}" for i in range(100)]})
    asked = request(origin, denominator=TotalMass())
    source = read(asked, records(one_each, user="who", origin=origin), ledger)
    sums = source.sums_over(drawn_for(asked, source, ledger))
    assert sums.moved == -len(source.readings) * TICKS_PER_MASS // 2


@pytest.mark.parametrize("bound", [1.0, 5.0])
def test_half_of_the_mass_stays_where_half_of_it_does(ledger, bound):
    origin = replace(ORIGIN, unit=UserUnit(bound))
    one_each = pa.table({"text": ["crash"] * 1000, "who": [f"u{i}" for i in range(1000)]})
    asked = request(origin, denominator=1000, loss=PrivacyLoss(20.0))
    alike = answer(asked, read(asked, records(one_each, user="who", origin=origin), ledger), ledger).plan.grounded
    assert alike.sorted_alike.share == pytest.approx(0.5, abs=0.15)  # 7 standard deviations of the number drawn
