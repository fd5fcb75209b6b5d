"""Only the command line knows its options: everything else names fields of the request, which every way in shares."""

import ast
import re
from pathlib import Path

import pytest
from typer.main import get_command

import dpspin
from dpspin.cli.main import app

HOUSE = Path(dpspin.__file__).parent
WRITES_COMMANDS = HOUSE / "errors.py"  # `command_line`: a whole command to type, where a person must decide something
LONG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def every_option(command=None):
    command = command or get_command(app)
    own = {name for parameter in command.params for name in parameter.opts}
    return own.union(*(every_option(child) for child in getattr(command, "commands", {}).values()))


OURS = every_option()


def named_in(source):
    """Return every option of ours in a string of this code: a message, a docstring, or one that is put together."""
    nodes = list(ast.walk(ast.parse(source)))
    parts = [part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values]
    begun = [part.value for part in parts if isinstance(part, ast.Constant) and str(part.value).endswith("--")]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return begun + [flag for text in texts for flag in LONG.findall(text) if flag in OURS]


MODULES = [
    file for file in sorted(HOUSE.rglob("*.py")) if not file.is_relative_to(HOUSE / "cli") and file != WRITES_COMMANDS
]


def test_no_option_is_named_outside_the_command_line():
    found = {str(file.relative_to(HOUSE)): flags for file in MODULES if (flags := named_in(file.read_text()))}
    assert not found, "name the field of the request, as in `records.user`: cli/flags.py turns it into the option"


@pytest.mark.parametrize(
    "planted",
    ['raise RequestError("use --adjacency add_drop")', 'f"leave --{name} out"', '"""Asks for --snapshot."""'],
)
def test_one_that_comes_back_is_found(planted):
    assert named_in(planted)


def test_the_options_of_other_programs_may_be_named():
    assert not named_in('"pip install --no-deps a-model"')
