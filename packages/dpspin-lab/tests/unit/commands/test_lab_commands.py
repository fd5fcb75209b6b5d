"""`dpspin lab certificates` and `dpspin lab mechanisms`: Markdown to paste, or one JSON object per line."""

import json

import pytest
from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin_lab.studies import mechanism_scores


def run(*arguments):
    result = CliRunner().invoke(app, ["lab", *arguments])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_certificates_as_a_table_and_as_json():
    head, rule, *rows = run("certificates", "--draws", "5")
    assert head.startswith("| mechanism | shape | eps | admission |")
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
    first = json.loads(run("certificates", "--draws", "5", "--json")[0])
    assert (first["mechanism"], first["draws"]) == ("laplace", 5)


def test_changes_as_two_tables_and_as_json():
    lines = run("changes", "--draws", "1")
    heads = [line for line in lines if line.startswith(("| shares of |", "| units |"))]
    assert len(heads) == 2
    assert json.loads(run("changes", "--draws", "1", "--json")[0])["shape"] == "zipf"


@pytest.mark.parametrize("option", [[], ["--emerging"]])
def test_mechanisms_as_a_table_and_as_json(monkeypatch, option):
    monkeypatch.setattr(mechanism_scores, "EPSILONS", (1.0,))
    small = ["mechanisms", "--sketches", "2", "--draws", "1", *option]
    head, rule, *rows = run(*small)
    assert ("recall" in head) == bool(option)
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
    assert json.loads(run(*small, "--json")[0])["overlap"]["mean"] <= 1


def test_utility_as_a_table_and_as_json():
    head, rule, *rows = run("utility", "--draws", "5")
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
    assert json.loads(run("utility", "--draws", "5", "--beta", "0.1", "--json")[0])["beta"] == 0.1
