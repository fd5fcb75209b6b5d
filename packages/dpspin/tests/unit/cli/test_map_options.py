"""Choosing a map on the command line: every kind to the end, a saved map, and mistakes that cost nothing."""

import csv
import json

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.saved_maps import save_map
from dpspin.public.atoms.dictionary_files import dumps
from restaurant_dictionary import ATOMS, UNIVERSE, exclusive_texts, fitted, restaurant, several_texts

TICKETS = ("The waiter was rude to everybody.", "My soup arrived cold.", "We waited an hour.", "We paid by card.")
LABELLED = ("--aux", "aux.csv", "--aux-text", "words", "--aux-label", "atoms")
SEVERAL = ("--aux", "several.csv", "--aux-text", "words", "--aux-label", "atoms")
EVERY_MAP = {
    "hybrid": ("--map", "hybrid"),
    "hybrid by default": (),
    "hybrid, one label each": LABELLED,
    "hybrid, several labels": SEVERAL,
    "cues": ("--map", "cues"),
    "taught": ("--map", "taught", *SEVERAL),
    "supervised": ("--map", "supervised", *LABELLED),
    "paper": ("--map", "paper"),
    "paper, its words from auxiliary text": ("--map", "paper", "--aux", "aux.csv", "--aux-text", "words"),
    "embedding": ("--map", "embedding", "--embedder", "static"),
    "cues with an embedding": ("--map", "cues", "--embedder", "static"),
}
NAMES = {"paper": "ngram"}


