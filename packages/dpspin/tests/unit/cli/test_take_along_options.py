"""``dpspin report`` writes tables and a chart to take along; every command takes a folder as well as a plan."""

import json
import sys

import pytest

import dpspin as library
from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan_views import picture
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.report.csv_tables import themes_csv
from dpspin.public.report.folder import write_release
from dpspin.public.report.workbook import workbook
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

DAY_NS = 24 * 60 * 60 * 10**9
LISTED = "“Long wait” is listed. The map is untested, so nobody knows how well it sorts these records."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_release(tmp_path / "out" / "release", PAPER_PLAN, PAPER_UNIVERSE)
    return tmp_path / "out" / "release"


def test_what_is_asked_for_is_written_and_no_page(folder, dpspin, tmp_path):
    ran = dpspin("report", folder, "--csv", "t.csv", "--xlsx", "t.xlsx", "--chart", "t.SVG")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines() == ["wrote t.csv", "wrote t.xlsx", "wrote t.SVG"]
    assert (tmp_path / "t.csv").read_bytes().decode() == themes_csv(PAPER_PLAN, PAPER_UNIVERSE)
    assert (tmp_path / "t.xlsx").read_bytes() == workbook(PAPER_PLAN, PAPER_UNIVERSE)
    assert (tmp_path / "t.SVG").read_bytes() == picture(PAPER_PLAN, "svg")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_chart_is_written_by_its_suffix(folder, dpspin, tmp_path, ending):
    assert dpspin("report", folder, "--chart", f"c.{ending}").code == 0
    assert (tmp_path / f"c.{ending}").read_bytes() == picture(PAPER_PLAN, ending)


def test_the_page_is_written_too_when_it_is_named(folder, dpspin, tmp_path):
    assert dpspin("report", folder, "--csv", "t.csv", "--out", "page.html").code == 0
    assert (tmp_path / "page.html").is_file()
    assert dpspin("report", folder).code == 0
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--chart", "c.gif"), "must end in .svg or .png or .pdf"),
        (("--chart", "c"), "must end in .svg"),
        (("--xlsx", "t.xls"), "must end in .xlsx"),
        (("--csv", "plan.json"), "must end in .csv"),
        (("--csv", "t.csv", "--length", "short"), "add --out"),
        (("--csv", "t.csv", "--text", "words.txt"), "add --out"),
    ],
)
def test_what_does_not_fit_together_is_refused_and_nothing_is_written(folder, dpspin, tmp_path, words, why):
    before = sorted(tmp_path.rglob("*"))
    ran = dpspin("report", folder, *words)
    assert ran.code == 2
    assert why in ran.err
    assert sorted(tmp_path.rglob("*")) == before


EXTRAS = {"excel": ("xlsxwriter", "--xlsx", "t.xlsx"), "plot": ("matplotlib.figure", "--chart", "c.svg")}


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_library_is_told_by_its_extra_and_nothing_is_written(folder, dpspin, tmp_path, monkeypatch, extra):
    module, *words = EXTRAS[extra]
    monkeypatch.setitem(sys.modules, module, None)
    before = sorted(tmp_path.rglob("*"))
    ran = dpspin("report", folder, "--csv", "t.csv", *words)
    assert ran.code == 2
    assert f"pip install 'dpspin[{extra}]'" in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_files_put_into_a_release_leave_it_dated_to_the_day(folder, dpspin):
    assert dpspin("report", folder, "--csv", folder / "again.csv", "--chart", folder / "chart.svg").code == 0
    assert {path.stat().st_mtime_ns % DAY_NS for path in (folder, *folder.iterdir())} == {0}


def test_nothing_of_a_release_is_put_into_the_lab(folder, dpspin, tmp_path):
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "NOT-PRIVATE.txt").touch()
    for words in (("--csv", "lab/t.csv"), ("--xlsx", "lab/t.xlsx"), ("--chart", "lab/c.svg")):
        ran = dpspin("report", folder, *words)
        assert (ran.code, "results of the lab" in ran.err) == (2, True)
    assert [path.name for path in (tmp_path / "lab").iterdir()] == ["NOT-PRIVATE.txt"]


def test_letters_without_a_shape_are_told_in_one_line(dpspin, tmp_path):
    universe = universe_of([Atom(id=0, label="日本")])
    write_release(tmp_path / "release", plan_of(universe, [500.0]), universe)
    ran = dpspin("report", tmp_path, "--chart", tmp_path / "c.png")
    assert ran.code == 0
    assert "an .svg file shows them" in ran.err
    assert "boxes" not in dpspin("report", tmp_path, "--chart", tmp_path / "c.svg").err


def test_every_command_takes_a_plan_its_folder_and_the_folder_above(folder, dpspin, tmp_path):
    (tmp_path / "text.txt").write_text(LISTED)
    for place in (folder / "plan.json", folder, folder.parent):
        assert dpspin("narrate", place).out == (folder / "summary.txt").read_text()
        assert dpspin("verify", place, "text.txt").code == 0
        assert dpspin("ask", place, "long wait").code == 0
        assert dpspin("report", place, "--out", "page.html").code == 0
        line = json.dumps({"plan": str(place), "text": LISTED})
        (tmp_path / "batch.jsonl").write_text(line + "\n")
        assert dpspin("verify", "--batch", "batch.jsonl").code == 0


def test_python_reads_plan_and_dictionary_from_a_folder(folder):
    for place in (folder, str(folder), folder.parent):
        plan, atoms = library.SemanticPlan.load(place), library.load_atoms(place)
        assert (plan, atoms) == (PAPER_PLAN, PAPER_UNIVERSE)


@pytest.mark.parametrize("words", [("narrate",), ("report",), ("ask", "x"), ("verify", "text.txt")])
def test_a_folder_without_a_plan_is_told(dpspin, tmp_path, words):
    (tmp_path / "text.txt").write_text(LISTED)
    ran = dpspin(words[0], tmp_path, *words[1:])
    assert ran.code == 2
    assert "holds no plan" in ran.err


def test_a_plan_alone_says_that_its_dictionary_is_missing(dpspin, tmp_path):
    (tmp_path / "plan.json").write_text(PAPER_PLAN.to_json())
    ran = dpspin("ask", tmp_path, "x")
    assert (ran.code, "atoms.json" in ran.err) == (2, True)
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    assert dpspin("ask", tmp_path, "long wait").code == 0
