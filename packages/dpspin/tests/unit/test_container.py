"""No engine builds the image here, so at least: every file and command that the Dockerfile names exists."""

import fnmatch
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
STEPS = [(line.split()[0], line.split(maxsplit=1)[1]) for line in LINES if line and not line.startswith("#")]
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
KEPT = [line.removeprefix("!") for line in IGNORED if line.startswith("!")]
PAGE = (ROOT / "docs" / "how-to" / "run-in-a-container.md").read_text(encoding="utf-8")


def arguments(kind):
    return [told for step, told in STEPS if step == kind]


def copied():
    return [path for told in arguments("COPY") if "--from" not in told for path in shlex.split(told)[:-1]]


def test_only_what_is_copied_goes_to_the_builder():
    assert IGNORED[1] == "*"
    assert all((ROOT / path).exists() for path in KEPT)
    for path in copied():
        assert [kept for kept in KEPT if kept == path or fnmatch.fnmatch(kept, f"{path}/*")]


def test_what_a_build_of_the_package_needs_goes_to_the_builder():
    project = tomllib.loads((ROOT / "packages/dpspin/pyproject.toml").read_text(encoding="utf-8"))
    needed = ["pyproject.toml", project["project"]["readme"], *project["project"]["license-files"], "src"]
    assert {f"packages/dpspin/{name}" for name in needed} <= set(KEPT)
    assert "hatchling==" in (ROOT / "requirements" / "core.txt").read_text(encoding="utf-8")  # no isolated build


def test_the_command_is_the_package_s_and_its_user_has_no_rights():
    project = tomllib.loads((ROOT / "packages/dpspin/pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert json.loads(*arguments("ENTRYPOINT"))[0] in project["scripts"]
    assert arguments("USER") == ["10001"]
    assert STEPS.index(("USER", "10001")) > max(index for index, (step, _) in enumerate(STEPS) if step == "RUN")


def test_the_ledger_lies_in_the_volume():
    settings = dict(word.split("=", 1) for told in arguments("ENV") for word in shlex.split(told))
    assert Path(settings["DPSPIN_LEDGER"]).parent == Path(*arguments("VOLUME"))


@pytest.mark.parametrize("folder", sorted(set(re.findall(r"target=(/\w+)", PAGE))))
def test_folders_that_the_page_mounts_are_made_by_the_image(folder):
    assert any(re.search(rf"mkdir -p .*{folder}\b", told) for told in arguments("RUN"))
