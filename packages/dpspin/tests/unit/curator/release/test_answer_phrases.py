"""Phrases are charged like a release: before noise is drawn, once, and refused where nothing is proven."""

import json

import pytest

from dpspin.boundary.accounting import Rho
from dpspin.boundary.phrases import PhraseRelease
from dpspin.boundary.privacy import Adjacency, PrivacyLoss
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, RequestError
from dpspin.phrasing import PhraseRequest
from phrase_records import RARE, UNITS, find, write_records

pytestmark = pytest.mark.filterwarnings("ignore::dpspin.errors.NewLedger")


@pytest.fixture
def records(tmp_path):
    return write_records(tmp_path)


def released(out):
    return PhraseRelease.from_json((out / "curator" / "phrases.json").read_bytes())


def spent(dataset="letters"):
    budget = open_ledger().budget(dataset)
    return None if budget is None else (float(budget.spent.epsilon), float(budget.spent.delta))


@pytest.mark.parametrize("unit", UNITS)
def test_what_many_wrote_comes_out_and_what_one_wrote_does_not(tmp_path, dpspin, records, unit):
    ran = dpspin(*find(records, tmp_path / "out", *UNITS[unit]))
    assert ran.code == 0, ran.err
    found = released(tmp_path / "out")
    assert {each.phrase for each in found.phrases} == {"subscription", "renewal", "subscription renewal"}
    for each in found.phrases:
        assert found.low(each) <= 400 <= found.high(each)  # misses in less than one of 10^8 runs
    assert spent() == (1.0, 1e-6)
    assert open_ledger().history("letters")[0].mechanism == "phrases"
    assert (tmp_path / "out" / "curator").stat().st_mode & 0o777 == 0o700
    assert not (tmp_path / "out" / "release").exists()


def test_the_same_request_is_answered_again_for_free(tmp_path, dpspin, records):
    dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    again = dpspin(*find(records, tmp_path / "other", *UNITS["record"], denominator="1000"))
    assert again.code == 0, again.err
    one, other = released(tmp_path / "out"), released(tmp_path / "other")
    assert one.phrases == other.phrases
    assert one.terms.below < other.terms.below  # more units: wider ranges, the same numbers
    assert spent() == (1.0, 1e-6)


def test_another_ledger_does_not_go_on_in_a_folder_with_phrases(tmp_path, dpspin, records, monkeypatch):
    dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    monkeypatch.setenv("DPSPIN_LEDGER", str(tmp_path / "new.db"))
    again = dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    assert again.code == 2
    assert not (tmp_path / "new.db").exists()


def test_other_choices_are_charged_anew_and_refused_without_budget(tmp_path, dpspin, records):
    dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    more = dpspin(*find(records, tmp_path / "out", *UNITS["record"], "--per-unit", "4"))
    assert more.code == 3
    assert "does not cover" in more.err
    open_ledger().set_budget("letters", PrivacyLoss(2.0, 2e-6), "more")
    assert dpspin(*find(records, tmp_path / "out", *UNITS["record"], "--per-unit", "4")).code == 0
    assert spent() == (2.0, 2e-6)


def test_changed_records_are_refused(tmp_path, dpspin, records):
    dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    write_records(tmp_path, extra=[("x", "one more")])
    changed = dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    assert (changed.code, spent()) == (2, (1.0, 1e-6))
    assert "--snapshot" in changed.err


def test_the_charge_is_durable_before_noise_is_drawn_and_a_stopped_run_is_taken_up(
    tmp_path, dpspin, records, monkeypatch
):
    drawn = SecureNoise.above_threshold

    def stopped(self, counts, terms):
        if counts:
            raise KeyboardInterrupt
        return drawn(self, counts, terms)

    monkeypatch.setattr(SecureNoise, "above_threshold", stopped)
    assert dpspin(*find(records, tmp_path / "out", *UNITS["record"])).code != 0
    assert spent() == (1.0, 1e-6)
    monkeypatch.setattr(SecureNoise, "above_threshold", drawn)
    assert dpspin(*find(records, tmp_path / "out", *UNITS["record"])).code == 0
    assert spent() == (1.0, 1e-6)


