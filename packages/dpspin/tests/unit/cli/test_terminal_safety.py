"""Hostile words of a plan, a dictionary, a text or a file name reach no terminal and no page as they are."""

import io
import json
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_views import picture
from dpspin.boundary.printable import printable
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import PlanError
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.report.csv_tables import plan_csv, themes_csv
from dpspin.public.report.folder import report
from dpspin.public.report.workbook import workbook
from factories import PAPER_PLAN, plan_of, universe_of

# what the words of a dictionary may hold: C1 controls (0x9b begins an escape sequence), marks of direction, hidden ones
HOSTILE = "\x9b31m\u202e\u2066\u200e\u200f\u061c\u200b\u2028\ufeff\u00ad\U000e0041\u3164"


def universe_with(hidden):
    """Return a dictionary with hostile words, in its names too if something is hidden in them."""
    labels = (f"late{hidden}parcel", f"app{hidden}crash", "refund")
    return universe_of(
        [
            Atom(id=n, label=label, description=f"{HOSTILE}said", parent=f"group{hidden}")
            for n, label in enumerate(labels)
        ],
        name=f"themes{HOSTILE}",
    )


UNIVERSE, NAMELESS = universe_with(""), universe_with(HOSTILE)  # the second has names that no text can hold
PLAN = plan_of(UNIVERSE, [400.0, 300.0, 200.0], size=3).model_copy(update={"title": f"what{HOSTILE}came"})


def unsafe(text):
    return {
        c for c in text if (unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} or c == "\u3164") and c != "\n"
    }


@pytest.fixture(params=[UNIVERSE, NAMELESS], ids=["words", "names"])
def folder(tmp_path, request):
    plan = PLAN if request.param is UNIVERSE else plan_of(NAMELESS, [400.0, 300.0, 200.0], size=3)
    (tmp_path / "plan.json").write_text(plan.to_json())
    (tmp_path / "atoms.json").write_text(dumps(request.param))
    (tmp_path / "text.txt").write_text(f"The best{HOSTILE} theme is \x1b[2J\x07parking.")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "plan.json", "text.txt"),
        ("verify", "plan.json", "text.txt", "--json"),
        ("narrate", "plan.json"),
        ("narrate", "plan.json", "--mode", "audit"),
        ("narrate", "plan.json", "--json"),
        ("report", "plan.json", "--text", "text.txt", "--out", "page.html"),
        ("ask", "plan.json", "late", "group", "parcle", "nowhere"),
        ("ask", "plan.json", "late", "--json"),
        ("atoms", "show", "atoms.json"),
        ("atoms", "show", "atoms.json", "--json"),
        ("atoms", "lint", "atoms.json"),
        ("atoms", "test", "atoms.json", "--map", "paper"),
        ("verify", "atoms.json", "text.txt"),
    ],
)
def test_no_command_prints_what_a_terminal_would_obey(dpspin, folder, monkeypatch, words):
    monkeypatch.chdir(folder)
    ran = dpspin(*words)
    assert not unsafe(ran.out + ran.err)
    assert ran.code in {0, 1, 2}


def test_a_release_and_its_ledger_print_nothing_that_is_obeyed(dpspin, folder, monkeypatch):
    monkeypatch.chdir(folder)
    data = folder / "data.csv"
    data.write_text("text\n" + "late parcel\n" * 300)
    release = ["release", data, "--atoms", "atoms.json", "--text", "text", "--unit", "record", "--map", "paper"]
    ran = dpspin(*release, "--epsilon", "1", "--denominator", "300", "--out", "out")
    unspeakable = SemanticPlan.from_json((folder / "plan.json").read_bytes()).dictionary.digest == NAMELESS.digest
    assert (ran.code, unsafe(ran.out + ran.err)) == (2 if unspeakable else 0, set()), ran.err
    assert ("no text can speak of" in ran.err) is unspeakable
    spent = json.loads(dpspin("ledger", "show", "--json").out)["accounts"]
    assert len(spent) == (0 if unspeakable else 1)  # nothing is charged for what nobody can be told
    for words in (("show",), ("history",)):
        ran = dpspin("ledger", *words)
        assert (ran.code, unsafe(ran.out + ran.err)) == (0, set())


