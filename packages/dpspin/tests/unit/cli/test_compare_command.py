"""``dpspin compare``: from two files of records over two releases to what differs, in a text, a page, a table, JSON."""

import csv
import io
import json
import unicodedata

import pytest

import dpspin as library
from dpspin.boundary.atoms import Atom
from dpspin.public.report.folder import write_release
from factories import plan_of, universe_of
from shop_plans import CLEAR, SHOP, shop, stated

LATER = shop([442.5, 250.0, 161.0, 258.0, 90.0, 59.5, -39.0])
HOSTILE = "\x9b31m\u202e\u2066\u200b\u2028\ufeff\u00ad\U000e0041"
UNIVERSE = universe_of(
    [Atom(id=n, label=label, description=f"{HOSTILE}x") for n, label in enumerate(("=late", "app", "pay"))]
)
LATE, REFUND = "my late parcel", "this slow refund"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, plan in (("a", CLEAR), ("b", LATER)):
        write_release(tmp_path / name, plan, SHOP)
    return "a", "b"


def records(path, late, refunds):
    path.write_text("\n".join(["text", *[LATE] * late, *[REFUND] * refunds]) + "\n")
    return path


def test_from_two_files_of_records_to_what_differs(tmp_path, dpspin, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atoms.txt").write_text("late parcel\nslow refund\nrude driver\n")
    for name, counts in (("may", (900, 100)), ("june", (500, 500))):
        words = ("--atoms", "atoms.txt", "--size", "3", "--map", "paper", "--text", "text", "--unit", "record")
        told = ("--epsilon", "1", "--denominator", "1000", "--period", name, "--out", name)
        assert dpspin("release", records(tmp_path / f"{name}.csv", *counts), *words, *told).code == 0
    ran = dpspin("compare", "may", "june", "--out", "page.html", "--csv", "changes.csv")
    assert ran.code == 0, ran.err
    assert ran.err.splitlines() == ["A is may, and B is june.", "wrote page.html", "wrote changes.csv"]
    assert "that are told apart as filed" in " ".join(ran.out.split())
    change = json.loads(dpspin("compare", "may", "june", "--json").out)
    told = {each["label"]: each["direction"] for each in change["themes"] if each["direction"] != "not_apart"}
    assert (told["late parcel"], told["slow refund"]) == ("down", "up")  # the noise may move the third one
    assert [change[each]["about"]["period"] for each in "ab"] == ["may", "june"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "changes.csv").read_text())))
    assert {row["theme"] for row in rows if row["direction"] == "larger in B"} == {
        label for label, direction in told.items() if direction == "up"
    }
    page = (tmp_path / "page.html").read_text()
    assert all(label in page for label in told)
    assert "<script>" not in page
    assert "june" in page


def test_a_page_of_two_releases_of_one_name_is_said_to_tell_nobody_which_is_which(folders, dpspin):
    same = dpspin("compare", *folders, "--out", "page.html").err
    assert "page.html does not say which is which" in same
    assert "which is which" not in dpspin("compare", *folders).err  # nobody reads a page
    assert dpspin("compare", *folders, "--json").err == ""


def test_it_is_the_same_from_python_and_for_plans_files_and_folders(folders, dpspin):
    told = library.compare(*folders).to_json()
    assert dpspin("compare", *folders, "--json").out == told
    assert library.compare("a/plan.json", "b/plan.json").to_json() == told
    assert library.compare(CLEAR, LATER, SHOP).to_json() == told
    assert str(library.compare(CLEAR, LATER, SHOP)) == library.compare(*folders).text


def test_what_cannot_be_compared_is_refused_by_name(folders, dpspin, tmp_path):
    again = dpspin("compare", "a", "a")
    assert (again.code, again.out) == (2, "")
    assert "two plans of one release" in again.err
    mapped = LATER.statement.contribution_map.model_copy(update={"digest": "sha256:another", "name": "paper"})
    write_release(tmp_path / "c", stated(LATER, contribution_map=mapped), SHOP)
    other = dpspin("compare", folders[0], "c")
    assert other.code == 2
    assert "the map differs (ngram in A, paper in B)" in other.err
    assert dpspin("compare", "a", "nowhere").code == 2


def test_a_dictionary_that_is_not_beside_the_plans_is_asked_for(folders, dpspin, tmp_path):
    (tmp_path / "b" / "atoms.json").unlink()
    assert dpspin("compare", *folders).code == 0  # the other one has it
    (tmp_path / "a" / "atoms.json").unlink()
    assert "is not beside" in dpspin("compare", *folders).err


def test_what_is_simulated_is_marked_and_stays_out_of_releases(folders, dpspin, tmp_path):
    (tmp_path / "sim").mkdir()
    stated(LATER, randomness="SIMULATED-NOT-PRIVATE").save(tmp_path / "sim" / "plan.json")
    ran = dpspin("compare", "a", "sim/plan.json", "--out", "a/page.html")
    assert ran.code == 2
    assert not (tmp_path / "a" / "page.html").exists()
    shown = dpspin("compare", "a", "sim/plan.json", "--out", "page.html")
    assert shown.out.startswith("The numbers of A or of B are simulated and not private.")
    assert "SIMULATED, NOT PRIVATE" in (tmp_path / "page.html").read_text()


def test_a_table_is_written_by_its_suffix(folders, dpspin):
    assert "must end in .csv" in dpspin("compare", *folders, "--csv", "t.xlsx").err


def test_the_schema_describes_what_is_answered(folders, dpspin):
    described = json.loads(dpspin("schema", "comparison").out)
    answered = json.loads(dpspin("compare", *folders, "--json").out)
    assert {*described["properties"]} == {*answered}
    assert answered["schema_version"] == described["properties"]["schema_version"]["const"] == "1"


def test_hostile_words_reach_no_terminal_and_no_page_as_they_are(dpspin, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    titles = f"what{HOSTILE}came", "</script><b>later</b>"
    for name, title, masses in zip("ab", titles, ([400.0, 300.0, 200.0], [500.0, 300.5, 200.0]), strict=True):
        write_release(tmp_path / name, plan_of(UNIVERSE, masses, size=3).model_copy(update={"title": title}), UNIVERSE)
    shown = dpspin("compare", "a", "b", "--out", "page.html", "--csv", "t.csv")
    answered = dpspin("compare", "a", "b", "--json")
    assert json.loads(answered.out)["a"]["title"] == titles[0]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    told = page.partition('<script type="application/json"')[0]
    for text in (shown.out, answered.out, told, (tmp_path / "t.csv").read_text(encoding="utf-8")):
        assert not [c for c in text if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and c not in "\n\r"]
    assert "<b>later" not in told
    assert page.count("</script>") == 1
