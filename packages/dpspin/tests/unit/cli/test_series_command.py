"""The commands of a series: open, add, show, renew and preview, as a user types them."""

import json

import pytest

from dpspin.boundary.series import SeriesIndex


@pytest.fixture
def place(tmp_path):
    (tmp_path / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    rows = (f"my parcel is late,u{user},2026-0{month}-10" for month in range(1, 4) for user in range(300))
    (tmp_path / "all.csv").write_text("\n".join(["body,who,day", *rows]) + "\n")
    return tmp_path


def opening(place, *more):
    return [
        *("series", "open", str(place / "series"), "--atoms", str(place / "atoms.txt"), "--text", "body"),
        *("--user", "who", "--date", "day", "--every", "month", "--first", "2026-01", "--last", "2026-04"),
        *(
            "--epsilon",
            "4",
            "--lifetime-bound",
            "2",
            "--map",
            "paper",
            "--dataset",
            "tickets",
            "--ledger",
            str(place / "ledger.db"),
        ),
        *more,
    ]


def test_a_series_is_opened_added_to_shown_and_renewed(place, dpspin):
    first = dpspin(*opening(place, "--budget", "9", "--title", "support", "--zone", "Europe/Berlin", "--late", "next"))
    assert (first.code, first.out) == (0, "")
    assert "4 periods from 2026-01 to 2026-04. Epsilon 4.0 is charged for all of them together" in first.err
    added = dpspin("series", "add", place / "series", place / "all.csv", "--period", "2026-02")
    assert added.code == 0
    assert "Publish:" in added.err
    again = dpspin("series", "add", place / "series", place / "all.csv", "--period", "2026-02")
    assert "released before" in again.err
    shown = dpspin("series", "show", place / "series")
    lines = shown.out.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["2026-01", "skipped"], ["2026-02", "released"], ["2026-03", "to"], ["2026-04", "to"],
    ]  # fmt: skip
    assert "2 of 4 periods of this life are to come" in lines[5]
    renewed = dpspin("series", "renew", place / "series", "--epsilon", "2", "--last", "2026-05")
    assert "5 periods from 2026-01 to 2026-05. Epsilon 2.0" in renewed.err
    index = SeriesIndex.model_validate_json(dpspin("series", "show", place / "series", "--json").out)
    assert (index.title, index.terms.epsilon, index.terms.every.zone) == ("support", 2.0, "Europe/Berlin")
    assert index.terms.late == "next"
    dpspin("series", "add", place / "series", place / "all.csv", "--period", "2026-03")
    assert "2026-03      released      2" in dpspin("series", "show", place / "series").out


def test_a_report_says_that_the_loss_is_that_of_a_whole_life(place, dpspin):
    dpspin(*opening(place))
    dpspin("series", "add", place / "series", place / "all.csv", "--period", "2026-01")
    label = json.loads((place / "series/release/2026-01/label.json").read_text())
    assert (
        "After reading all reports of this life of the series (2026-01 to 2026-04), that becomes at most"
        in label["headline"]
    )
    told = " ".join(label["sentences"])
    assert "Epsilon 4 is not the cost of this report: it is what all 4 periods of this life of the series cost" in told
    assert "one period counts at most 1 of it" in told
    assert "Of epsilon 4, 3.6 pays for the masses of all periods, and 0.4 for how much" in told
    assert "in all periods of this life of the series, together by a mass of at most 2" in told
    report = (place / "series/release/2026-01/report.html").read_text()
    assert "at epsilon 4 for all periods of the life together" in report


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("--first", "soon"), "the calendar is not valid: first"),
        (("--first", "2027-01"), "from its first day to a later one"),
        (("--per-period", "3"), "at most what a whole life allows"),
        (("--missing-users", "own_unit"), "--missing-users drop"),
        (("--zone", "Berlin"), "time zone"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line_and_nothing_is_charged(place, dpspin, change, why):
    refused = dpspin(*opening(place, *change))
    assert refused.code == 2
    assert why in refused.err
    assert not (place / "series").exists()


WEEKS = ("--every", "week", "--first", "2026-01-01", "--last", "2026-12-27", "--epsilon", "3")


@pytest.mark.parametrize("active", ["3", "10", "20", "52"])
def test_a_preview_recommends_bounds_that_leave_a_quarter_of_the_noise_of_separate_releases(dpspin, active):
    told = json.loads(dpspin("series", "preview", *WEEKS, "--active-periods", active, "--json").out)
    assert told["periods"] == 52
    assert told["times_less"] >= 4
    assert told["lifetime_bound"] <= float(active)


def test_a_preview_says_what_to_type_and_opens_nothing(dpspin, tmp_path, monkeypatch):
    monkeypatch.setenv("DPSPIN_LEDGER", str(tmp_path / "ledger.db"))
    told = dpspin("series", "preview", *WEEKS, "--active-periods", "8", "--records-per-period", "2")
    assert told.out.splitlines()[0] == "--lifetime-bound 16 --per-period 2"
    assert "5.85 times less" in told.out or "5.8 times less" in told.out or "5.9 times less" in told.out
    assert list(tmp_path.iterdir()) == []
