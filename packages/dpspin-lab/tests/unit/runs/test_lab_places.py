"""Nothing of the lab is written into a release folder, at any depth, or beside one."""

import pytest

from dpspin.errors import InputError
from dpspin.public.report.folder import write_release
from dpspin_lab.figures.curves import Drawn, sheet, write_figure
from dpspin_lab.not_private import evaluation_folder, write_not_private
from dpspin_lab.runs.parallel_runs import clean_runs, make_all, planned, pool_of
from dpspin_lab.runs.prepared import start_of
from dpspin_lab.runs.run import run, write_run
from dpspin_lab.runs.summary import KEY, write_table
from tiny_runs import UNIVERSE, record_run, tiny_prepared

NO_WORDS = {"decoder_backend": "none", "clean_reference_decoder_backend": "none"}


def outcome():
    config = record_run(**NO_WORDS)
    return run(config, start_of(config, tiny_prepared()))


@pytest.fixture
def release(tmp_path):
    """A folder as ``dpspin release`` leaves it."""
    write_release(tmp_path / "kept" / "release", outcome().released.plan, UNIVERSE)
    (tmp_path / "kept" / "curator").mkdir()
    return tmp_path / "kept" / "release"


def grid_into(folder):
    runs = planned([record_run(**NO_WORDS)], lambda _: folder / "none.npz", folder)
    with pool_of(1) as pool:
        make_all(runs, pool, lambda _: None)


WRITERS = {
    "a run": lambda folder: write_run(folder / "run", outcome()),
    "a grid": grid_into,
    "a summary": lambda folder: write_table(folder / "deep" / "summaries", "record", [], columns=KEY),
    "a figure": lambda folder: write_figure(Drawn("f", "c", sheet(1, 1)[0]), folder / "figures"),
    "any result": evaluation_folder,
    "prepared records": lambda folder: tiny_prepared().write(folder / "prepared" / "kept.npz"),
    "a reference or statistics": lambda folder: write_not_private(folder / "deep" / "er", "statistics", {}),
    "a clean start": lambda folder: clean_runs(folder, "tiny", "record"),
}


@pytest.mark.parametrize("what", WRITERS)
def test_nothing_is_written_into_a_release(release, what):
    before = sorted(release.rglob("*"))
    with pytest.raises(InputError, match="do not belong in or beside a release"):
        WRITERS[what](release)
    assert sorted(release.rglob("*")) == before


def test_nothing_is_written_beside_a_release(release):
    for place in (release.parent, release.parent / "results", release.parent / "results" / "deep" / "er"):
        with pytest.raises(InputError, match="do not belong in or beside a release"):
            evaluation_folder(place)


def test_elsewhere_results_are_marked(tmp_path):
    folder = evaluation_folder(tmp_path / "results")
    assert (folder / "NOT-PRIVATE.txt").read_text().startswith("SIMULATED-NOT-PRIVATE")
