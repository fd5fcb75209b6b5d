"""The curator's folder: what is drawn comes back, whatever a spreadsheet does to it, and nothing in it is quoted."""

import csv
import io
import stat

import pytest

import dpspin
from dpspin.boundary.atoms import Atom
from dpspin.curator.aggregate.read_sample import Drawn
from dpspin.curator.aggregate.reading_folder import DrawingNote, open_reading, write_sample
from dpspin.errors import InputError, RecordsRefused, RequestError
from factories import universe_of

ATOMS = universe_of([Atom(id=7, label="Late; delivery"), Atom(id=42, label="app crash"), Atom(id=3, label="refund")])
NOTE = DrawingNote(name="sha256:a", rate=0.1, dictionary=ATOMS)
TEXTS = {
    "r1": 'two\nlines, "quoted"; and | more',
    "r2": "carriage\rreturn \ttab",
    "r3": "=1+1 naïve 🙏 \x00end",
    "r4": "x" * 200_000,
}
DRAWN = [Drawn(key, key, text) for key, text in TEXTS.items()]


@pytest.fixture
def folder(tmp_path):
    return write_sample(tmp_path / "reading", NOTE, [*DRAWN, Drawn("r5", "r5", None)])


def rewritten(folder, change, **written):
    """Let a spreadsheet write the table: cells as a person changed them, in its own way."""
    file = folder.path / "reading.csv"
    rows = list(csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline="")))
    encoding = written.pop("encoding", "utf-8-sig")
    table = io.StringIO(newline="")
    csv.writer(table, **written).writerows(change(rows))
    file.write_bytes(table.getvalue().encode(encoding))


def test_it_is_its_owners_alone_and_holds_every_record_with_text(folder):
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.path.iterdir()} == {0o600}
    assert sorted(file.name for file in folder.path.iterdir()) == ["drawing.json", "reading.csv"]
    found = {row.id: row.text for row in open_reading(folder.path).records()}
    assert found == {**TEXTS, "r3": TEXTS["r3"].replace("\0", "\ufffd")}
    assert TEXTS["r1"] not in repr(folder.records())


def test_the_note_of_a_drawing_holds_what_a_reader_needs_and_not_what_a_map_learns_from():
    learned = {"cues": ["slow"], "examples": ["it came late"], "counter_examples": ["too late to complain"]}
    atom = Atom(id=7, label="late", description="after the day", parent="delivery", **learned)
    note = DrawingNote(name="sha256:a", rate=0.1, dictionary=universe_of([atom]))
    assert note.dictionary.atoms == (Atom(id=7, label="late", description="after the day", parent="delivery"),)


@pytest.mark.parametrize(
    "written",
    [
        {"delimiter": ";"},
        {"delimiter": "\t", "lineterminator": "\n"},
        {"encoding": "utf-8", "quoting": csv.QUOTE_ALL},
        {"delimiter": ";", "encoding": "utf-16"},
    ],
    ids=str,
)
def test_a_spreadsheet_may_write_it_in_its_own_way(folder, written):
    def fill(rows):
        cells = ["themes", "Late; Delivery", " 42 | refund;", "NONE", ""]
        return [[*row[:2], cell] for row, cell in zip(rows, cells, strict=True)] + [["", "", ""]]

    csv.field_size_limit(2**20)
    rewritten(folder, fill, **written)
    assert folder.readings() == {"r1": frozenset({0}), "r2": frozenset({1, 2}), "r3": frozenset()}
    assert {row.id: row.text for row in folder.records()}["r1"] == TEXTS["r1"]


@pytest.mark.parametrize("cell", ["late delivry", "none; refund", "8", TEXTS["r1"]])
def test_an_unknown_theme_is_refused_by_its_row_and_never_repeated(folder, cell):
    csv.field_size_limit(2**20)
    rewritten(folder, lambda rows: [[*row[:2], cell if row[0] == "r2" else row[2]] for row in rows])
    with pytest.raises(RecordsRefused, match=r"^row 3 of reading\.csv") as refused:
        folder.readings()
    assert refused.value.code == "records-refused.unknown-theme"
    assert cell not in str(refused.value).replace("'none' beside", "")


