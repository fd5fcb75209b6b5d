"""No command writes what belongs to a release into a folder of the lab, or a release beside one; nothing is charged."""

from pathlib import Path

import pytest

from dpspin.public.atoms.dictionary_files import dumps
from dpspin_lab.not_private import evaluation_folder, write_not_private
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import run, write_run
from factories import PAPER_PLAN, PAPER_UNIVERSE
from tiny_runs import record_run, tiny_prepared

ATOMS = ("--atoms", "support-tickets", "--map", "paper", "--text", "text", "--unit", "record")
PAID = ("--epsilon", "1", "--denominator", "300", "--dataset", "d")


def a_run(folder):
    config = record_run(decoder_backend="none", clean_reference_decoder_backend="none")
    write_run(folder, run(config, start_of(config, tiny_prepared())))


LAB = {
    "results": evaluation_folder,
    "a run that was copied out": a_run,
    "a single file": lambda folder: write_not_private(folder, "statistics", {}),
}
SIGNS = ("NOT-PRIVATE.txt", "private_plan.json", "NOT-PRIVATE-statistics.json")
COMMANDS = {
    "release": lambda out: ("release", "t.csv", *ATOMS, *PAID, "--out", out),
    "release of a sketch": lambda out: (
        *("release", "--sketch", "t.sketch", "--atoms", "support-tickets"),
        *(*PAID, "--out", out),
    ),
    "demo": lambda out: ("demo", "--tickets", "200", "--out", out),
    "sketch": lambda out: ("sketch", "t.csv", *ATOMS, "--out", out / "a.sketch"),
    "user key": lambda out: ("sketch", "--new-user-key", out / "key"),
    "report": lambda out: ("report", "published/plan.json", "--out", out / "report.html"),
    "report of a given text": lambda out: (
        "report",
        "published/plan.json",
        "--text",
        "words.txt",
        "--out",
        out / "report.html",
    ),
}
WRITE_A_FOLDER = ("release", "release of a sketch", "demo")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch, dpspin):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("text\n" + "my parcel is late\n" * 300)
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "plan.json").write_text(PAPER_PLAN.to_json())
    (tmp_path / "published" / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    (tmp_path / "words.txt").write_text(
        "“Long wait” is listed. The map is untested, so nobody knows how well it sorts these records."
    )
    assert dpspin("sketch", "t.csv", *ATOMS, "--out", "t.sketch").code == 0
    return tmp_path


def refused(dpspin, command, out, place):
    before = sorted(place.rglob("*"))
    ran = dpspin(*COMMANDS[command](out))
    assert ran.code == 2, ran.err
    assert "results of the lab lie here" in ran.err
    assert any(f"{name}'" in ran.err for name in SIGNS)
    assert sorted(place.rglob("*")) == before  # no file, and no ledger either


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", LAB)
def test_a_folder_of_the_lab_is_refused(place, dpspin, command, what):
    LAB[what](place / "lab")
    refused(dpspin, command, place / "lab", place)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", LAB)
def test_a_folder_inside_one_is_refused(place, dpspin, command, what):
    LAB[what](place / "lab")
    (place / "lab" / "deep" / "er").mkdir(parents=True)
    refused(dpspin, command, place / "lab" / "deep" / "er", place)


@pytest.mark.parametrize("command", WRITE_A_FOLDER)
@pytest.mark.parametrize("what", LAB)
def test_a_release_beside_results_is_refused(place, dpspin, command, what):
    LAB[what](place / "both" / "lab")
    refused(dpspin, command, place / "both", place)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "demo"])  # it fits a map: not for its place
def test_a_project_that_holds_both_in_folders_of_their_own_is_fine(place, dpspin, command):
    for what, make in LAB.items():
        make(place / "lab" / what)
    (place / "out").mkdir()
    ran = dpspin(*COMMANDS[command](place / "out"))
    assert ran.code == 0, ran.err


def test_the_page_of_a_simulated_plan_belongs_beside_its_run_and_never_in_a_release(place, dpspin):
    a_run(place / "lab")
    beside = dpspin("report", "lab/private_plan.json", "--out", "lab/report.html")
    assert beside.code == 0, beside.err
    (place / "published" / "report.html").write_text("the page of a release")
    mixed = dpspin("report", "lab/private_plan.json", "--out", "published/report.html")
    assert (mixed.code, "do not belong in or beside a release" in mixed.err) == (2, True)
    assert (place / "published" / "report.html").read_text() == "the page of a release"


def test_a_folder_that_may_not_be_read_is_not_taken_for_the_labs(place, dpspin, monkeypatch):
    """The superuser may read everything, so the system's answer is given here."""
    (place / "out" / "closed").mkdir(parents=True)
    exists = Path.exists

    def answered(path, **options):
        if path.parent.name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return exists(path, **options)

    monkeypatch.setattr(Path, "exists", answered)
    ran = dpspin(*COMMANDS["release"](place / "out"))
    assert ran.code == 0, ran.err
