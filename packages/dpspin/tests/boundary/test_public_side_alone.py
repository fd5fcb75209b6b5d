"""Everything after the plan works where there is no curator: neither its folder nor its code."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpspin.public.atoms.dictionary_files import dumps
from factories import PAPER_PLAN, PAPER_UNIVERSE
from signed_releases import MARIA
from signed_releases import released as signed_release

SOURCES = Path(__file__).parents[2] / "src" / "dpspin"


@pytest.fixture
def released(tmp_path, dpspin):
    (tmp_path / "records.csv").write_text("text\n" + "my parcel is late\nrefund please\n" * 200)
    ran = dpspin(
        *("release", tmp_path / "records.csv", "--text", "text", "--atoms", "support-tickets", "--unit", "record"),
        *("--map", "paper", "--epsilon", "1", "--denominator", "400", "--out", tmp_path / "out"),
    )
    assert ran.code == 0, ran.err
    shutil.rmtree(tmp_path / "out" / "curator")
    (tmp_path / "records.csv").unlink()
    return tmp_path / "out" / "release"


def test_narrate_verify_and_report_need_the_release_folder_only(released, tmp_path, dpspin):
    plan = released / "plan.json"
    assert dpspin("narrate", plan).out.strip() == (released / "summary.txt").read_text().strip()
    assert dpspin("narrate", plan, "--mode", "audit").out.strip() == (released / "audit.txt").read_text().strip()
    assert dpspin("verify", plan, released / "summary.txt").code == 0
    assert dpspin("verify", plan, released / "audit.txt", "--mode", "audit").code == 0
    assert dpspin("report", plan, "--out", tmp_path / "again.html").code == 0
    assert (tmp_path / "again.html").read_text() == (released / "report.html").read_text()


def test_the_public_commands_run_with_the_curators_code_deleted(tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(SOURCES, tree / "dpspin", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(tree / "dpspin" / "curator")
    (tmp_path / "plan.json").write_text(PAPER_PLAN.to_json())
    (tmp_path / "atoms.json").write_text(dumps(PAPER_UNIVERSE))
    program = "import sys; from dpspin.cli.main import run; run()"

    def call(*words):
        command = [sys.executable, "-c", program, *words]
        return subprocess.run(
            command, cwd=tmp_path, env={"PYTHONPATH": str(tree)}, capture_output=True, text=True, check=False
        )

    told = call("narrate", "plan.json")
    assert told.returncode == 0, told.stderr
    (tmp_path / "text.txt").write_text(told.stdout)
    assert call("verify", "plan.json", "text.txt").returncode == 0
    assert call("report", "plan.json", "--out", "r.html").returncode == 0
    assert call("report", "plan.json", "--csv", "t.csv", "--xlsx", "t.xlsx", "--chart", "c.svg").returncode == 0
    assert call("ask", "plan.json", "long wait").returncode == 0
    signed_release(tmp_path / "release")
    checked = call("verify", "release", "--key", MARIA.public.text)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    preview = call("preview", "--atoms", "support-tickets", "--unit", "record", "--epsilon", "1", "--denominator", "9")
    assert preview.returncode == 0, preview.stderr
    assert call("release", "x.csv").returncode != 0
