"""Whoever reads a plan waits for no numerical or model library, unless numbers in this plan need one to be checked."""

import subprocess
import sys

import pytest

from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.public.atoms.dictionary_files import dumps
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.modes import Mode
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE

HEAVY = ("numpy", "scipy", "pyarrow", "pandas", "sklearn", "openai")
COMMANDS = {
    "verify": ("verify", "plan.json", "text.txt"),
    "narrate": ("narrate", "plan.json"),
    "report": ("report", "plan.json", "--out", "report.html"),
    "table and workbook": ("report", "plan.json", "--csv", "t.csv", "--xlsx", "t.xlsx"),
    "ask": ("ask", "plan.json", "long wait"),
}
IMPORT_ALL = """import pkgutil, dpspin.public.report, dpspin.public.narrate, dpspin.public.wording
for package in (dpspin.public.wording, dpspin.public.narrate, dpspin.public.report):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):
        __import__(module.name)
        print(module.name)
"""


def run_fresh(program, folder):
    """Run a program in an interpreter of its own; return what it printed and the heavy libraries that it loaded."""
    tell = f"import atexit, sys; atexit.register(lambda: print([n for n in {HEAVY} if n in sys.modules]))\n"
    ran = subprocess.run([sys.executable, "-c", tell + program], cwd=folder, capture_output=True, text=True, check=True)
    *printed, loaded = ran.stdout.splitlines()
    return printed, loaded


def command(*words):
    return f"sys.argv = {['dpspin', *words]}; from dpspin.cli.main import run; run()"


def release_into(folder, plan):
    (folder / "plan.json").write_text(plan.to_json())
    (folder / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    (folder / "text.txt").write_text(TemplateDecoder(Mode.DISPLAY)(Facts(plan, PAPER_UNIVERSE)))


@pytest.mark.parametrize("plan", [PAPER_PLAN, COVERED_PLAN], ids=["themes", "themes and none of these"])
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_reading_an_ordinary_plan_loads_no_heavy_library(plan, words, tmp_path):
    release_into(tmp_path, plan)
    _, loaded = run_fresh(command(*words), tmp_path)
    assert loaded == "[]"


def test_a_total_of_laplace_masses_needs_no_numerical_library(tmp_path):
    by_total = reading_of(PAPER_PLAN).model_copy(update={"denominator": TotalMass()})
    release_into(tmp_path, reread(PAPER_PLAN, PAPER_UNIVERSE, by_total))
    printed, loaded = run_fresh(command(*COMMANDS["verify"]), tmp_path)
    assert printed[0].startswith("accepted")
    assert loaded == "[]"


def test_no_module_of_narration_and_report_imports_a_heavy_library(tmp_path):
    modules, loaded = run_fresh(IMPORT_ALL, tmp_path)
    assert {"dpspin.public.report.page", "dpspin.public.narrate.decoders.llm"} <= set(modules)
    assert loaded == "[]"
