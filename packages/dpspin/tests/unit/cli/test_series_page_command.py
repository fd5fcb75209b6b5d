"""``dpspin series``: with every period the page of the series is written anew, and ``show`` tells what changed."""

import csv
import json

WORDS = {"parcel": "my late parcel", "refund": "this slow refund"}


def records(path, months):
    """Write users of their own in each month, so many of whom wrote of a parcel; the others wrote of a refund."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("user", "date", "text"))
        for month, parcels in months.items():
            for user in range(600):
                rows.writerow((f"{month}-{user}", f"{month}-15", WORDS["parcel" if user < parcels else "refund"]))
    return path


def test_from_records_over_two_periods_to_the_page_of_the_series(tmp_path, dpspin, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atoms.txt").write_text("late parcel\nslow refund\nrude driver\n")
    data = records(tmp_path / "letters.csv", {"2026-01": 500, "2026-03": 150})
    told = ("--atoms", "atoms.txt", "--size", "3", "--map", "paper", "--text", "text", "--user", "user")
    calendar = ("--date", "date", "--every", "month", "--first", "2026-01", "--last", "2026-06")
    opened = dpspin("series", "open", "shop", *told, *calendar, "--epsilon", "4", "--lifetime-bound", "1")
    assert opened.code == 0, opened.err
    nothing = dpspin("series", "show", "shop")
    assert (nothing.code, "to come" in nothing.out) == (0, True)
    assert not (tmp_path / "shop" / "release" / "index.html").exists()
    for period in ("2026-01", "2026-03"):
        added = dpspin("series", "add", "shop", data, "--period", period)
        assert added.code == 0, added.err
    release = tmp_path / "shop" / "release"
    page = (release / "index.html").read_text()
    assert all(f'href="{period}/report.html"' in page for period in ("2026-01", "2026-03"))
    (release / "index.html").unlink()
    shown = dpspin("series", "show", "shop")
    assert shown.code == 0, shown.err
    assert (release / "index.html").read_text() == page
    text = " ".join(shown.out.split())
    assert "than in 2026-01" in text
    assert (
        "“Late parcel” has a smaller share in 2026-03" in text or "“Slow refund” has a larger share in 2026-03" in text
    )
    assert "skipped" in text
    assert [period["name"] for period in json.loads(dpspin("series", "show", "shop", "--json").out)["periods"]] == [
        "2026-01",
        "2026-03",
    ]
