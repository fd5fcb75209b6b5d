"""Every command of the lab that writes refuses a place in or beside a release, before it reads anything."""

import pytest
import typer
from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin.errors import InputError
from dpspin.public.report.folder import write_release
from factories import PAPER_PLAN, PAPER_UNIVERSE

MODEL = ("--llm-url", "http://127.0.0.1:9/v1", "--llm-model", "none")
COMMANDS = {
    "stats": ("cfpb", "--data", "nowhere"),
    "reference": ("none.csv", "--atoms", "none", "--text", "text", "--denominator", "5", *MODEL),
    "references": ("none.csv", "--text", "text"),
    "clio": ("none.csv", "--text", "text"),
    "run": ("none.yaml", "--data", "nowhere"),
    "grid": ("--data", "nowhere"),
    "probe": ("--data", "nowhere"),
    "paper": ("--data", "nowhere"),
    "summarise": (),
    "figures": ("all",),
    "results": ("nowhere",),
}
PLACES = ("", "release", "release/deeper/still", "results", "results/deeper/still", "curator")


@pytest.fixture
def release(tmp_path):
    """What ``dpspin release`` leaves: a release, and the curator's folder beside it."""
    write_release(tmp_path / "kept" / "release", PAPER_PLAN, PAPER_UNIVERSE)
    (tmp_path / "kept" / "curator").mkdir()
    return tmp_path / "kept"


def test_every_command_with_an_output_folder_is_tested():
    lab = typer.main.get_command(app).commands["lab"]
    writing = {name for name, command in lab.commands.items() if any(each.name == "out" for each in command.params)}
    assert writing == set(COMMANDS)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_refused_in_and_beside_a_release(release, command, place):
    before = sorted(release.rglob("*"))
    ran = CliRunner().invoke(app, ["lab", command, *COMMANDS[command], "--out", str(release / place)])
    assert isinstance(ran.exception, InputError)
    assert "in or beside a release" in str(ran.exception)
    assert sorted(release.rglob("*")) == before
