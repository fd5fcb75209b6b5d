"""``dpspin sketch`` and ``dpspin release --sketch`` as a user meets them."""

import json
import re
import stat

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import RecordUnit, UserUnit
from dpspin.curator.aggregate.shards import open_shards
from dpspin.curator.records.columns import Columns

PLACES = {
    "here": "user,text\nann,parcel is late\nbob,app crashes\n",
    "there": "user,text\nann,parcel never came\n",
}
ATOMS = ("--atoms", "support-tickets")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, dpspin):
    monkeypatch.chdir(tmp_path)
    for name, content in PLACES.items():
        (tmp_path / f"{name}.csv").write_text(content)
    assert dpspin("sketch", "--new-user-key", "key").code == 0
    return tmp_path


RECORD = ("--unit", "record")
USER = ("--unit", "user", "--user", "user", "--user-key", "key")
UNITS = {"record": RECORD, "user": USER}


def sketch_words(place, *more, text=("--text", "text")):
    return ("sketch", f"{place}.csv", *ATOMS, "--map", "paper", *text, "--out", f"{place}.sketch", *more)


@pytest.fixture(params=UNITS)
def sketched(request, dpspin):
    """Both places, sketched; returns the protected unit's name."""
    for place in PLACES:
        ran = dpspin(*sketch_words(place, *UNITS[request.param]))
        assert ran.code == 0, ran.err
    return request.param


def release_words(*more, dataset=("--dataset", "tickets")):
    return ("release", *ATOMS, *dataset, "--epsilon", "1", "--denominator", "300", "--out", "out", *more)


def masses(*files):
    return open_shards(files).measure()[0].ticks.sum() / 2**30


def test_a_sketch_file_is_private_and_the_command_says_so(folder, dpspin):
    ran = dpspin(*sketch_words("here", *RECORD))
    assert (ran.code, ran.out) == (0, "")
    assert "Keep private: here.sketch" in ran.err
    assert stat.S_IMODE((folder / "here.sketch").stat().st_mode) == 0o600
    assert (folder / "here.sketch").read_bytes().startswith(b"PRIVATE ")


def test_a_user_in_two_places_counts_once_and_a_record_each_time(folder, sketched):
    shards = open_shards([folder / "here.sketch", folder / "there.sketch"])
    expected = {"record": 3, "user": 2}[sketched]
    assert expected - 0.1 < shards.measure()[0].ticks.sum() / 2**30 <= expected
    assert shards.columns == Columns("text", {"record": None, "user": "user"}[sketched])


def test_sketches_are_known_to_the_ledger_as_the_records_of_their_files(folder, dpspin, sketched):
    """The same request has one answer and one charge, and another name is refused, whichever way the records come."""
    both = ("--sketch", "here.sketch", "--sketch", "there.sketch")
    assert dpspin(*release_words(*both)).code == 0
    first = (folder / "out" / "release" / "plan.json").read_text()
    words = [word for word in UNITS[sketched] if word not in {"--user-key", "key"}]
    from_files = ("*.csv", "--map", "paper", "--text", "text", *words)
    assert dpspin(*release_words(*from_files)).code == 0
    assert (folder / "out" / "release" / "plan.json").read_text() == first
    renamed = dpspin(*release_words(*from_files, "--out", "elsewhere", dataset=("--dataset", "other")))
    assert renamed.code == 2
    assert "known to this ledger as dataset 'tickets'" in renamed.err
    history = json.loads(dpspin("ledger", "history", "--json").out)["releases"]
    assert [row["dataset"] for row in history] == ["tickets"]


def test_shards_have_the_sketch_that_one_file_would_have(folder, dpspin, sketched):
    whole = PLACES["here"] + PLACES["there"].split("\n", 1)[1]
    (folder / "whole.csv").write_text(whole)
    assert dpspin(*sketch_words("whole", *UNITS[sketched])).code == 0
    apart = open_shards([folder / "here.sketch", folder / "there.sketch"]).measure()[0]
    together = open_shards([folder / "whole.sketch"]).measure()[0]
    assert apart.ticks.tolist() == together.ticks.tolist()
    assert apart.origin == together.origin


@pytest.mark.parametrize(
    "named", [("--sketch", "here.sketch", "--sketch", "there.sketch"), ("--sketch", "*.sketch")], ids=["each", "glob"]
)
def test_shards_are_released_as_they_were_sketched(folder, dpspin, sketched, named):
    (folder / "key").unlink()  # a release does not need it
    ran = dpspin(*release_words(*named))
    assert ran.code == 0, ran.err
    plan = SemanticPlan.from_json((folder / "out/release/plan.json").read_bytes())
    assert plan.statement.unit == {"record": RecordUnit(), "user": UserUnit(1.0)}[sketched]
    assert plan.is_private
    (finding, *_) = re.split(r"\.\s", (folder / "out/release/summary.txt").read_text())
    assert finding in " ".join(ran.out.split())
    assert json.loads((folder / "out/curator/diagnostics.json").read_text())["records"] == 3
    again = dpspin(*release_words(*named))
    assert "at no cost" in again.err
    assert json.loads(dpspin("ledger", "show", "--json").out)["accounts"][0]["spent"]["epsilon"] == 1


