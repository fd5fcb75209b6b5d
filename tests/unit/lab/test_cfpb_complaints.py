from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.errors import SourceError
from dpspin.lab.datasets.cfpb import Complaints, read_complaints, taxonomy_atoms


def row(text: str, sub_issue: str | None, day: str = "2022-05-01") -> dict[str, str | None]:
    return {
        "Date received": day,
        "Product": "Mortgage",
        "Issue": "Closing",
        "Sub-issue": sub_issue,
        "Consumer complaint narrative": text,
        "Company": "of no interest",
    }


def written(folder: Path, rows: list[dict[str, str | None]]) -> Path:
    (folder / "cfpb").mkdir()
    pq.write_table(pa.Table.from_pylist(rows), folder / "cfpb" / "complaints.parquet")
    return folder


def complaints_on(days: list[str]) -> Complaints:
    places = range(len(days))
    return Complaints(tuple(f"text {n}" for n in places), tuple(f"path {n}" for n in places), tuple(days))


def rows_of(complaints: Complaints) -> list[tuple[str, str, str]]:
    return list(zip(complaints.texts, complaints.paths, complaints.days, strict=True))


def test_the_path_names_every_level_that_the_bureau_filled(tmp_path):
    rows = [row("first", "Fees"), row("second", None, "2023-02-03"), row("third", "")]
    assert rows_of(read_complaints(written(tmp_path, rows))) == [
        ("first", "Mortgage / Closing / Fees", "2022-05-01"),
        ("second", "Mortgage / Closing", "2023-02-03"),
        ("third", "Mortgage / Closing", "2022-05-01"),
    ]


def test_a_missing_file_is_named_with_the_way_to_get_it(tmp_path):
    with pytest.raises(SourceError, match=r"complaints\.parquet is missing; export complaints"):
        read_complaints(tmp_path)


def test_halves_are_disjoint_and_lose_nobody():
    whole = complaints_on(["2022-01-01"] * 11)
    auxiliary, target = whole.halves(seed=1)
    assert (len(auxiliary.texts), len(target.texts)) == (5, 6)
    assert sorted(rows_of(auxiliary) + rows_of(target)) == sorted(rows_of(whole))


def test_halves_follow_the_seed():
    whole = complaints_on(["2022-01-01"] * 30)
    assert whole.halves(seed=1) == whole.halves(seed=1)
    assert set(whole.halves(seed=1)[0].texts) != set(whole.halves(seed=2)[0].texts)


def test_a_complaint_of_the_day_itself_is_new():
    whole = complaints_on(["2023-01-02", "2022-12-31", "2023-01-01", "2021-06-30"])
    older, newer = whole.before_and_after("2023-01-01")
    assert rows_of(older) == [("text 1", "path 1", "2022-12-31"), ("text 3", "path 3", "2021-06-30")]
    assert rows_of(newer) == [("text 0", "path 0", "2023-01-02"), ("text 2", "path 2", "2023-01-01")]


def test_atoms_are_ranked_by_support_and_then_by_name():
    paths = ("Loan / Late", "Card / Fee", "Bank / Lost", "Bank / Lost", "Card / Theft", "Bank / Closed")
    universe = taxonomy_atoms(Complaints(("text",) * 6, paths, ("2022-01-01",) * 6), size=3)
    assert [(atom.id, atom.label) for atom in universe.atoms] == [
        (0, "Bank / Lost"),
        (1, "Bank / Closed"),
        (2, "Card / Fee"),
    ]
    assert (universe.name, universe.provenance.source) == ("cfpb-3", "taxonomy")
