"""Times in a release folder are no finer than a day: a difference of two would tell how long private work took."""

import pytest

from dpspin.boundary.safe_files import write_published, write_whole
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.report.folder import write_release
from factories import PAPER_PLAN, PAPER_UNIVERSE

DAY_NS = 24 * 60 * 60 * 10**9


def times_in(folder):
    return {name: name.stat().st_mtime_ns for name in (folder, *folder.rglob("*"))}


def test_a_release_is_dated_to_the_day_with_its_folder(tmp_path):
    write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)  # over the first one
    times = times_in(tmp_path / "release")
    assert len(times) >= 9
    assert {time % DAY_NS for time in times.values()} == {0}
    assert len(set(times.values())) <= 2  # the day may turn in between


def test_the_folder_is_dated_to_the_day_when_a_text_fails(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("dpspin.public.report.folder.narrate_both", fail)
    with pytest.raises(OSError, match="no space left"):
        write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    assert {time % DAY_NS for time in times_in(tmp_path / "release").values()} == {0}


def test_a_page_put_into_a_release_leaves_it_dated_to_the_day(dpspin, tmp_path):
    release = tmp_path / "release"
    write_release(release, PAPER_PLAN, PAPER_UNIVERSE)
    assert dpspin("report", release / "plan.json", "--out", release / "again.html").code == 0
    assert {time % DAY_NS for time in times_in(release).values()} == {0}


def test_other_folders_keep_their_own_time(dpspin, tmp_path):
    (tmp_path / "plan").write_text(PAPER_PLAN.to_json())
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    before = tmp_path.stat().st_mtime_ns
    assert dpspin("report", tmp_path / "plan", "--out", tmp_path / "page.html").code == 0
    assert tmp_path.stat().st_mtime_ns > before
    assert (tmp_path / "page.html").stat().st_mtime_ns % DAY_NS == 0


def test_what_is_not_published_keeps_its_time(tmp_path):
    write_whole(tmp_path / "kept", b"1")
    write_published(tmp_path / "published", b"1")
    assert (tmp_path / "kept").stat().st_mtime_ns % DAY_NS != 0
    assert (tmp_path / "published").stat().st_mtime_ns % DAY_NS == 0
