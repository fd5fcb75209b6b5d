"""A grid that is killed leaves whole runs and no process behind, and its next start makes the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from dpspin_lab.runs.parallel_runs import make_all, planned, pool_of
from tiny_runs import record_run, tiny_prepared

PROGRAM = Path(__file__).parents[2] / "programs" / "killed_grid.py"
RUNS = [record_run(seed=seed, epsilon=epsilon) for seed in range(12) for epsilon in (0.5, 1.0, 2.0, 4.0)]


@pytest.mark.slow
def test_a_killed_grid_goes_on(tmp_path):
    tiny_prepared().write(tmp_path / "kept.npz")
    (tmp_path / "configs").mkdir()
    for number, config in enumerate(RUNS):
        (tmp_path / "configs" / f"{number:03d}.yaml").write_text(config.to_yaml())
    command = [sys.executable, PROGRAM, tmp_path / "kept.npz", tmp_path / "configs", tmp_path / "out"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as grid:
        assert grid.stdout.readline() == b"0\n"  # nothing was there before
        grid.stdout.readline()
        grid.kill()
        grid.communicate(timeout=60)  # the pipe ends when the last worker does
    runs = planned(RUNS, lambda _: tmp_path / "kept.npz", tmp_path / "out")
    whole = {one.folder: (one.folder / "metrics.json").read_bytes() for one in runs if one.folder.exists()}
    with pool_of(1) as pool:
        made = make_all(runs, pool, lambda _: None)
    assert 0 < len(whole) < len(RUNS)
    assert made == len(RUNS) - len(whole)
    assert all((folder / "metrics.json").read_bytes() == content for folder, content in whole.items())
