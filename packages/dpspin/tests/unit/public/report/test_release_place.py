"""A release folder is not written among results of the lab, whoever calls."""

import pytest

from dpspin.errors import InputError
from dpspin.public.report.folder import write_release
from factories import PAPER_PLAN, PAPER_UNIVERSE


@pytest.mark.parametrize("name", ["NOT-PRIVATE.txt", "private_plan.json"])
def test_a_folder_of_the_lab_takes_no_release(tmp_path, name):
    (tmp_path / name).touch()
    with pytest.raises(InputError, match="results of the lab"):
        write_release(tmp_path / "release", PAPER_PLAN, PAPER_UNIVERSE)
    assert [path.name for path in tmp_path.iterdir()] == [name]
