"""What every command says of itself, to the letter. A change shows here first: read it as a newcomer would.

To renew the files after a change of a command or an option::

    DPSPIN_RENEW=1 pytest packages/dpspin/tests/golden/test_help.py
"""

import os
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from dpspin.cli.main import app

HERE = Path(__file__).parent / "help"
PLAIN = {"COLUMNS": "110", "TERMINAL_WIDTH": "110", "NO_COLOR": "1", "TERM": "dumb"}


def commands(command, *names):
    """Yield every command and group of the product; those of other distributions are theirs to show."""
    yield names
    for name, child in getattr(command, "commands", {}).items():
        if name != "lab":
            yield from commands(child, *names, name)


EVERY = list(commands(get_command(app)))


def shown(names, monkeypatch):
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)
    told = CliRunner().invoke(app, [*names, "--help"], prog_name="dpspin")
    assert told.exit_code == 0
    lines = (line.rstrip() for line in told.output.splitlines() if "dpspin lab" not in line and "│ lab " not in line)
    return "\n".join(lines).strip() + "\n"


@pytest.mark.parametrize("names", EVERY, ids=lambda names: "-".join(names) or "dpspin")
def test_the_help_is_as_it_was_read(names, monkeypatch):
    file = HERE / f"{'-'.join(('dpspin', *names))}.txt"
    told = shown(names, monkeypatch)
    if os.environ.get("DPSPIN_RENEW"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8"), (
        "see the head of this file for how to renew it, and read what it says"
    )


def test_no_command_is_forgotten_and_none_stays_behind():
    assert {file.stem for file in HERE.iterdir()} == {"-".join(("dpspin", *names)) for names in EVERY}