def test_what_was_declared_public_travels_in_the_sketch_to_the_plan(folder, dpspin):
    (folder / "old.csv").write_text("text\nthe parcel was late in spring\n")
    learned = (*RECORD, "--aux", "old.csv", "--aux-text", "text")
    assert dpspin(*sketch_words("here", *learned)).code == 0
    assert dpspin(*sketch_words("there", *learned, "--aux-is-public")).code == 0
    headers = {place: (folder / f"{place}.sketch").read_bytes().splitlines()[1] for place in PLACES}
    assert [json.loads(header)["separation"]["map_text"] for header in headers.values()] == [
        "compared",
        "declared_public",
    ]
    mixed = dpspin(*release_words("--sketch", "here.sketch", "--sketch", "there.sketch"))
    assert (mixed.code, "differ in the auxiliary text that was named or declared" in mixed.err) == (2, True)
    for place, stated in {"here": "compared", "there": "declared_public"}.items():
        ran = dpspin(*release_words("--sketch", f"{place}.sketch", "--out", place, dataset=("--dataset", place)))
        assert ran.code == 0, ran.err
        plan = SemanticPlan.from_json((folder / place / "release/plan.json").read_bytes())
        assert plan.statement.separation.map_text == stated
        assert ("was declared public" in ran.err) == (stated == "declared_public")


SETTLED = {
    "--text": ("--text", "text"),
    "--unit": ("--unit", "record"),
    "--user": ("--user", "user"),
    "--bound": ("--bound", "1"),
    "--adjacency": ("--adjacency", "add_drop"),  # the default, but said
    "--per-record": ("-K", "3"),
    "--aux": ("--aux", "there.csv"),
    "--aux-text": ("--aux-text", "text"),
    "--aux-user": ("--aux-user", "user"),
    "--aux-is-public": ("--aux-is-public",),
    "--atoms-aux-is-public": ("--atoms-aux-is-public",),
    "--strict-rows": ("--strict-rows",),
    "--missing-users": ("--missing-users", "drop"),
}


@pytest.mark.parametrize("option", SETTLED)
def test_what_the_shards_settle_cannot_be_said_again(dpspin, option):
    dpspin(*sketch_words("here", *RECORD))
    ran = dpspin(*release_words("--sketch", "here.sketch", *SETTLED[option]))
    assert ran.code == 2
    assert ran.err == f"dpspin: the sketch files settle {option}: leave that out with --sketch\n"


MISTAKES = {
    "records and sketches": (release_words("here.csv", "--sketch", "here.sketch"), "not both"),
    "neither": (release_words(), "not both"),
    "records without a column": (release_words("here.csv", "--unit", "record"), "--text"),
    "records without a unit": (release_words("here.csv", "--text", "text"), "--unit"),
    "no dataset": (release_words("--sketch", "here.sketch", dataset=()), "--dataset"),
    "no such sketch": (release_words("--sketch", "gone*.sketch"), "no sketch file found"),
    "a data file as sketch": (release_words("--sketch", "here.csv"), "not a sketch file"),
    "a shard twice": (release_words("--sketch", "here.sketch", "--sketch", "*.sketch"), "once"),
    "another dictionary": (release_words("--sketch", "here.sketch", "--atoms", "app-reviews"), "another dictionary"),
    "users without a key": (sketch_words("here", "--unit", "user", "--user", "user"), "--user-key"),
    "a key without users": (sketch_words("here", *RECORD, "--user-key", "key"), "--user-key"),
    "no such key": (sketch_words("here", *USER, "--user-key", "gone"), "--new-user-key"),
    "data as a key": (sketch_words("here", *USER, "--user-key", "here.csv"), "not a user key"),
    "a key that is there": (("sketch", "--new-user-key", "key"), "File exists"),
    "auxiliary column without data": (sketch_words("here", *RECORD, "--aux-text", "text"), "--aux"),
    "the shard as auxiliary": (sketch_words("here", *RECORD, "--aux", "here.csv"), "auxiliary data are the protected"),
    "data as output": (sketch_words("here", *RECORD, "--out", "there.csv"), "no sketch file"),
    "no folder for the output": (sketch_words("here", *RECORD, "--out", "gone/a.sketch"), "no folder to write in"),
    "no such column": (sketch_words("here", *RECORD, text=("--text", "body")), "no column 'body'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_explained_in_one_line_and_cost_nothing(folder, dpspin, mistake):
    dpspin(*sketch_words("here", *RECORD))
    before = {path.name: path.read_bytes() for path in folder.iterdir() if "ledger" not in path.name}
    words, message = MISTAKES[mistake]
    ran = dpspin(*words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.splitlines()[-1].startswith("dpspin: ")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if "ledger" not in path.name} == before
    assert "tickets" not in dpspin("ledger", "show", "--json").out


def test_shards_under_different_keys_are_refused(dpspin):
    dpspin("sketch", "--new-user-key", "other")
    dpspin(*sketch_words("here", *USER))
    dpspin(*sketch_words("there", *USER, "--user-key", "other"))
    ran = dpspin(*release_words("--sketch", "*.sketch"))
    assert ran.code == 2
    assert "different keys" in ran.err


def test_a_shard_may_be_sketched_again(folder, dpspin):
    dpspin(*sketch_words("here", *RECORD))
    (folder / "here.csv").write_text(PLACES["here"] + "eve,refund please\n")
    assert dpspin(*sketch_words("here", *RECORD)).code == 0
    assert 3.9 > masses(folder / "here.sketch") > 2.1
