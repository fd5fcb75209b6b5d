from pathlib import Path
from zipfile import ZipFile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.errors import SourceError
from dpspin_lab.datasets.cfpb import read_complaints, taxonomy_atoms
from dpspin_lab.datasets.corpus import Corpus

HEADER = (
    "Date received,Product,Sub-product,Issue,Sub-issue,Consumer complaint narrative,Company public response,Company,"
    "State,ZIP code,Tags,Consumer consent provided?,Submitted via,Date sent to company,Company response to consumer,"
    "Timely response?,Consumer disputed?,Complaint ID"
)  # of the Bureau's complaints.csv


def line(identity: int, narrative: str, day: str = "2022-05-01", sub_issue: str = "Fees") -> str:
    quoted = '"' + narrative.replace('"', '""') + '"' if narrative else ""
    return (
        f'{day},Mortgage,FHA mortgage,"Closing, or not",{sub_issue},{quoted},,"BANK, INC.",CA,900XX,Older American,'
        f"Consent provided,Web,{day},Closed with explanation,Yes,N/A,{identity}"
    )


def exported(folder: Path, *lines: str, name: str = "complaints.csv", encoding: str = "utf-8") -> Path:
    (folder / "cfpb").mkdir()
    (folder / "cfpb" / name).write_text("\n".join((HEADER, *lines)) + "\n", encoding=encoding, newline="")
    return folder


def corpus_of(paths: tuple[str, ...]) -> Corpus:
    ids = tuple(map(str, range(len(paths))))
    return Corpus("cfpb", ids, ids, None, ("2022-01-01",) * len(ids), ("",) * len(ids), paths)


def test_narratives_keep_their_commas_quotes_and_line_breaks(tmp_path):
    narrative = 'They said: "pay {$240.00}, now".\n\nOn XX/XX/XXXX I paid \u2014 in full.'
    assert read_complaints(exported(tmp_path, line(7, narrative))).texts == (narrative,)


def test_each_column_is_where_the_corpus_has_it(tmp_path):
    read = read_complaints(exported(tmp_path, line(7, "first"), line(9, "second", sub_issue="")))
    assert (read.name, read.ids, read.users) == ("cfpb", ("7", "9"), None)
    assert read.categories == ("Closing, or not", "Closing, or not")
    assert read.paths == ("Mortgage / Closing, or not / Fees", "Mortgage / Closing, or not")


def test_complaints_without_a_narrative_are_left_out(tmp_path):
    assert read_complaints(exported(tmp_path, line(7, ""), line(8, "   "), line(9, "told"))).ids == ("9",)


@pytest.mark.parametrize(
    ("written", "day"), [("2019-09-24", "2019-09-24"), ("09/24/2019", "2019-09-24"), ("9/4/19", "2019-09-04"), ("", "")]
)
def test_days_are_read_in_every_form_of_the_exports(tmp_path, written, day):
    assert read_complaints(exported(tmp_path, line(7, "text", day=written))).days == (day,)


def test_a_date_in_another_form_is_refused(tmp_path):
    with pytest.raises(SourceError, match=r"a date in .* is written in no form"):
        read_complaints(exported(tmp_path, line(7, "text", day="24 Sept 2019")))


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path):
    assert len(read_complaints(exported(tmp_path, line(7, "text"), encoding="utf-8-sig"))) == 1


def test_the_zipped_download_reads_like_the_file_in_it(tmp_path):
    file = exported(tmp_path, line(7, "two\nlines")) / "cfpb" / "complaints.csv"
    plain = read_complaints(tmp_path)
    with ZipFile(file.with_name("complaints.csv.zip"), "w") as archive:
        archive.write(file, "complaints.csv")
    file.unlink()
    assert read_complaints(tmp_path) == plain


def test_parquet_with_the_same_columns_reads_like_the_export(tmp_path):
    exported(tmp_path, line(7, "first"), line(9, "second"))
    from_csv = read_complaints(tmp_path)
    columns = {
        "Date received": ["2022-05-01"] * 2,
        "Product": ["Mortgage"] * 2,
        "Issue": ["Closing, or not"] * 2,
        "Sub-issue": ["Fees"] * 2,
        "Consumer complaint narrative": ["first", "second"],
        "Complaint ID": [7, 9],
    }
    pq.write_table(pa.table(columns), tmp_path / "cfpb" / "complaints.parquet")
    (tmp_path / "cfpb" / "complaints.csv").unlink()
    assert read_complaints(tmp_path) == from_csv


def test_a_missing_file_is_named_with_the_way_to_get_it(tmp_path):
    with pytest.raises(SourceError, match=r"complaints\.csv is missing .*consumerfinance\.gov"):
        read_complaints(tmp_path)


def test_a_missing_column_is_named(tmp_path):
    (tmp_path / "cfpb").mkdir()
    (tmp_path / "cfpb" / "complaints.csv").write_text("Product,Issue\nMortgage,Closing\n")
    with pytest.raises(SourceError, match="lacks 'Sub-issue', 'Consumer complaint narrative'"):
        read_complaints(tmp_path)


def test_a_file_without_narratives_is_refused(tmp_path):
    with pytest.raises(SourceError, match="no record of cfpb has text"):
        read_complaints(exported(tmp_path, line(7, "")))


def test_atoms_are_ranked_by_support_and_then_by_name():
    paths = ("Loan / Late", "Card / Fee", "Bank / Lost", "Bank / Lost", "Card / Theft", "Bank / Closed")
    universe = taxonomy_atoms(corpus_of(paths), size=3)
    assert [(atom.id, atom.label) for atom in universe.atoms] == [
        (0, "Bank / Lost"),
        (1, "Bank / Closed"),
        (2, "Card / Fee"),
    ]
    assert (universe.name, universe.provenance.source) == ("cfpb-3", "auxiliary")
