"""Labels that were renamed: which rule holds, what a file must look like, and that texts teach the new names."""

import pytest

from dpspin.boundary.crosswalk import Crosswalk, read_crosswalk
from dpspin.building import build_taxonomy
from dpspin.curator.assign.recipes import _labelled
from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary
from dpspin.errors import InputError, RequestError

RENAMED = "old,new\nLoan,Credit\nCredit / Fee,Credit / Charges\n"
RECORDS = "text,Product,Issue\n" + "".join(f"words of {n},{'Loan' if n % 2 else 'Credit'},Fee\n" for n in range(30))


@pytest.fixture
def crosswalk(tmp_path):
    file = tmp_path / "renamed.csv"
    file.write_text(RENAMED, "utf-8")
    return file


@pytest.fixture
def records(tmp_path):
    file = tmp_path / "old.csv"
    file.write_text(RECORDS, "utf-8")
    return file


def test_the_longest_path_wins_and_a_second_renaming_is_followed(crosswalk):
    renamed = read_crosswalk(crosswalk)
    assert [renamed(label) for label in ("Loan", "Loan / Fee / Late", "Loans / Fee", "Credit / Delay")] == [
        "Credit",
        "Credit / Charges / Late",
        "Loans / Fee",
        "Credit / Delay",
    ]


def test_a_cell_may_hold_several_labels():
    renamed = Crosswalk({"Fee": "Charges", "a; b": "one label"})
    assert [renamed.cell(cell) for cell in (None, "Fee | Delay", "a;b", "a;  b")] == [
        None,
        "Charges;Delay",
        "a;b",
        "one label",
    ]
    assert Crosswalk({}).cell("as | it ; was") == "as | it ; was"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\nx,y\n", "columns old,new"),
        ("", "columns old,new"),
        ("old,new\nx\n", "line 2"),
        ("old,new\n\nx,\n", "line 3"),
        ("old,new\nx,y\nx,z\n", "two new labels"),
        ("old,new\nx,y\ny,x\n", "back to where it came from"),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, says):
    file = tmp_path / "broken.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=says):
        read_crosswalk(file)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path):
    (tmp_path / "bytes.csv").write_bytes(b"old,new\n\xff\xfe")
    for name in ("nowhere.csv", "bytes.csv"):
        with pytest.raises(InputError, match="cannot be read"):
            read_crosswalk(tmp_path / name)


def test_records_count_for_the_new_name(records, crosswalk):
    built = {"text": "text", "size": 5, "name": "tiny", "levels": ("Product", "Issue")}
    as_written = build_taxonomy(records, **built).universe
    followed = build_taxonomy(records, crosswalk=crosswalk, **built).universe
    assert [atom.label for atom in as_written.atoms] == ["Credit / Fee", "Loan / Fee"]
    assert [atom.label for atom in followed.atoms] == ["Credit / Charges"]


def test_texts_with_old_labels_teach_the_new_ones(tmp_path, records, crosswalk):
    universe = build_taxonomy(
        records, text="text", size=5, name="tiny", levels=("Product", "Issue"), crosswalk=crosswalk
    ).universe
    labelled = tmp_path / "labelled.csv"
    labelled.write_text("text,label\n" + "".join(f"words {n},Loan / Fee\n" for n in range(25)), "utf-8")
    taught = open_auxiliary(Auxiliary(labelled, "text", label="label", crosswalk=crosswalk), with_users=False)
    assert set(_labelled(universe, taught).atoms) == {frozenset({0})}


def test_a_crosswalk_needs_labels(records, crosswalk):
    with pytest.raises(RequestError, match=r"records\.auxiliary\.label"):
        open_auxiliary(Auxiliary(records, "text", crosswalk=crosswalk), with_users=False)
