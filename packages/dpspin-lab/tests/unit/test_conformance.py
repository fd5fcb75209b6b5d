"""The page of conformance names what is there: code that is imported, tests that exist, commands that parse."""

import ast
import re
import runpy
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
from typer.main import get_command

from dpspin.cli.main import app

ROOT = Path(__file__).parents[4]
PAPER = ROOT.parent / "shared" / "seed" / "000_29988b1edcb15208.txt"
GENERATOR = runpy.run_path(str(ROOT / "docs" / "generate_conformance_page.py"))
ROWS = [row for part in GENERATOR["parts"]() for row in part.rows]
NO_ITEM = re.compile(r"^(sec|subsec|app):")  # places, which rows may name and need not


@cache
def functions_in(path):
    tree = ast.parse((ROOT / "packages" / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_page_is_the_files():
    assert GENERATOR["PAGE"].read_text(encoding="utf-8") == GENERATOR["page"]()


@pytest.mark.parametrize("name", sorted({name for row in ROWS for name in row.code}))
def test_code_that_is_named_is_there(name):
    assert resolve_name(name) is not None


@pytest.mark.parametrize("test", sorted({test for row in ROWS for test in row.tests}))
def test_tests_that_are_named_are_there(test):
    path, _, function = test.partition("::")
    assert function in functions_in(path)


@pytest.mark.parametrize("words", sorted({row.run for row in ROWS if row.run}))
def test_commands_that_are_named_are_there(words):
    command, rest = get_command(app), words.split()[1:]
    while children := getattr(command, "commands", None):
        assert rest[0] in children
        command, *rest = children[rest[0]], *rest[1:]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word for word in rest if word.startswith("-")} <= known


@pytest.mark.parametrize("row", ROWS, ids=[row.item for row in ROWS])
def test_every_item_is_shown_by_something_and_what_is_not_exact_has_a_reason(row):
    assert row.tests or row.run
    assert (row.verdict == "exact") is not bool(row.why)


def test_a_label_stands_in_one_row():
    labels = [label for row in ROWS for label in row.labels]
    assert sorted(set(labels)) == sorted(labels)


@pytest.mark.skipif(not PAPER.exists(), reason="the paper's source is not there")
def test_no_item_of_the_paper_is_missing():
    labels = set(re.findall(r"\\label\{([^}]+)\}", PAPER.read_text(encoding="utf-8")))
    named = {label for row in ROWS for label in row.labels}
    assert {label for label in labels - named if not NO_ITEM.match(label)} == set()
    assert named <= labels
