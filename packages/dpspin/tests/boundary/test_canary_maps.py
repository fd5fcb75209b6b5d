"""A unique token in every cell comes out nowhere, whichever map read the records: a fitted one or a language model."""

import pytest

from dpspin.curator.assign.saved_maps import save_map
from dpspin.public.atoms.dictionary_files import dumps
from fake_llm import FakeModel, Said, completion, failing, themes
from restaurant_dictionary import UNIVERSE, fitted

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

CANARY = "zqxvcanary"
TEXTS = (
    f"the waiter was rude {CANARY}1 to everybody",
    f"{CANARY}2 my soup arrived cold",
    f"{CANARY}3",
    f"we waited an hour {CANARY}4 for a table",
)
RECORDS = "records.csv"
UNITS = {"record": ("--unit", "record"), "user": ("--unit", "user", "--user", "user", "--bound", "2")}


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    """Records with a canary in every cell, the tiny dictionary, and a saved map to it."""
    monkeypatch.chdir(tmp_path)
    lines = [f'{CANARY}user{i % 7},"{TEXTS[i % 4]}",{CANARY}other{i}' for i in range(200)]
    (tmp_path / RECORDS).write_text("\n".join(["user,text,other", *lines]) + "\n")
    (tmp_path / "tiny.json").write_text(dumps(UNIVERSE))
    save_map(fitted("cues"), tmp_path / "tiny.map")
    return tmp_path


def an_echoing_model(text):
    """Answer with the record's own words where they are short: a model may say anything."""
    return completion(text) if len(text) < 20 else themes("rude staff")


@pytest.fixture
def model():
    with FakeModel(an_echoing_model) as running:
        yield running


def words(command, unit, *more):
    return (command, RECORDS, "--atoms", "tiny.json", "--text", "text", *UNITS[unit], *more)


def release_words(unit, *more):
    return words("release", unit, "--epsilon", "1", "--denominator", "200", "--out", "out", *more)


def at(model):
    return ("--map", "llm", "--llm-url", model.url, "--llm-model", "m")


def assert_no_canary(folder, ran, log):
    """Look into every file but the records themselves, and into everything that was said."""
    for path in (path for path in folder.rglob("*") if path.is_file() and path.name != RECORDS):
        assert CANARY.encode() not in path.read_bytes(), path.name
        assert CANARY not in path.name
    assert CANARY not in ran.out + ran.err + log.text


def files_in(folder):
    return {path.name for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("chosen", ["tiny.map", "hybrid"])
def test_no_record_content_leaves_through_a_fitted_map(desk, dpspin, unit, chosen, caplog):
    ran = dpspin(*release_words(unit, "--map", chosen))
    assert ran.code == 0, ran.err
    assert files_in(desk) >= {"plan.json", "report.html", "label.json", "diagnostics.json", "default-ledger.db"}
    assert_no_canary(desk, ran, caplog)


@pytest.mark.parametrize("unit", UNITS)
def test_no_record_content_leaves_through_a_language_model_or_stays_in_its_kept_answers(
    desk, dpspin, unit, model, caplog
):
    ran = dpspin(*release_words(unit, *at(model)))
    assert ran.code == 0, ran.err
    assert files_in(desk) >= {"plan.json", "report.html", "llm-answers.db", "llm-answers.key", "default-ledger.db"}
    assert files_in(desk / "out/release").isdisjoint({"llm-answers.db", "llm-answers.key"})
    assert set(model.texts) >= set(TEXTS)
    assert_no_canary(desk, ran, caplog)


def test_a_language_model_hears_the_text_and_no_other_cell(dpspin, model):
    assert dpspin(*release_words("user", *at(model))).code == 0
    heard = str(model.heard)
    assert f"{CANARY}4" in heard
    assert f"{CANARY}user" not in heard
    assert f"{CANARY}other" not in heard


FAULTS = {
    "it fails": lambda _: failing(500),
    "it quotes the record in an error": lambda text: Said(text.encode(), 404, {"x-record": text}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_record_content_leaves_through_the_error_of_a_language_model(desk, dpspin, model, fault, caplog):
    heard = []

    def speak(text):
        heard.append(text)
        return FAULTS[fault](text) if CANARY in "".join(heard) else themes("none")  # once broken, it stays broken

    model.knows_public, model.speak = False, speak
    ran = dpspin(*release_words("record", *at(model)))
    assert ran.code == 2
    assert TEXTS[0] in model.texts
    assert not (desk / "out/release").exists()
    assert_no_canary(desk, ran, caplog)


def test_no_record_content_leaves_through_a_language_model_that_fails_over_records_alone(desk, dpspin, model, caplog):
    model.speak = lambda text: failing(500) if CANARY in text else themes("none")
    ran = dpspin(*release_words("record", *at(model)))
    assert ran.code == 0, ran.err
    assert TEXTS[0] in model.texts
    assert_no_canary(desk, ran, caplog)


def test_the_test_would_see_a_leak(desk, dpspin, caplog):
    ran = dpspin("--version")
    (desk / "leak.txt").write_text(f"so said {CANARY}")
    with pytest.raises(AssertionError, match=r"leak\.txt"):
        assert_no_canary(desk, ran, caplog)
