"""A public baseline in a file: CSV or JSON, atoms by id or label."""

import json

import pytest

from dpspin.errors import InputError, RequestError
from dpspin.public.atoms.baseline_files import read_baseline
from factories import PAPER_UNIVERSE

FILES = {
    "ids.csv": "atom_id,share\n17,3\n42,1\nnone,1\n",
    "labels.csv": "\ufefflabel,share\nLong Wait,3\nfriendly staff,1\nNone of these,1\n",
    "rows.json": json.dumps(
        [{"atom_id": 17, "share": 3}, {"label": "friendly staff", "share": 1}, {"label": "none", "share": 1}]
    ),
    "names.json": json.dumps({"long wait": 3, "42": 1, "none": 1}),
}


@pytest.mark.parametrize("name", FILES)
def test_every_form_gives_the_same_shares(tmp_path, name):
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    baseline = read_baseline(tmp_path / name, PAPER_UNIVERSE)
    assert baseline.values == [0.6, 0.2, 0.0, 0.0, 0.2]
    assert baseline.source == name


WRONG = {
    "unknown.csv": ("label,share\nparking,1\n", "names no atom"),
    "twice.csv": ("atom_id,share\n17,1\n17,2\n", "a second time"),
    "words.csv": ("atom_id,share\n17,many\n", "no number"),
    "columns.csv": ("theme,part\nlong wait,1\n", "names no atom"),
    "broken.json": ("{", "not JSON"),
    "number.json": ("3", "names no atom"),
    "list.json": ("[3]", "names no atom"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_no_baseline_is_explained(tmp_path, name):
    text, why = WRONG[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=why):
        read_baseline(tmp_path / name, PAPER_UNIVERSE)


def test_a_missing_file_and_empty_shares_are_explained(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_baseline(tmp_path / "nothing.csv", PAPER_UNIVERSE)
    (tmp_path / "empty.csv").write_text("atom_id,share\n")
    with pytest.raises(RequestError, match="above 0"):
        read_baseline(tmp_path / "empty.csv", PAPER_UNIVERSE)