def test_what_is_read_is_written_so_that_it_is_read_back(folder):
    for places in ({0}, {1, 2}, set(), {0, 1, 2}):
        folder.read("r2", folder.cell_of(places))
        assert folder.readings() == {"r2": frozenset(places)}
    folder.read("r2", "")
    assert folder.readings() == {}
    with pytest.raises(RequestError):
        folder.read("r2", "nothing that is known")
    with pytest.raises(InputError, match="no record of this sample"):
        folder.read("r9", "none")


def test_drawing_again_keeps_what_was_read_and_restores_what_was_lost(folder):
    folder.read("r1", "42")
    folder.read("r2", "none")
    csv.field_size_limit(2**20)
    rewritten(folder, lambda rows: [rows[0], *([key, "…", cell] for key, _, cell in rows[1:] if key != "r3")])
    again = write_sample(folder.path, NOTE, DRAWN)
    assert again.readings() == {"r1": frozenset({1}), "r2": frozenset()}
    assert [row.id for row in again.records()] == list(TEXTS)
    assert again.records()[0].text == TEXTS["r1"]


@pytest.mark.parametrize(
    "other",
    [
        (NOTE.model_copy(update={"name": "sha256:b"}), DRAWN),
        (NOTE.model_copy(update={"rate": 0.2}), DRAWN),
        (NOTE, [Drawn("r8", "r8", "the records have changed")]),
    ],
    ids=["name", "rate", "records"],
)
def test_another_sample_does_not_take_the_place_of_one(folder, other):
    folder.read("r1", "42")
    before = (folder.path / "reading.csv").read_bytes()
    with pytest.raises(InputError) as refused:
        write_sample(folder.path, *other)
    assert refused.value.code == "input.another-drawing"
    assert (folder.path / "reading.csv").read_bytes() == before


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letters").mkdir(mode=0o755)
    (tmp_path / "letters" / "a.txt").write_text("dear")
    with pytest.raises(InputError, match="something else"):
        write_sample(tmp_path / "letters", NOTE, DRAWN)
    assert stat.S_IMODE((tmp_path / "letters").stat().st_mode) == 0o755
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "plan.json").write_text("{}")
    with pytest.raises(InputError, match="published"):
        write_sample(tmp_path / "release" / "curator" / "reading", NOTE, DRAWN)
    with pytest.raises(InputError, match="dpspin sample"):
        open_reading(tmp_path / "letters")


DAMAGED = {
    "row too long": ("reading.csv", b"id,text,themes\nr1,secretword,none,more\n"),
    "twice": ("reading.csv", b"id,text,themes\nr1,secretword,none\nr1,secretword,3\n"),
    "no text": ("reading.csv", "id,text,themes\nr1,secretwordä,none\n".encode("latin-1")),
    "no column": ("reading.csv", b"id,themes\nr1,secretword\n"),
    "no note": ("drawing.json", b'{"name": "secretword"}'),
    "no answers": ("models.json", b"secretword"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_damaged_is_refused_and_not_quoted(folder, case):
    name, content = DAMAGED[case]
    (folder.path / name).write_bytes(content)
    with pytest.raises(InputError) as refused:
        _ = open_reading(folder.path).reader
    told, error = "", refused.value
    while error is not None:
        told, error = told + str(error), error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    assert "secretword" not in told


def test_a_table_that_is_gone_is_drawn_again(folder):
    (folder.path / "reading.csv").unlink()
    with pytest.raises(InputError, match="draw into the same folder again"):
        folder.records()
    assert len(write_sample(folder.path, NOTE, DRAWN).records()) == 4


def test_who_read_is_told_by_what_stands_there(folder):
    assert folder.reader == "a person"
    for key in ("r1", "r2", "r3"):
        folder.read_by_model("the model m", key, "refund")
    assert folder.reader == "the model m"
    folder.read("r4", "none")
    assert folder.reader == "a person and the model m"
    folder.read("r4", "")
    folder.read("r2", "3; 42")
    assert folder.reader == "a person and the model m"
    for key in ("r1", "r3"):
        folder.read(key, "none")
    assert folder.reader == "a person"


def test_a_name_that_no_plan_could_carry_is_refused(folder):
    folder.read_by_model("m" * 201, "r1", "none")
    with pytest.raises(RequestError, match="too long"):
        _ = folder.reader


def test_python_users_find_it_by_name():
    assert dpspin.open_reading is open_reading
