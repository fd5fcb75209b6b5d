"""A report on its way: its folder holds all of its state, is private, and cannot be walked out of."""

import pytest

from dpspin.app.files import COMPRESSED, DATA, chosen, data_files
from dpspin.app.journey import ROOM, begin, journey_of, journeys
from dpspin.app.releasing import NotBegun, Running, cancel, state_of
from dpspin.app.releasing import begin as begin_work
from dpspin.app.wording import sentences
from dpspin.app.workplace import first_untold
from dpspin.curator.records import find_files
from dpspin.errors import InputError


def test_what_was_told_is_kept_in_a_private_folder_and_found_again(tmp_path):
    journey = begin(tmp_path, {"records.data": "/x/tickets.csv"}, "tickets")
    journey.tell(records__text="body", title="")
    again = journey_of(tmp_path, "tickets")
    assert again.draft() == {"records.data": "/x/tickets.csv", "records.text": "body"}
    assert first_untold(again) == "question"
    assert [each.stat().st_mode & 0o777 for each in (tmp_path / ROOM, again.folder, again.private)] == [0o700] * 3
    assert (again.private / "draft.json").stat().st_mode & 0o777 == 0o600


def test_a_changed_draft_forgets_the_request_that_was_made_of_it(tmp_path):
    journey = begin(tmp_path, {"records.data": "x"}, "x")
    journey.request_file.write_text("as it was")
    journey.tell(records__data="x")
    assert journey.request_file.exists()
    journey.tell(records__data="y")
    assert not journey.request_file.exists()


@pytest.mark.parametrize(
    ("called", "name"),
    [("Tickets 2026", "tickets-2026"), ("../../etc", "etc"), ("<script>", "script"), ("投诉", "report")],
)
def test_names_of_folders_are_plain(tmp_path, called, name):
    assert begin(tmp_path, {"records.data": "x"}, called).name == name
    assert begin(tmp_path, {"records.data": "x"}, called).name == f"{name}-2"
    assert {each.name for each in journeys(tmp_path)} == {name, f"{name}-2"}


@pytest.mark.parametrize("name", ["..", ".", "../tickets", "tickets/..", "a b", "", "TICKETS", "tickets\n"])
def test_no_name_leads_out_of_the_room(tmp_path, name):
    begin(tmp_path, {"records.data": "x"}, "tickets")
    with pytest.raises(InputError, match="no such report"):
        journey_of(tmp_path, name)


def test_files_are_those_of_the_folder_itself(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "secret.csv"
    inside.mkdir()
    outside.write_text("text\nsecret\n")
    for name in ("a.csv", "b.CSV.gz", "notes.txt", ".hidden.csv", "turned\u202e.csv"):
        (inside / name).touch()
    (inside / "link.csv").symlink_to(outside)
    (inside / "folder.csv").mkdir()
    assert data_files(inside) == ["a.csv", "b.CSV.gz"]
    for name in ("../secret.csv", "link.csv", str(outside), "notes.txt", ""):
        with pytest.raises(InputError, match="no such file"):
            chosen(inside, name, data_files(inside))


def test_every_format_that_can_be_read_is_offered():
    assert {*DATA} == {suffix for each in find_files.FORMATS for suffix in each.suffixes}
    assert {*COMPRESSED} == find_files.COMPRESSED


def test_asked_for_twice_a_work_is_begun_once_and_a_stop_is_seen(tmp_path):
    journey = begin(tmp_path, {"records.data": "x"}, "x")
    assert state_of(journey) == NotBegun(stopped=False)
    begin_work(journey, "release")
    first = (journey.private / "progress.json").read_text()
    begin_work(journey, "release")
    assert isinstance(state_of(journey), Running)
    assert (journey.private / "progress.json").read_text() == first
    cancel(journey)
    while isinstance(state_of(journey), Running):
        pass
    assert state_of(journey) == NotBegun(stopped=True)


def test_a_request_in_words_tells_the_title_because_it_is_public():
    told = {"records.data": "a.csv", "records.text": "body", "records.unit": "record", "loss.epsilon": 1}
    told |= {"denominator": "400", "atoms": "support-tickets"}
    assert "Title" not in dict(sentences(told, 54))
    assert dict(sentences({**told, "title": "Parcels of May"}, 54))["Title"] == "Parcels of May (public)"
