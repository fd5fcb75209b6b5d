"""``dpspin atoms suggest``, as a user meets it."""

import json

import pytest

from dpspin.public.atoms.dictionary_files import load


@pytest.fixture
def words(tmp_path):
    faults = ["broke", "cracked", "jammed", "rusted"] * 5
    lines = [f"u{i % 7},The lid hinge {fault} on day {i}." for i, fault in enumerate(faults)]
    lines += ["u1,Such a waste of money."] * 8
    (tmp_path / "old.csv").write_text("\n".join(["who,text", *lines]) + "\n")
    return ("atoms", "suggest", tmp_path / "old.csv", "--text", "text", "--out", tmp_path / "draft.yaml")


def test_it_writes_a_draft_and_shows_a_table(dpspin, words, tmp_path):
    ran = dpspin(*words, "--min-support", "6")
    assert ran.code == 0, ran.err
    assert [line.split()[0] for line in ran.out.splitlines()] == ["support", "20", "8"]
    assert "do not use it" in ran.err
    universe = load(tmp_path / "draft.yaml")
    assert [atom.label for atom in universe.atoms] == ["lid hinge", "waste of money"]
    assert "old.csv; " in (tmp_path / "draft.yaml").read_text()
    assert not {"old.csv", "28"} & set(universe.provenance.note.replace(";", " ").split())
    assert universe.provenance.auxiliary.salt
    assert universe.provenance.auxiliary.text == "text"
    assert str(tmp_path) not in universe.provenance.note


def test_lint_reads_the_draft(dpspin, words, tmp_path):
    dpspin(*words, "--min-support", "6")
    ran = dpspin("atoms", "lint", tmp_path / "draft.yaml")
    assert ran.code == 1
    assert "has no description" in ran.out


def test_json_tells_users_and_what_a_pack_covers(dpspin, words):
    ran = dpspin(*words, "--user", "who", "--min-support", "6", "--from-pack", "product-reviews", "--json")
    (only,) = json.loads(ran.out)["best"]
    assert (only["label"], only["documents"], only["users"]) == ("lid hinge", 20, 7)
    assert "covered_by" in only


def test_a_draft_that_exists_is_never_overwritten(dpspin, words, tmp_path):
    (tmp_path / "draft.yaml").write_text("edited")
    ran = dpspin(*words)
    assert ran.code == 2
    assert "may have edited it" in ran.err
    assert (tmp_path / "draft.yaml").read_text() == "edited"


def test_too_little_text_is_said_and_nothing_is_written(dpspin, words, tmp_path):
    ran = dpspin(*words, "--min-support", "500")
    assert ran.code == 2
    assert "lower --min-support" in ran.err
    assert not (tmp_path / "draft.yaml").exists()


def test_help_warns_loudly(dpspin):
    assert "NEVER from the protected records" in " ".join(dpspin("atoms", "suggest", "--help").out.split())
