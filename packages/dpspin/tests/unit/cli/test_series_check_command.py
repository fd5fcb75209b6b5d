"""A look at the records of a period before it is closed: free, exact, and for the curator's eyes only."""

import json
import shutil
from datetime import UTC, datetime

import pytest

from dpspin.boundary.facets import PeriodFacet
from dpspin.curator.check.period import DateLook, UserLook, doubts_about_dates, doubts_about_known
from dpspin.curator.ledger import open_ledger
from dpspin.curator.records.columns import Dated
from dpspin.series import add_period
from person_at_terminal import at_a_terminal

CANARY = "zqxvcanary"
TEXTS = ("my parcel is late again", "please refund the order", "the app crashes on my phone", "where is my letter")


def rows(month, users=range(40), spelt="u{}", texts=TEXTS):
    said = (f"{texts[user % len(texts)]} {CANARY} {month} {user}" for user in users)
    return [f"{text},{spelt.format(user)},2026-{month:02}-10" for text, user in zip(said, users, strict=True)]


def write(path, *many):
    path.write_text("\n".join(["body,who,day", *(row for rows in many for row in rows)]) + "\n")
    return path


def opening(place, name="series", dataset="tickets", last="2026-08", late="refuse"):
    return [
        *("series", "open", place / name, "--atoms", place / "atoms.txt", "--text", "body", "--user", "who"),
        *("--date", "day", "--every", "month", "--first", "2026-01", "--last", last, "--epsilon", "1"),
        *("--lifetime-bound", "3", "--map", "paper", "--late", late, "--dataset", dataset),
        *("--ledger", place / "ledger.db"),
    ]


@pytest.fixture
def place(tmp_path, dpspin):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    assert dpspin(*opening(tmp_path)).code == 0
    return tmp_path


