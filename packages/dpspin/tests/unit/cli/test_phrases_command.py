"""``dpspin phrases`` as a curator meets it: nothing is published before somebody has looked at it."""

import builtins
import csv
import json
from pathlib import Path

import pytest

from dpspin.cli.phrases import ReviewDesk
from dpspin.curator.release.phrase_folder import write_phrases
from dpspin.errors import InputError
from phrase_records import COUNTS, UNITS, find, release, write_records


@pytest.fixture
def folder(tmp_path):
    return write_phrases(tmp_path / "out" / "curator", release())


@pytest.fixture
def typed(monkeypatch):
    """Let somebody type these lines."""

    def lines(*words):
        said = iter(words)
        monkeypatch.setattr(builtins, "input", lambda: next(said))

    return lines


def decided(folder):
    return folder.decisions()


def test_marked_phrases_are_dropped_by_enter_and_the_others_kept(folder, dpspin, typed):
    typed("", "", "")
    ran = dpspin("phrases", "review", folder.path.parent)
    assert (ran.code, ran.out) == (0, "")
    assert "a name?" in ran.err
    assert decided(folder) == {"subscription renewal": "yes", "Maria": "no", "nuisance": "yes"}
    published = folder.path.parent / "release"
    for name in ("phrases.json", "phrases.csv", "phrases.html"):
        assert "Maria" not in (published / name).read_text(encoding="utf-8")
        assert "nuisance" in (published / name).read_text(encoding="utf-8")


def test_a_review_can_be_stopped_taken_back_and_taken_up(folder, dpspin, typed):
    typed("k", "u", "d", "what", "q")
    first = dpspin("phrases", "review", folder.path.parent)
    assert "2 are left" in first.err
    assert "k, d, u or q." in first.err
    assert not (folder.path.parent / "release").exists()
    assert sorted(decided(folder).values()) == ["", "", "no"]
    typed("d", "k")
    assert dpspin("phrases", "review", folder.path.parent).code == 0
    kept = json.loads((folder.path.parent / "release" / "phrases.json").read_text())["phrases"]
    assert len(kept) == 1


def test_nothing_can_be_taken_back_that_was_not_answered_now(folder):
    desk = ReviewDesk(folder)
    assert desk.hear("u") == "Nothing was answered since you started."


def test_end_of_input_stops(folder, dpspin, monkeypatch):
    def nobody():
        raise EOFError

    monkeypatch.setattr(builtins, "input", nobody)
    assert "3 are left" in dpspin("phrases", "review", folder.path.parent).err


def fill_in(folder, rows, delimiter=","):
    with (folder.path / "phrases.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=delimiter).writerows([("phrase", "publish"), *rows])


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_that_was_filled_in_is_published_without_questions(folder, dpspin, delimiter):
    fill_in(folder, [("subscription renewal", "YES"), ("Maria", "no"), ("nuisance", "no")], delimiter)
    assert dpspin("phrases", "review", folder.path.parent).code == 0
    rows = list(csv.DictReader((folder.path.parent / "release" / "phrases.csv").read_text().splitlines()))
    assert [row["phrase"] for row in rows] == ["subscription renewal"]
    assert int(rows[0]["at_least"]) < 210 < int(rows[0]["counted_at_most"])


FORGED = {
    "a phrase of somebody's own": [("subscription renewal", "yes"), ("Maria", "no"), ("secret plan", "yes")],
    "a phrase that is missing": [("Maria", "no")],
    "a phrase twice": [*((each, "yes") for each in COUNTS), ("Maria", "no")],
    "another word": [(each, "perhaps") for each in COUNTS],
}


@pytest.mark.parametrize("case", FORGED)
def test_a_table_that_is_not_of_these_phrases_is_refused(folder, dpspin, case):
    fill_in(folder, FORGED[case])
    ran = dpspin("phrases", "review", folder.path.parent)
    assert ran.code == 2
    assert not (folder.path.parent / "release").exists()


def test_a_damaged_table_is_said_to_be_one(folder):
    (folder.path / "phrases.csv").write_bytes(b"\xff\xfe,")
    with pytest.raises(InputError) as refused:
        folder.decisions()
    assert refused.value.code == "input.damaged-review"


def test_decisions_stay_when_the_same_phrases_are_asked_for_again(folder):
    folder.decide("Maria", "no")
    assert write_phrases(folder.path, release()).decisions()["Maria"] == "no"
    assert write_phrases(folder.path, release({"nuisance": 99})).decisions() == {"nuisance": ""}


def test_a_folder_without_phrases_says_what_makes_them(tmp_path, dpspin):
    ran = dpspin("phrases", "review", tmp_path)
    assert ran.code == 2
    assert "dpspin phrases find" in ran.err


def test_preview_tells_the_threshold_from_public_numbers(dpspin):
    words = ("phrases", "preview", "--unit", "user", "--epsilon", "1", "--denominator", "20,000")
    told = dpspin(*words, "--delta", "1e-6")
    assert (told.code, told.err) == (0, "")
    assert "above 44" in told.out
    assert "52 or more users" in told.out
    refused = dpspin(*words, "--delta", "1e-5")
    assert refused.code == 2
    assert "--delta" in refused.err


def test_the_curator_is_told_what_comes_next(tmp_path, dpspin, typed):
    records = write_records(tmp_path)
    ran = dpspin(*find(records, tmp_path / "out", *UNITS["user"]))
    assert (ran.code, ran.out) == (0, "")
    assert "3 phrases stand clear of the threshold (44)" in ran.err
    assert "Nothing is published yet" in ran.err
    typed("k", "k", "k")
    dpspin("phrases", "review", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out" / "release").iterdir()} == {
        "phrases.json",
        "phrases.csv",
        "phrases.html",
    }
    assert Path(tmp_path / "out" / "curator" / "receipt.json").exists()