def write_rows(path, *rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def labelled_rows(labelled):
    labels = (";".join(ATOMS[place].label for place in sorted(atoms)) for atoms in labelled.atoms)
    return zip(labelled.texts, labels, strict=True)


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    """A folder as a curator has it: records, a dictionary and auxiliary text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.json").write_text(dumps(UNIVERSE))
    write_rows(tmp_path / "records.csv", ["text"], *([text] for text in TICKETS * 50))
    write_rows(
        tmp_path / "aux.csv", ["words", "atoms", "sky"], *((*row, "blue") for row in labelled_rows(exclusive_texts()))
    )
    write_rows(tmp_path / "several.csv", ["words", "atoms"], *labelled_rows(several_texts()))
    return tmp_path


def release_words(*more, atoms="tiny.json"):
    return (
        *("release", "records.csv", "--atoms", atoms, "--text", "text", "--unit", "record", "--epsilon", "1"),
        *("--denominator", "200", "--out", "out", *more),
    )


def released(folder):
    return SemanticPlan.from_json((folder / "out/release/plan.json").read_bytes())


@pytest.fixture
def saved(desk):
    """A map in the file ``tiny.map``; returns its statement."""
    save_map(fitted("cues"), desk / "tiny.map")
    return fitted("cues").statement


@pytest.mark.parametrize("case", EVERY_MAP)
def test_a_release_with_any_map_names_it_in_the_plan(desk, dpspin, case):
    ran = dpspin(*release_words(*EVERY_MAP[case]))
    assert ran.code == 0, ran.err
    kind = case.split()[0].rstrip(",")
    plan = released(desk)
    stated = plan.statement.contribution_map
    assert stated.name == NAMES.get(kind, kind)
    assert stated.answers_none is (kind != "paper")
    assert stated.card.real_text is ("--aux-label" in EVERY_MAP[case])
    assert [atom.atom_id for atom in stated.card.atoms] == [17, 42, 81]
    assert {entry.atom_id for entry in plan.entries} >= {42, 81}
    assert (plan.uncovered is None) is (kind == "paper")


def test_auxiliary_text_stands_in_the_column_of_the_records_by_default(desk, dpspin):
    write_rows(desk / "aux.csv", ["text", "atoms"], *labelled_rows(exclusive_texts()))
    ran = dpspin(*release_words("--map", "supervised", "--aux", "aux.csv", "--aux-label", "atoms"))
    assert ran.code == 0, ran.err


def test_per_record_is_stated(desk, dpspin):
    assert dpspin(*release_words("--map", "cues", "--per-record", "1")).code == 0
    assert released(desk).statement.contribution_map.atoms_per_record == 1


def test_a_report_card_is_shown_in_plain_words(dpspin):
    ran = dpspin("atoms", "test", "tiny.json")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("map: hybrid, fitted on the dictionary's ")
    assert "none of which the map learned from:" in ran.out
    assert "measured worst (3 of 3)" in ran.out
    assert all(atom.label in ran.out for atom in ATOMS)


def test_a_report_card_in_json_is_the_statement_of_a_release(desk, dpspin):
    shown = json.loads(dpspin("atoms", "test", "tiny.json", "--map", "supervised", *LABELLED, "--json").out)
    assert dpspin(*release_words("--map", "supervised", *LABELLED)).code == 0
    assert shown == released(desk).statement.contribution_map.model_dump(mode="json")


def test_bare_labels_have_no_card_and_that_is_said(desk, dpspin):
    (desk / "bare.txt").write_text("long wait\nrude staff\ncold food\n")
    ran = dpspin("atoms", "test", "bare.txt")
    assert ran.code == 0, ran.err
    assert "map: names" in ran.out
    assert "no report card" in ran.out


@pytest.mark.parametrize(
    "how", ["hybrid", "cues", "taught", "supervised", "paper", "embedding", "cues with an embedding"]
)
def test_a_saved_map_gives_the_same_statement(desk, dpspin, how):
    kept = dpspin("atoms", "test", "tiny.json", *EVERY_MAP[how], "--save", "kept.map", "--json")
    assert kept.code == 0, kept.err
    learned = MapStatement.model_validate_json(kept.out)
    ran = dpspin(*release_words("--map", "kept.map"))
    if learned.learned_from_auxiliary:
        assert (ran.code, "--aux-is-public" in ran.err) == (2, True)  # what it learned from cannot be compared
        ran = dpspin(*release_words("--map", "kept.map", "--aux-is-public"))
        assert "The text behind the map was declared public" in ran.err
    assert ran.code == 0, ran.err
    stated = released(desk).statement.separation
    assert (stated.map_text == "declared_public", stated.dictionary_text) == (
        learned.learned_from_auxiliary,
        "no_text",
    )
    assert released(desk).statement.contribution_map == learned


@pytest.mark.usefixtures("saved")
def test_a_saved_map_asks_for_the_same_numbers_as_the_fitted_one(dpspin):
    assert dpspin(*release_words("--map", "cues", "--languages", "any")).code == 0
    again = dpspin(*release_words("--map", "tiny.map"))
    assert again.code == 0, again.err
    assert "released before" in again.err


MISTAKES = {
    "an unknown name": (("--map", "magic"), "'magic' is none of them"),
    "a folder": (("--map", "."), "a saved map's file"),
    "a file that is no map": (("--map", "records.csv"), "records.csv"),
    "a saved map of another dictionary": (("--map", "tiny.map", "--atoms", "other.json"), "another dictionary"),
    "a saved map and --per-record": (("--map", "tiny.map", "--per-record", "2"), "--per-record"),
    "a saved map and labels": (("--map", "tiny.map", *LABELLED), "leave --aux-label out"),
    "a saved map and --embedder": (("--map", "tiny.map", "--embedder", "static"), "--embedder"),
    "labels without text": (("--aux-label", "atoms"), "say --aux"),
    "auxiliary text without labels": (LABELLED[:4], "where it is labelled"),
    "auxiliary text for cues": (("--map", "cues", *LABELLED), "leave it out"),
    "no such label column": ((*LABELLED[:4], "--aux-label", "gone"), "no column 'gone'"),
    "labels of another dictionary": ((*LABELLED[:4], "--aux-label", "sky"), "no label of the auxiliary data"),
    "taught by nobody": (("--map", "taught"), "--aux and --aux-label"),
    "several labels for classes": (("--map", "supervised", *SEVERAL), "one label per auxiliary record"),
    "an embedding for taught": (("--map", "taught", *SEVERAL, "--embedder", "static"), "leave --embedder out"),
    "no such embedding": (("--map", "embedding", "--embedder", "gone"), "embedding model cannot be read"),
    "cues of bare labels": (("--map", "cues", "--atoms", "bare.txt"), "example sentences"),
    "no atoms per record": (("--map", "hybrid", "--per-record", "0"), "--per-record"),
}


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_explained_in_one_line_and_cost_nothing(desk, dpspin, mistake):
    (desk / "other.json").write_text(dumps(restaurant(version="2")))
    (desk / "bare.txt").write_text("long wait\nrude staff\n")
    words, message = MISTAKES[mistake]
    ran = dpspin(*release_words(*words))
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("dpspin: ")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not (desk / "out").exists()
    assert dpspin("ledger", "show", "--json").out.split() == ["{", '"accounts":', "[]", "}"]


def test_the_records_are_refused_as_auxiliary_text_and_nothing_is_charged(desk, dpspin):
    ran = dpspin(*release_words("--map", "paper", "--aux", "records.csv"))
    assert ran.code == 2
    assert "are the protected data" in ran.err
    assert not (desk / "out").exists()
    assert dpspin("ledger", "show", "--json").out.split() == ["{", '"accounts":', "[]", "}"]


EXAMINED_WRONGLY = {
    "text column without a file": (("--aux-text", "words"), "say --aux,"),
    "a file without its text column": (("--aux", "aux.csv"), "say --aux-text"),
    "labels without a file": (("--aux-label", "atoms"), "say --aux,"),
    "a language model": (("--map", "llm"), "asks no language model"),
    "a saved map and --per-record": (("--map", "tiny.map", "-K", "2"), "--per-record does not go with a saved map"),
    "an unknown name": (("--map", "magic"), "'magic' is none of them"),
}


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize("mistake", EXAMINED_WRONGLY)
def test_a_wrong_examination_is_explained_in_one_line(dpspin, mistake):
    words, message = EXAMINED_WRONGLY[mistake]
    ran = dpspin("atoms", "test", "tiny.json", *words)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_saved_map_can_be_examined_again(dpspin, saved):
    again = dpspin("atoms", "test", "tiny.json", "--map", "tiny.map", "--json")
    assert MapStatement.model_validate_json(again.out) == saved