def files_in(place):
    return {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_it_tells_what_counts_and_why_the_rest_does_not_and_writes_nothing(place, dpspin):
    odd = ["hello,u1,", "hello,u2,soon", "hello,u3,2025-12-31", "hello,u4,2027-01-01"]
    data = write(place / "all.csv", rows(1), rows(2, range(30)), rows(3, range(20)), odd)
    before = files_in(place)
    ran = dpspin("series", "check", place / "series", data, "--period", "2026-02")
    assert ran.code == 0
    assert "94 records" in ran.out
    assert "30 in 2026-02" in ran.out
    assert "41 earlier, 21 later, 2 without a date" in ran.out
    assert "Users      30;" in ran.out
    assert "Known      0 of the users" in ran.out
    assert "For your eyes only" in ran.out
    assert "Do not skip a period because of what it holds" in ran.out
    assert CANARY not in ran.out + ran.err
    assert files_in(place) == before
    told = json.loads(dpspin("series", "check", place / "series", data, "--period", "2026-02", "--json").out)
    assert told["dates"] == {
        "period": "2026-02", "records": 94, "counted": 30, "earlier": 41, "later": 21, "undated": 2,
    }  # fmt: skip


def test_it_counts_what_is_added_then(place, dpspin):
    for late in ("refuse", "next"):
        assert dpspin(*opening(place, late, late, late=late)).code == 0
        data = write(place / f"{late}.csv", rows(1, range(50, 60)), rows(2, range(60, 90), late + "{}"), rows(3))
        told = json.loads(dpspin("series", "check", place / late, data, "--period", "2026-02", "--json").out)
        added = add_period(place / late, str(data), "2026-02")
        assert told["dates"]["counted"] == added.answer.diagnostics.records == (30 if late == "refuse" else 40)
        shutil.rmtree(place / late)
        (place / "ledger.db").unlink()


def test_the_wrong_file_and_the_wrong_period_look_wrong_and_the_exit_code_does_not_tell(place, dpspin):
    data = write(place / "1.csv", rows(1))
    ran = dpspin("series", "check", place / "series", data, "--period", "2026-05")
    assert ran.code == 0
    assert "No record is dated in 2026-05: 40 earlier, 0 later, 0 without a date in 'day'." in ran.out
    undated = write(place / "odd.csv", [row.replace("2026-01-10", "10.1.26") for row in rows(1)], rows(1, range(3)))
    ran = dpspin("series", "check", place / "series", undated, "--period", "2026-01")
    assert "93% of the records have no date in 'day' that can be read." in ran.out


def test_what_is_released_or_closed_is_told_without_a_look(place, dpspin):
    data = write(place / "all.csv", rows(1), rows(2))
    assert dpspin("series", "add", place / "series", data, "--period", "2026-02").code == 0
    again = dpspin("series", "check", place / "series", data, "--period", "2026-02")
    assert (again.code, again.out) == (0, "")
    assert "was released before, and is closed" in again.err
    closed = dpspin("series", "check", place / "series", data, "--period", "2026-01")
    assert closed.code == 2
    assert "period '2026-01' is closed" in closed.err


def test_users_of_another_account_are_told_before_the_period_is_refused(place, dpspin):
    everybody = write(place / "1.csv", rows(1))
    assert dpspin("series", "add", place / "series", everybody, "--period", "2026-01").code == 0
    opened = dpspin(*opening(place, "second", "others"))
    assert "The ledger has accounts of 'tickets', and none of 'others' yet" in opened.err
    same = write(place / "2.csv", rows(2))
    told = dpspin("series", "check", place / "second", same, "--period", "2026-02")
    assert "The ledger knows many of these users as 'tickets'" in told.out
    refused = dpspin("series", "add", place / "second", same, "--period", "2026-02")
    assert refused.code == 2
    assert "a large part of the users of this period of 'others' as dataset 'tickets'" in refused.err
    assert "dpspin series open FOLDER --dataset tickets" in refused.err
    assert "--snapshot" not in refused.err


def test_advice_speaks_of_no_option_that_the_command_lacks(place, dpspin):
    nameless = write(place / "1.csv", ["hello,,2026-01-05"])
    refused = dpspin("series", "add", place / "series", nameless, "--period", "2026-01")
    assert refused.code == 2
    assert "--missing-users" not in refused.err
    assert "The series settled that when it was opened: mend DATA, or open another series" in refused.err


def test_a_file_without_any_record_may_be_added_to_two_series(place, dpspin):
    assert dpspin(*opening(place, "second", "others")).code == 0
    empty = write(place / "none.csv")
    for name in ("series", "second"):
        assert dpspin("series", "add", place / name, empty, "--period", "2026-01").code == 0
    both = write(place / "2.csv", rows(2))
    assert dpspin("series", "add", place / "series", both, "--period", "2026-02").code == 0
    assert "knows the records" in dpspin("series", "add", place / "second", both, "--period", "2026-02").err


@pytest.mark.parametrize("command", ["release", "phrases"])
def test_a_single_release_does_not_go_into_the_folder_of_a_series(place, dpspin, command):
    data, ledger = write(place / "1.csv", rows(1)), place / "ledger.db"
    before = files_in(place)
    words = {
        "release": ("release", data, "--atoms", place / "atoms.txt", "--epsilon", "1"),
        "phrases": ("phrases", "find", data, "--epsilon", "1", "--delta", "1e-6"),
    }[command]
    common = ("--text", "body", "--unit", "record", "--denominator", "40", "--dataset", "x", "--ledger", ledger)
    refused = dpspin(*words, *common, "--out", place / "series")
    assert refused.code == 2
    assert "holds a series" in refused.err
    assert files_in(place) == before
    alone = dpspin(*words, *common, "--out", place / "alone")
    assert alone.code == 0, alone.err
    taken = dpspin(*opening(place, "alone", "x"))
    assert "holds a single release" in taken.err


# --- at a terminal ----------------------------------------------------------------------------------------------------


def added(place):
    return (place / "series" / "release" / "2026-05").exists()


@pytest.mark.parametrize(("answer", "code"), [("n\n", 2), ("\x04", 2), ("y\n", 0)])
def test_at_a_terminal_a_wrong_file_is_asked_about_before_the_period_is_closed(place, answer, code):
    data = write(place / "1.csv", rows(1))
    words = ("series", "add", place / "series", data, "--period", "2026-05")
    ran, screen = at_a_terminal(words, answer, place)
    assert ran == code, screen
    assert "No record is dated in 2026-05" in screen
    assert added(place) == (code == 0)


def test_at_a_terminal_what_looks_right_is_not_asked_about(place):
    data = write(place / "5.csv", rows(5))
    ran, screen = at_a_terminal(("series", "add", place / "series", data, "--period", "2026-05"), "", place)
    assert ran == 0, screen
    assert "Go on" not in screen


def test_unattended_nothing_is_decided_by_the_data(place, dpspin):
    ran = dpspin("series", "add", place / "series", write(place / "1.csv", rows(1)), "--period", "2026-05")
    assert ran.code == 0
    assert "`dpspin series check` is one" in ran.err
    assert added(place)


def test_at_a_terminal_another_dataset_of_the_ledger_is_asked_about_before_the_charge(place):
    data = write(place / "1.csv", rows(1))
    add_period(place / "series", str(data), "2026-01")
    ran, screen = at_a_terminal(opening(place, "second", "others"), "n\n", place)
    assert ran == 2, screen
    assert "dpspin check DATA --text" in screen
    assert open_ledger(place / "ledger.db").budget("others") is None
    ran, screen = at_a_terminal(opening(place), "", place)
    assert ran == 0, screen  # opening again is free, and asks nothing


# --- what looks wrong -------------------------------------------------------------------------------------------------

CALENDAR = PeriodFacet(column="day", every="month", first="2026-01", last="2026-12", zone="Pacific/Auckland")
DATED = Dated(CALENDAR, frozenset(["2026-03"]))


@pytest.mark.parametrize(
    ("now", "over"),
    [(datetime(2026, 3, 31, 10, tzinfo=UTC), False), (datetime(2026, 3, 31, 12, tzinfo=UTC), True)],
)
def test_a_period_that_is_not_over_looks_wrong_in_the_calendars_own_zone(now, over):
    found = doubts_about_dates(DateLook("2026-03", 10, 10, 0, 0, 0), DATED, now)
    assert [doubt.what for doubt in found] == ([] if over else ["2026-03 is not over yet."])


@pytest.mark.parametrize(
    ("users", "known", "before", "wrong"),
    [(300, 0, 500, True), (300, 2, 500, True), (300, 3, 500, False), (300, 0, 199, False), (199, 0, 500, False)],
)
def test_users_who_are_all_new_look_wrong_where_there_were_many(users, known, before, wrong):
    found = doubts_about_known(UserLook(users, known, before))
    assert bool(found) == wrong
    assert all("written in another way" in doubt.do for doubt in found)


def test_ids_that_are_written_in_another_way_are_noticed(place, dpspin):
    first = write(place / "1.csv", rows(1, range(250), texts=TEXTS[:1]))
    assert dpspin("series", "add", place / "series", first, "--period", "2026-01").code == 0
    for spelt, known in (("u{}", 250), ("U{}", 0)):
        data = write(place / "2.csv", rows(2, range(250), spelt))
        ran = dpspin("series", "check", place / "series", data, "--period", "2026-02")
        assert f"Known      {known} of the users" in ran.out
        assert ("Are their ids written in another way now?" in ran.out) == (known == 0)


def test_nothing_private_can_be_printed():
    assert repr(DateLook("2026-03", 1, 2, 3, 4, 5)) == "DateLook(<private>)"
    assert repr(UserLook(1, 2, 3)) == "UserLook(<private>)"
