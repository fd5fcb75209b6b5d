"""Two wheels: what users install works alone in an empty environment, and the lab adds one command to it."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[4]
UV = Path(sys.executable).with_name("uv")

pytestmark = pytest.mark.long


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout + done.stderr


def built(package, folder):
    code, told = run(
        sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT / "packages" / package
    )
    assert code == 0, told
    return next(folder.glob("*.whl"))


def test_the_first_wheel_works_alone_and_the_second_adds_the_lab(tmp_path):
    product, lab = (built(name, tmp_path / name) for name in ("dpspin", "dpspin-lab"))
    inside = ZipFile(product).namelist()
    assert not [name for name in inside if "lab" in Path(name).parts[0] or "verifier/cases" in name]
    assert any(name.endswith("licenses/LICENSE") for name in inside)

    python = tmp_path / "empty" / "bin" / "python"
    assert run(UV, "venv", "-q", "--python", sys.executable, tmp_path / "empty")[0] == 0
    install = (UV, "pip", "install", "-q", "--python", python)
    code, told = run(*install, "--require-hashes", "-r", ROOT / "requirements" / "core.txt")
    assert code == 0, told
    assert run(*install, "--no-deps", product)[0] == 0

    def dpspin(*words):
        clean = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "DPSPIN_LEDGER": str(tmp_path / "ledger.db")}
        return run(python.with_name("dpspin"), *words, cwd=tmp_path, env=clean)

    code, told = dpspin("demo", "--tickets", "300", "--out", "out")
    assert code == 0, told
    assert (tmp_path / "out" / "release" / "report.html").exists()
    code, told = dpspin(
        "preview", "--atoms", "support-tickets", "--unit", "record", "--epsilon", "1", "--denominator", "9"
    )
    assert code == 0, told
    code, told = dpspin("lab", "verifier")
    assert code == 2
    assert "pip install dpspin-lab" in told

    assert run(*install, "--no-deps", lab)[0] == 0
    code, told = dpspin("lab", "--help")
    assert code == 0, told
    assert "verifier" in told
