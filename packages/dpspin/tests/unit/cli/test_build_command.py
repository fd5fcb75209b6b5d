"""``dpspin atoms build``, and what a release does with what it builds."""

import json

import pytest

from dpspin.public.atoms.build.manifest import Manifest
from dpspin.public.atoms.dictionary_files import load

HEAD = "who,text,Product,Issue,Sub-issue\n"
RELEASE = ("--text", "text", "--epsilon", "1", "--denominator", "50", "--size", "1", "--map", "paper", "--dataset", "d")


def rows(first, last):
    return "".join(
        f"u{i},Row {i}: my skin is dry whatever lotion number {i} I put on it in the long winter months here.,"
        f"lotion,{'dry' if i % 3 else 'red'},\n"
        for i in range(first, last)
    )


@pytest.fixture
def place(tmp_path):
    for name, first, last in (("old", 0, 30), ("new", 30, 60), ("mixed", 20, 60)):
        (tmp_path / f"{name}.csv").write_text(HEAD + rows(first, last))
    return tmp_path


@pytest.fixture
def build(dpspin, place):
    def run(kind, *options):
        return dpspin("atoms", "build", kind, place / "old.csv", "--text", "text", "--out", place / "a.json", *options)

    return run


def test_phrases_write_a_dictionary_with_its_manifest(build, place):
    ran = build("phrases", "--profile", "amazon-beauty")
    assert ran.code == 0, ran.err
    universe, manifest = load(place / "a.json"), Manifest.model_validate_json((place / "a.manifest.json").read_text())
    assert [atom.label for atom in universe.atoms] == ["dry skin"]
    assert manifest.dictionary_digest == universe.digest
    assert manifest.auxiliary == universe.published.provenance.auxiliary
    assert "1  kept" in ran.out
    assert str(place) not in (place / "a.manifest.json").read_text()


def test_a_taxonomy_has_the_paths_of_its_levels(build, place):
    ran = build("taxonomy", "--size", "5", "--json")
    assert [atom.label for atom in load(place / "a.json").atoms] == ["lotion / dry", "lotion / red"]
    assert json.loads(ran.out)["supports"][0]["support"] == 20


def test_users_are_counted_where_asked_for(build):
    assert build("phrases", "--profile", "amazon-beauty", "--count-users").code == 2
    ran = build("phrases", "--profile", "amazon-beauty", "--user", "who", "--count-users", "--json")
    assert json.loads(ran.out)["support_counts"] == "users"


def test_nothing_is_overwritten(build, place):
    (place / "a.manifest.json").write_text("kept")
    ran = build("phrases", "--profile", "amazon-beauty")
    assert (ran.code, "exists" in ran.err) == (2, True)
    assert (place / "a.manifest.json").read_text() == "kept"


def test_a_release_compares_records(dpspin, build, place):
    build("phrases", "--profile", "amazon-beauty")
    how = ("--atoms", place / "a.json", "--unit", "record", *RELEASE, "--out", place / "out")
    unnamed = dpspin("release", place / "new.csv", *how)
    assert (unnamed.code, "--atoms-aux" in unnamed.err) == (2, True)
    overlap = dpspin("release", place / "mixed.csv", *how, "--atoms-aux", place / "old.csv")
    assert (overlap.code != 0, "word for word" in overlap.err) == (True, True)
    assert dpspin("release", place / "new.csv", *how, "--atoms-aux", place / "old.csv").code == 0


def test_a_release_compares_users(dpspin, build, place):
    build("taxonomy", "--size", "2", "--user", "who")
    (place / "new.csv").write_text(HEAD + rows(30, 60).replace("u30,", "u3,"))
    how = ("--atoms", place / "a.json", "--unit", "user", "--user", "who", "--bound", "1", *RELEASE)
    ran = dpspin("release", place / "new.csv", *how, "--out", place / "out", "--atoms-aux", place / "old.csv")
    assert (ran.code != 0, "split them by user" in ran.err) == (True, True)
    assert not (place / "out" / "plan.json").exists()


def test_a_sketch_compares_records_too(dpspin, build, place):
    build("phrases", "--profile", "amazon-beauty")
    how = (
        "--atoms",
        place / "a.json",
        "--unit",
        "record",
        "--text",
        "text",
        "--map",
        "paper",
        "--out",
        place / "s.sketch",
    )
    refused = dpspin("sketch", place / "mixed.csv", *how, "--atoms-aux", place / "old.csv")
    assert (refused.code != 0, (place / "s.sketch").exists()) == (True, False)
    assert dpspin("sketch", place / "new.csv", *how, "--atoms-aux", place / "old.csv").code == 0
