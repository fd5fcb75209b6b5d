"""The example notebooks run from the first cell to the last, on generated data, without a network."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
PROGRAM = ROOT / "packages" / "dpspin" / "tests" / "programs" / "run_notebook.py"
KEPT = ("DPSPIN_CACHE", "HOME", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH")


def run(notebook, folder):
    """Run it in an empty folder, with the command beside the interpreter on the path, as in an environment in use."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settings = {name: os.environ[name] for name in KEPT if name in os.environ}
    own = {"PATH": path, "IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder), "MPLBACKEND": "agg"}
    command = [sys.executable, str(PROGRAM), str(notebook)]
    return subprocess.run(command, cwd=folder, env={**settings, **own}, capture_output=True, text=True, check=False)


def test_there_is_one_for_the_analyst_and_one_for_the_engineer():
    assert [file.stem for file in NOTEBOOKS] == ["analyst", "privacy_engineer"]


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs(notebook, tmp_path):
    done = run(notebook, tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_failing_cell_is_noticed(tmp_path):
    cell = '{"cell_type": "code", "metadata": {}, "source": "1 / 0", "outputs": [], "execution_count": null, "id": "a"}'
    (tmp_path / "bad.ipynb").write_text(f'{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}')
    assert "ZeroDivisionError" in run(tmp_path / "bad.ipynb", tmp_path).stderr
