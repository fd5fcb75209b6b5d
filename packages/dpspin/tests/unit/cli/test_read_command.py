"""``dpspin read``: one record at a time, by a person at a terminal or by a model inside the curator."""

import builtins

import pytest

import dpspin as package
from dpspin.boundary.atoms import Atom
from dpspin.curator.aggregate.read_sample import Drawn
from dpspin.curator.aggregate.reading_folder import DrawingNote, write_sample
from factories import universe_of
from fake_llm import FakeModel, completion, failing, themes

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

LATE = Atom(id=7, label="late parcel", description="it arrives after the day that was promised", parent="delivery")
ATOMS = universe_of([LATE, Atom(id=12, label="app crash"), Atom(id=30, label="refund", description="money back")])
TEXTS = {
    "r1": "my parcel came late",
    "r2": "it crashed, money back please",
    "r3": "nice\x1b[2J shop",
    "r4": "late again",
}


@pytest.fixture
def folder(tmp_path):
    note = DrawingNote(name="sha256:a", rate=0.1, dictionary=ATOMS)
    return write_sample(tmp_path / "reading", note, [Drawn(key, key, text) for key, text in TEXTS.items()])


@pytest.fixture
def typed(folder, dpspin, monkeypatch):
    """Type lines into the reader; at the last one the connection is closed."""

    def sit_down(*lines):
        left = iter(lines)

        def line():
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(builtins, "input", line)
        ran = dpspin("read", folder.path)
        assert ran.code == 0, ran.err
        assert ran.out == ""
        assert not list(left), "the reader closed before all was typed"
        return ran.err

    return sit_down


def cells(folder):
    return [row.themes for row in folder.records()]


def test_one_record_after_the_other_with_several_themes_or_none(folder, typed):
    said = typed("7", "12, 30", "n", "7", "")
    assert cells(folder) == ["late parcel", "app crash; refund", "none", "late parcel"]
    assert said.index("Record 1 of 4 (0 read)") < said.index(TEXTS["r1"]) < said.index("Record 2 of 4 (1 read)")
    assert "    7  late parcel: it arrives after the day that was promised" in said
    assert "All are read: release with --reading" in said
    assert folder.reader == "a person"


def test_words_look_for_themes_and_the_spelling_of_a_cell_is_an_answer(folder, typed):
    said = typed("money", "delivery promised", "elephant", "99", " Refund | late parcel ", "none")
    found = said[said.index("Record 1 of 4") :]
    assert "> " + "   30  refund: money back" in found
    assert found.count("    7  late parcel") == 1
    assert found.count("No theme has this number or these words") == 2
    assert cells(folder) == ["late parcel; refund", "none", "", ""]
    assert "2 records are left: dpspin read" in said
    assert said.count("app crash") == 1  # only the list at the start has it


def test_it_goes_on_where_it_was_left(folder, typed):
    typed("7", "q")
    said = typed("30")
    assert "Record 2 of 4 (1 read)" in said
    assert TEXTS["r1"] not in said
    assert cells(folder) == ["late parcel", "refund", "", ""]


def test_an_answer_can_be_taken_back_and_a_record_left_for_later(folder, typed):
    said = typed("7", "u", "12", "", "n", "u", "u", "u", "30", "n", "n", "n")
    assert "Nothing was answered since you started" in said
    assert cells(folder) == ["refund", "none", "none", "none"]


def test_going_back_shows_what_was_read_and_keeps_it_unless_it_is_changed(folder, typed):
    said = typed("7", "7", "b", "b", "b", "", "n", "b", "12", "n", "b", "u", "30", "q")
    assert "(2 read; read as late parcel, which Enter keeps)" in said
    assert cells(folder) == ["late parcel", "late parcel", "app crash", "refund"]


def test_when_all_is_read_it_can_still_be_mended(folder, typed):
    typed("7", "7", "7", "7")
    said = typed("12", "b", "n", "")
    assert "All records are read" in said
    assert cells(folder) == ["late parcel", "late parcel", "late parcel", "none"]


