"""The walls of the house: they hold, and each of them turns red when something is put through it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
PACKAGES = ROOT / "packages"
PLANTED = {
    "public imports curator": ("public/report/page.py", "from dpspin.curator.records.corpus import open_corpus"),
    "curator imports public": (
        "curator/release/answer_request.py",
        "from dpspin.public.report.page import render_report",
    ),
    "boundary imports curator": ("boundary/plan.py", "from dpspin.curator.records.find_files import locate"),
    "curator reaches the network": ("curator/aggregate/local.py", "import requests"),
    "another module asks a language model": ("curator/assign/llm/theme_question.py", "import openai"),
    "the language model's client opens a socket": ("llm/client.py", "import socket"),
    "a decoder opens a connection of its own": ("public/narrate/narrate.py", "import openai"),
    "the language model's client knows plans": ("llm/client.py", "from dpspin.boundary.plan import SemanticPlan"),
    "curator opens a socket": ("curator/aggregate/local.py", "import socket"),
    "a release imports seeded noise": (
        "curator/release/answer_request.py",
        "from dpspin.curator.release.seeded_noise import SimulatedNoise",
    ),
    "the command line imports seeded noise": (
        "cli/release.py",
        "from dpspin.curator.release.seeded_noise import SimulatedNoise",
    ),
    "noise is drawn elsewhere": ("cli/demo.py", "from dpspin.curator.release.secure_noise import SecureNoise"),
    "a release imports a broken path": ("cli/release.py", "from dpspin.audit.mutants import HalvedNoise"),
    "a release imports a broken reader": (
        "cli/release.py",
        "from dpspin.audit.broken_readers import encoding_guessed",
    ),
    "a reader guesses from the rows": (
        "curator/records/corpus.py",
        "from dpspin.curator.check.peek import suggested_dialect",
    ),
    "the product knows the lab": ("cli/demo.py", "from dpspin_lab.metrics.plan import overlap"),
    "what follows from masses knows the plan": (
        "boundary/postprocess.py",
        "from dpspin.boundary.plan import SemanticPlan",
    ),
    "a circle that only a function closes": (
        "public/atoms/dictionary_files.py",
        "def pack():\n    from dpspin.public.atoms import packs\n\n    return packs",
    ),
    "the check of a release knows the ledger": (
        "public/release_check/check.py",
        "from dpspin.curator.ledger.ledger import Ledger",
    ),
    "a signature is made elsewhere": ("public/release_check/sign.py", "import cryptography"),
    "records know the ledger": ("curator/records/corpus.py", "from dpspin.curator.ledger.ledger import Ledger"),
}
IN_THE_LAB = {
    "metrics know the runs": ("metrics/plan.py", "from dpspin_lab.runs.summary import Row"),
    "a run knows its grid": ("runs/config.py", "from dpspin_lab.runs.grids import QUICK"),
}


def lint_imports(tree):
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", ROOT / "pyproject.toml"]
    path = {"PYTHONPATH": str(tree), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=tree, env=path, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path):
    for package, name in (("dpspin", "dpspin"), ("dpspin-lab", "dpspin_lab")):
        sources = PACKAGES / package / "src" / name
        shutil.copytree(sources, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_contracts_hold(copy):
    result = lint_imports(copy)
    assert result.returncode == 0, result.stdout
    assert "0 broken" in result.stdout


@pytest.mark.parametrize("violation", PLANTED)
def test_a_planted_import_turns_the_contracts_red(copy, violation):
    file, line = PLANTED[violation]
    target = copy / "dpspin" / file
    target.write_text(f"{target.read_text()}\n{line}\n")
    assert lint_imports(copy).returncode == 1


@pytest.mark.parametrize("violation", IN_THE_LAB)
def test_an_import_against_the_order_of_the_lab_turns_them_red(copy, violation):
    file, line = IN_THE_LAB[violation]
    target = copy / "dpspin_lab" / file
    target.write_text(f"{target.read_text()}\n{line}\n")
    assert lint_imports(copy).returncode == 1


def test_a_new_package_must_be_placed(copy):
    (copy / "dpspin" / "somewhere.py").write_text("from dpspin.curator.release.answer_request import answer\n")
    assert lint_imports(copy).returncode == 1


@pytest.mark.parametrize(
    "line",
    [
        "import importlib\n\nimportlib.import_module('dpspin.curator.release.answer_request')\n",
        "import numpy as np\n\nnp.random.default_rng(1)\n",
        "import random\n\nrandom.random()\n",
    ],
)
def test_what_the_contracts_cannot_see_is_banned_by_the_linter(line):
    command = [
        Path(sys.executable).with_name("ruff"),
        "check",
        "--stdin-filename",
        "packages/dpspin/src/dpspin/curator/x.py",
        "-",
    ]
    result = subprocess.run(command, cwd=ROOT, input=line, capture_output=True, text=True, check=False)
    assert "TID251" in result.stdout


@pytest.mark.slow
def test_a_sketch_handed_to_the_narrator_is_a_type_error(tmp_path):
    program = tmp_path / "leak.py"
    program.write_text(
        "from dpspin.curator.aggregate.sketch import Sketch\n"
        "from dpspin.public.narrate.narrate import narrate\n"
        "def leak(sketch: Sketch) -> str:\n    return narrate(sketch).text\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", ROOT / "pyproject.toml", program]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert 'incompatible type "Sketch"; expected "SemanticPlan"' in result.stdout