def test_notes_in_a_ledger_print_nothing_that_is_obeyed(dpspin, tmp_path):
    book = open_ledger(tmp_path / "ledger.db")
    book.set_budget("tickets", PrivacyLoss(1.0), "because\u202e\u200f")
    for words in (("show",), ("history",), ("show", "--json"), ("history", "--json")):
        ran = dpspin("ledger", *words, "--ledger", tmp_path / "ledger.db")
        assert (ran.code, unsafe(ran.out + ran.err)) == (0, set())


def test_json_that_is_printed_stays_the_same_json(dpspin, folder, monkeypatch):
    monkeypatch.chdir(folder)
    shown = json.loads(dpspin("atoms", "show", "atoms.json", "--json").out)
    stored = json.loads((folder / "atoms.json").read_text())
    assert [atom["label"] for atom in shown["atoms"]] == [atom["label"] for atom in stored["atoms"]]


def test_an_error_is_one_line_whatever_the_file_is_called(dpspin, tmp_path):
    name = tmp_path / "a\nSPENT: 0\u202e.yaml"
    ran = dpspin("verify", name, "nothing.txt")
    assert ran.code == 2
    assert not unsafe(ran.err)
    listed = tmp_path / "themes\nspent 0.yaml"
    listed.write_text("name: [")
    ran = dpspin("atoms", "show", listed)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("word", [b"\xff.json", "\u202e.json".encode(), b"a\x1b[31m"])
def test_arguments_that_are_no_plain_text_are_refused_before_anything_prints_them(word, tmp_path):
    program = "from dpspin.cli.main import run; run()"
    for words in ([b"verify", word, b"x"], [b"verify", b"x", b"x", word], [word], [b"release", b"--title", word]):
        ran = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, cwd=tmp_path, check=False)
        assert ran.returncode == 2, ran
        assert not unsafe(ran.stderr.decode())
        assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("field", ["label", "parent"])
@pytest.mark.parametrize("words", ["late parcel\nverified: yes", "late\x1b[2Jparcel", "a\x00b", "late\x7f"])
def test_a_plan_is_refused_where_its_words_hold_what_no_dictionary_may_hold(field, words):
    plan = json.loads(PAPER_PLAN.to_json())
    plan["entries"][0][field] = words
    with pytest.raises(PlanError, match=rf"entries\.0\.{field}"):
        SemanticPlan.from_json(json.dumps(plan))


def test_the_page_the_table_and_the_notebook_show_marks_of_direction_instead_of_obeying_them():
    page, table = report(PLAN, UNIVERSE), plan_csv(PLAN, UNIVERSE)
    seen, _, _ = page.partition('<script type="application/json"')  # the plan itself follows, as data
    assert not unsafe(seen)
    assert not unsafe((table + themes_csv(PLAN, UNIVERSE)).replace("\r\n", "\n"))
    assert not unsafe(picture(PLAN, "svg").decode())
    with zipfile.ZipFile(io.BytesIO(workbook(PLAN, UNIVERSE))) as book:
        assert not unsafe(book.read("xl/sharedStrings.xml").decode())
    assert not unsafe(PLAN._repr_html_())


def test_letters_of_every_script_and_their_joiners_stay():
    words = "שלום عليكم نیم\u200cفاصله क्\u200dष 👩\u200d🔧 naïve 日本語 50\u202f% \u00a0x"
    assert printable(words) == words
    assert printable("late\u200dparcel \u200c") == "late\\u200dparcel \\u200c"


def test_a_right_to_left_label_is_narrated_and_verified_as_it_is(dpspin, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    universe = universe_of(
        [Atom(id=1, label="משלוח מאוחר"), Atom(id=2, label="نیم\u200cفاصله"), Atom(id=3, label="refund")]
    )
    Path("plan.json").write_text(plan_of(universe, [400.0, 300.0, 200.0], size=3).to_json())
    Path("atoms.json").write_text(dumps(universe))
    told = dpspin("narrate", "plan.json")
    assert "משלוח מאוחר" in told.out
    assert "نیم\u200cفاصله" in told.out
    Path("text.txt").write_text(told.out)
    assert dpspin("verify", "plan.json", "text.txt").out.startswith("accepted")