def test_nothing_in_a_record_is_obeyed_by_the_terminal(typed):
    assert "\x1b" not in typed("", "", "?")


def test_a_sample_of_nobody_needs_no_reader(tmp_path, dpspin, monkeypatch):
    note = DrawingNote(name="sha256:a", rate=0.1, dictionary=ATOMS)
    write_sample(tmp_path / "empty", note, [])
    monkeypatch.setattr(builtins, "input", iter(["b", ""]).__next__)
    assert "All are read" in dpspin("read", tmp_path / "empty").err


def test_what_cannot_be_read_stops_before_anybody_reads_on(folder, dpspin):
    table = folder.path / "reading.csv"
    table.write_text(table.read_text("utf-8-sig").replace("late again,", "late again,delay"), encoding="utf-8")
    ran = dpspin("read", folder.path)
    assert ran.code == 2
    assert "row 5 of reading.csv" in ran.err


def sort(text):
    hints = {"late": "late parcel", "crash": "app crash", "money": "refund"}
    return themes(*[label for hint, label in hints.items() if hint in text] or ["none"])


def at(model, *more):
    return ("--llm-url", model.url, "--llm-model", "m", *more)


def test_a_model_reads_what_a_person_left(folder, typed, dpspin):
    typed("n")
    with FakeModel(sort) as model:
        ran = dpspin("read", folder.path, *at(model))
        assert ran.code == 0, ran.err
        assert sorted(set(model.texts) & set(TEXTS.values())) == sorted([TEXTS["r2"], TEXTS["r3"], TEXTS["r4"]])
        asked = [heard for heard in model.heard if heard.text == TEXTS["r2"]]
        assert all(atom.label in str(asked[0].body["messages"][0]) for atom in ATOMS.atoms)  # no shortlist
        assert dpspin("read", folder.path, *at(model)).code == 0
        assert len([heard for heard in model.heard if heard.text == TEXTS["r2"]]) == 1
    assert cells(folder) == ["none", "app crash; refund", "none", "late parcel"]
    assert folder.reader == "a person and the language model m on the curator's own machine"


def test_what_a_model_does_not_answer_stays_for_a_person(folder, dpspin):
    with FakeModel(lambda text: completion("no json") if "crash" in text else sort(text)) as model:
        ran = dpspin("read", folder.path, *at(model))
    assert ran.code == 0
    assert "To 1 the model gave no clear answer" in ran.err
    assert cells(folder) == ["late parcel", "", "none", "late parcel"]
    assert folder.reader == "the language model m on the curator's own machine"


def test_a_model_that_breaks_down_is_taken_up_again(folder, dpspin):
    seen = []

    def breaks(text):
        seen.append(text)
        return failing(429) if TEXTS["r3"] in seen else sort(text)

    with FakeModel(breaks, knows_public=False) as model:
        broken = dpspin("read", folder.path, *at(model))
        assert broken.code == 2
        assert "run it again" in broken.err
        assert cells(folder) == ["late parcel", "app crash; refund", "", ""]
        model.speak = sort
        assert dpspin("read", folder.path, *at(model)).code == 0
    assert "" not in cells(folder)


def test_a_model_elsewhere_must_be_declared_part_of_the_curator(folder, dpspin):
    elsewhere = ("--llm-url", "http://model.example/v1", "--llm-model", "m")
    refused = dpspin("read", folder.path, *elsewhere)
    assert refused.code == 2
    assert "--llm-endpoint-is-trusted" in refused.err
    for half in (elsewhere[:2], elsewhere[2:], ("--llm-endpoint-is-trusted",)):
        assert dpspin("read", folder.path, *half).code == 2


def test_a_reader_of_released_numbers_is_told(folder, typed):
    typed("7", "7", "7", "7")
    assert package.open_reading(folder.path).is_as_released(folder.readings())
    assert "Its numbers stay" in typed("q")
