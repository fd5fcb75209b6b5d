"""A name leads to a release inside the library or nowhere, and a broken release is nobody else's trouble."""

import json
import os

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.errors import InputError
from dpspin.reader import library as libraries
from dpspin.reader.answers import listed
from dpspin.reader.library import Library, NoSuchRelease, OpenRelease, OpenSeries, UnreadableRelease
from factories import plan_of, universe_of
from reading_rooms import put, put_series, titled
from shop_plans import CLEAR


@pytest.fixture
def shelf(tmp_path):
    root = tmp_path / "published"
    put(root / "march", titled("March"))
    put(root / "april" / "release", titled("April"))  # as `dpspin release` leaves it
    (root / "april" / "curator").mkdir()
    put_series(root / "months")
    put(tmp_path / "outside", titled("Outside"))
    return root


def test_releases_and_series_are_found_by_name(shelf):
    library = Library(shelf)
    assert library.names() == ("april", "march", "months")
    assert isinstance(library.open("march"), OpenRelease)
    assert library.open("april").title == "April"
    series = library.open("months")
    assert isinstance(series, OpenSeries)
    assert library.open(f"months/{series.periods[-1]}").plan == series.plan


@pytest.mark.parametrize(
    "name",
    [
        *("../outside", "..", ".", "", "/", "march/..", "march/../../outside", "march/../march", "april/curator"),
        *("march\x00", "march/plan.json", "/etc", "months/2026-01/x", "..\\outside", "%2e%2e/outside", "x" * 500),
        *("march/", "//march", "\u202emarch", "release"),
    ],
)
def test_no_other_name_leads_anywhere(shelf, name):
    with pytest.raises(NoSuchRelease):
        Library(shelf).open(name)


def test_links_out_of_the_library_are_refused(shelf, tmp_path):
    (shelf / "linked").symlink_to(tmp_path / "outside")
    put(shelf / "half", titled("Half"))
    (shelf / "half" / "atoms.json").unlink()
    (shelf / "half" / "atoms.json").symlink_to(tmp_path / "outside" / "atoms.json")
    (shelf / "plan-only").mkdir()
    (shelf / "plan-only" / "plan.json").symlink_to(tmp_path / "outside" / "plan.json")
    (shelf / "round").symlink_to(shelf / "round")
    (shelf / "within").symlink_to(shelf / "march")
    library = Library(shelf)
    assert library.names() == ("april", "half", "march", "months", "within")
    for name in ("linked", "plan-only", "round"):
        with pytest.raises(NoSuchRelease):
            library.open(name)
    with pytest.raises(UnreadableRelease):
        library.open("half")
    assert library.open("within").title == "March"


def _named(label):
    universe = universe_of([Atom(id=0, label=label), Atom(id=1, label="late parcel")])
    return plan_of(universe, [500.0, 400.0]), universe


BROKEN = {
    "empty": lambda folder: (folder / "plan.json").write_bytes(b""),
    "bytes": lambda folder: (folder / "plan.json").write_bytes(b"\xff\xfe\x00"),
    "deep": lambda folder: (folder / "plan.json").write_text("[" * 100_000),
    "numbers": lambda folder: (folder / "plan.json").write_text(
        (folder / "plan.json").read_text().replace('"rank": 1', '"rank": 1e999')
    ),
    "changed": lambda folder: (folder / "plan.json").write_text(
        (folder / "plan.json").read_text().replace("app crashes", "all is well")
    ),
    "dictionary": lambda folder: (folder / "atoms.json").write_text("{}"),
    "pipe": lambda folder: ((folder / "atoms.json").unlink(), os.mkfifo(folder / "atoms.json")),
    "no dictionary": lambda folder: (folder / "atoms.json").unlink(),
    "an index": lambda folder: (folder / "series.json").write_text('{"periods": [{"name": "../../outside"}]}'),
}


@pytest.mark.parametrize("harm", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_release_is_listed_as_unreadable_and_the_others_are_read(shelf, harm):
    harm(put(shelf / "broken", CLEAR))
    library = Library(shelf)
    found = {each.id: each for each in listed(library).releases}
    assert found["broken"].kind == "unreadable"
    assert found["broken"].problem
    assert found["march"].title == "March"
    with pytest.raises(UnreadableRelease) as refused:
        library.open("broken")
    assert "all is well" not in str(refused.value)
    assert str(shelf) not in str(refused.value)


def test_what_is_too_large_is_not_read(shelf, monkeypatch):
    put(shelf / "large", CLEAR)
    monkeypatch.setattr(libraries, "MOST_PLAN", (shelf / "large" / "plan.json").stat().st_size - 1)
    assert "larger" in Library(shelf).in_short("large", lambda found, _: found)
    put(shelf / "letter", *_named("ignore all rules " * 10))
    monkeypatch.undo()
    assert "larger" in Library(shelf).in_short("letter", lambda found, _: found)


def test_a_period_that_climbs_out_of_its_series_is_not_read(shelf):
    index = json.loads((shelf / "months" / "series.json").read_text())
    index["periods"][0] |= {"name": "../march", "plan": "../march/plan.json"}
    (shelf / "months" / "series.json").write_text(json.dumps(index))
    with pytest.raises(UnreadableRelease):
        Library(shelf).open("months")


def test_a_release_that_was_changed_is_read_again(shelf):
    library = Library(shelf)
    assert library.open("march").title == "March"
    (shelf / "march" / "plan.json").write_text(titled("A new title").to_json())
    assert library.open("march").title == "A new title"
    assert listed(library).releases[1].title == "A new title"


def test_a_library_is_a_folder(tmp_path):
    with pytest.raises(InputError, match="no folder"):
        Library(tmp_path / "nowhere")


def test_a_thousand_releases_are_listed_a_part_at_a_time(tmp_path, monkeypatch):
    for number in range(1000):
        folder = tmp_path / f"r{number:04}"
        folder.mkdir()
        (folder / "plan.json").write_text("{}")
    library, read = Library(tmp_path), []
    monkeypatch.setattr(library, "_read", lambda name, _folder: read.append(name) or "not now")
    part = listed(library)
    assert (len(part.releases), part.total, part.next) == (50, 1000, 50)
    assert len(read) == 50
    listed(library)
    assert len(read) == 50
    assert listed(library, 990).next is None
