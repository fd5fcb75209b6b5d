"""Two wheels: what users install works alone in an empty environment, and the lab adds one command to it.

``make release`` builds and tries them by the same functions.
"""

import re
import runpy
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import dpspin

ROOT = Path(__file__).parents[4]
PROJECTS = {name: ROOT / "packages" / name for name in ("dpspin", "dpspin-lab")}


@pytest.fixture(scope="module")
def tool():
    return runpy.run_path(str(ROOT / "tools" / "release.py"))


def project(name):
    return tomllib.loads((PROJECTS[name] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.long
def test_the_first_wheel_works_alone_and_the_second_adds_the_lab(tool, tmp_path):
    wheels = [tool["build"](name, tmp_path / name)[0] for name in PROJECTS]
    for wheel in wheels:
        tool["check"](wheel)
    tool["try_out"](*wheels, tmp_path, tickets=300)


@pytest.mark.parametrize(
    "planted",
    [
        "dpspin_lab/__init__.py",
        "dpspin/datasets/cfpb.py",
        "dpspin/verifier/cases/development/one.yaml",
        "tests/test_a.py",
    ],
)
def test_a_wheel_with_parts_of_the_laboratory_or_tests_in_it_is_not_ready(planted, tool, tmp_path):
    wheel, metadata = tmp_path / "dpspin-0.1.0-py3-none-any.whl", "dpspin-0.1.0.dist-info/METADATA"
    said = "Metadata-Version: 2.4\nName: dpspin\nVersion: 0.1.0\nSummary: s\nClassifier: Typing :: Typed\n\nlong\n"
    inside = {metadata: said, "dpspin/py.typed": "", "dpspin-0.1.0.dist-info/licenses/LICENSE": "l"}
    with ZipFile(wheel, "w") as made:
        for name, text in inside.items():
            made.writestr(name, text)
    tool["check"](wheel)
    with ZipFile(wheel, "a") as made:
        made.writestr(planted, "")
    with pytest.raises(tool["NotReady"]):
        tool["check"](wheel)


def test_both_distributions_have_one_version_and_the_lab_asks_for_it():
    assert re.fullmatch(r"\d+\.\d+\.\d+", dpspin.__version__)
    assert f"dpspin[plot]=={dpspin.__version__}" in project("dpspin-lab")["dependencies"]


@pytest.mark.parametrize("name", PROJECTS)
def test_a_distribution_says_what_it_is_and_names_no_address_and_no_person(name):
    told = project(name)
    assert told["authors"] == [{"name": "The DP-SPIN maintainers"}]
    assert told["keywords"]
    assert "Typing :: Typed" in told["classifiers"]
    assert "urls" not in told
    assert (PROJECTS[name] / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()  # no link: archives keep links
