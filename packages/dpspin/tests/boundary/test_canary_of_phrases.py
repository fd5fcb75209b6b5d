"""What few wrote comes out of a search for phrases nowhere: no file, no talk, no error, no temporary store."""

import tempfile
from pathlib import Path

import pytest

from phrase_records import RARE, UNITS, find, write_records

EXTRA = [
    *((f"{RARE}v{each}", f"My {RARE}word about the {RARE}thing was Maria {RARE}name.") for each in range(3)),
    (f"{RARE}w", f"{RARE}mail@example.org or @{RARE}handle or 4111 {RARE}"),
]


@pytest.fixture(autouse=True)
def _temporary(tmp_path, monkeypatch):
    """Let everything that is put away for a while be looked at."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "records.csv"]


@pytest.mark.parametrize("unit", UNITS)
def test_nothing_below_the_threshold_leaves_by_a_file_or_a_word(tmp_path, dpspin, unit, caplog):
    records = write_records(tmp_path, extra=EXTRA)
    ran = [dpspin(*find(records, tmp_path / "out", *UNITS[unit], "--per-unit", "2"))]
    table = tmp_path / "out" / "curator" / "phrases.csv"
    table.write_text(table.read_text(encoding="utf-8-sig").replace(",,", ",yes,", 5), encoding="utf-8")
    ran.append(dpspin("phrases", "review", tmp_path / "out"))
    assert [each.code for each in ran] == [0, 0], ran
    written = files(tmp_path)
    assert {path.name for path in written} >= {"phrases.json", "phrases.csv", "phrases.html", "default-ledger.db"}
    assert "subscription" in (tmp_path / "out" / "release" / "phrases.csv").read_text()
    for path in written:
        assert RARE.encode() not in path.read_bytes(), path.name
    assert not any(RARE in each.out + each.err for each in ran)
    assert RARE not in caplog.text


BROKEN = {
    "no user id": (UNITS["user"], [("", f"{RARE} without anybody")]),
    "strict rows": ((*UNITS["record"], "--strict-rows"), [("u", f"{RARE}", "too", "many")]),
    "no such column": (("--unit", "user", "--user", "nobody"), []),
    "too large a delta": ((*UNITS["record"], "--delta", "0.1"), []),
}


@pytest.mark.parametrize("case", BROKEN)
def test_nothing_leaves_by_an_error(tmp_path, dpspin, case):
    words, extra = BROKEN[case]
    records = write_records(tmp_path, crowd=3, extra=extra)
    ran = dpspin(*find(records, tmp_path / "out", *words))
    assert ran.code == 2
    assert RARE not in ran.out + ran.err
    assert not Path(tmp_path / "out").exists()