def test_an_account_in_rho_cannot_pay(tmp_path, dpspin, records):
    open_ledger().set_budget("letters", Rho(10**6), "the largest there is")
    refused = dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    assert refused.code == 2
    assert "decided in rho" in refused.err
    assert open_ledger().history("letters") == ()


def test_people_are_not_charged_for_records(tmp_path, dpspin, records):
    ledger = open_ledger()
    ledger.set_population_budget("everyone", PrivacyLoss(5.0, 1e-5))
    ledger.set_budget("letters", PrivacyLoss(5.0, 1e-5), population="everyone")
    assert dpspin(*find(records, tmp_path / "out", *UNITS["record"])).code == 2
    assert dpspin(*find(records, tmp_path / "out", *UNITS["user"])).code == 0


def test_records_that_another_account_paid_for_are_refused(tmp_path, dpspin, records):
    dpspin(*find(records, tmp_path / "out", *UNITS["record"]))
    words = [
        word if word != "letters" else "post" for word in map(str, find(records, tmp_path / "b", *UNITS["record"]))
    ]
    assert dpspin(*words).code == 2
    assert spent("post") is None


def asked(records, **more):
    about = {"records.data": str(records), "records.text": "body", "records.unit": "record", "denominator": "500"}
    return PhraseRequest.read({**about, "loss.epsilon": 1, "loss.delta": 1e-6, **more})


@pytest.mark.parametrize(
    "more",
    [
        {"records.adjacency": "replace"},
        {"records.sampling": 0.5},
        {"records.map": "hybrid"},
        {"loss.delta": 0},
        {"loss.epsilon": 1e-300},
        {"per_unit": 0},
    ],
)
def test_what_is_not_proven_or_does_nothing_is_refused(records, more):
    with pytest.raises(RequestError):
        asked(records, **more)


def test_replacement_is_named(records):
    with pytest.raises(RequestError) as refused:
        asked(records, **{"records.adjacency": Adjacency.REPLACE})
    assert (refused.value.code, refused.value.field) == ("request.unproven-phrases", "records.adjacency")


def test_a_map_without_none_leaves_nothing_over(tmp_path, dpspin, records):
    ran = dpspin(*find(records, tmp_path / "out", *UNITS["record"], "--atoms", "support-tickets", "--map", "paper"))
    assert ran.code == 2
    assert "none of these" in ran.err
    assert spent() is None


def test_with_a_dictionary_only_what_no_theme_took_is_read(tmp_path, dpspin):
    rows = [(f"u{each}", "My parcel is late. The giraffe needs a telescope.") for each in range(400)]
    records = write_records(tmp_path, crowd=0, extra=rows)
    themes = tmp_path / "parcels.txt"
    themes.write_text("late parcel\nwrong invoice\n", encoding="utf-8")
    ran = dpspin(*find(records, tmp_path / "out", *UNITS["record"], "--atoms", str(themes), "--per-unit", "9"))
    assert ran.code == 0, ran.err
    found = {each.phrase for each in released(tmp_path / "out").phrases}
    assert {"giraffe", "telescope"} <= found
    assert "parcel" not in found
    assert released(tmp_path / "out").left_over.dictionary == "parcels"


def test_words_that_cannot_be_shown_are_counted_for_nobody(tmp_path, dpspin):
    rows = [(f"u{each}", f"nuisance hid\u3164den {'x' * 150}y {'x' * 150}z") for each in range(400)]
    records = write_records(tmp_path, crowd=0, extra=rows)
    ran = dpspin(*find(records, tmp_path / "out", *UNITS["record"], "--per-unit", "9"))
    assert ran.code == 0, ran.err
    shown = {each.phrase for each in released(tmp_path / "out").phrases}
    assert "nuisance" in shown
    assert not any("\u3164" in each or len(each) > 200 for each in shown)


def test_terms_that_do_not_meet_the_loss_are_not_drawn(records):
    terms = asked(records).terms
    terms.__dict__["threshold"] = terms.threshold - 1
    with pytest.raises(BoundViolation):
        SecureNoise().above_threshold({}, terms)


def test_a_description_without_a_dictionary_names_none(records):
    one = asked(records).resolved(lambda _: None)
    told = json.loads(one.description())
    assert "dictionary" not in told
    assert told["mechanism"]["kind"] == "phrases"
    assert RARE not in one.description()
