"""What the repository promises: notebooks without outputs, fragments that reach the changelog, hooks that are local."""

import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import dpspin

ROOT = Path(__file__).parents[4]
PRODUCT = ROOT / "packages" / "dpspin"
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]


@pytest.fixture(scope="module")
def tool():
    return runpy.run_path(str(ROOT / "tools" / "check_commit.py"))


def test_the_tree_keeps_its_habits(tool):
    assert [*tool["outputs_in_notebooks"](), *tool["strange_fragments"]()] == []


def test_outputs_and_misnamed_fragments_are_found(tool, tmp_path):
    for folder in ("examples", "changes"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "examples" / "a.ipynb").write_text('{"cells": [{"outputs": [{"text": "a name"}]}]}')
    (tmp_path / "changes" / "+noise.privcy.md").write_text("More noise.")
    (tmp_path / "changes" / "+noise.privacy.md").write_text("More noise.")
    assert [said.split()[0] for said in tool["outputs_in_notebooks"](tmp_path)] == ["a.ipynb"]
    assert [said.split()[0] for said in tool["strange_fragments"](tmp_path)] == ["changes/+noise.privcy.md"]


def test_changed_golden_files_are_found_and_new_ones_may_come(tool):
    house = "packages/dpspin/tests/golden/before-the-house"
    renewed = "packages/dpspin/tests/golden/help/dpspin.txt\nM\tpackages/dpspin/tests/golden/test_before_the_house.py"
    status = f"A\t{house}/new.map\nM\t{renewed}\nD\t{house}/cues.map\n"
    assert [said.partition(":")[0] for said in tool["changed_golden_files"](status)] == [f"{house}/cues.map"]


def test_hooks_fetch_nothing_and_call_tools_that_are_pinned():
    assert [repo["repo"] for repo in HOOKS] == ["local"]
    for hook in HOOKS[0]["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")


def test_fragments_become_a_part_of_the_changelog_with_privacy_first(tmp_path):
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "+reader.added.md").write_text("A new reader.")
    (tmp_path / "changes" / "+noise.privacy.md").write_text("Wider noise.")
    command = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", "9.9.9", "--date", "2030-01-01"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    before, after = ((place / "CHANGELOG.md").read_text(encoding="utf-8") for place in (ROOT, tmp_path))
    head, _, rest = after.partition(
        "## 9.9.9 (2030-01-01)\n\n### Privacy\n\n- Wider noise.\n\n### Added\n\n- A new reader.\n"
    )
    assert (head + rest.lstrip("\n")).replace("\n\n", "\n") == before.replace("\n\n", "\n")
    assert not list((tmp_path / "changes").glob("*.*.md"))


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def place(path):
    """Return the file or folder that a path of CONTRIBUTING.md means, or None."""
    places = (root / path for root in (ROOT, PRODUCT, PRODUCT / "src" / "dpspin"))
    return next((found for found in places if found.exists()), None)


def test_paths_that_a_contributor_is_sent_to_exist():
    named = re.findall(r"`(\.?[\w./-]+)`", CONTRIBUTING)
    made = {"dist/", "dist/SHA256SUMS", "NNNN-what-was-decided.md"}
    paths = {path for path in named if "/" in path or path.endswith((".py", ".md"))} - made
    assert len(paths) > 40
    assert [path for path in paths if place(path) is None] == []


@pytest.mark.parametrize(("name", "where"), sorted(set(re.findall(r"`(\w+)` in `([\w/.]+)`", CONTRIBUTING))))
def test_names_that_a_contributor_is_sent_to_are_defined_in_the_file_that_is_named(name, where):
    found = place(where)
    assert found is not None
    assert found.is_file(), f"name the file: {where} is a folder"
    defined = re.compile(rf"^(?:class |def )?{name}\b[ :=(]", re.MULTILINE)
    assert defined.search(found.read_text(encoding="utf-8"))


def test_the_citation_is_of_this_version():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == dpspin.__version__


def test_the_picture_of_the_readme_is_a_small_png():
    picture = (ROOT / "docs" / "report.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 200_000
