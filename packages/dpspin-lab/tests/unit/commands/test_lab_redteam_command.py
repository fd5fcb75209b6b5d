"""``dpspin lab redteam``: settings first, then one row for each pipeline and loss."""

import json

import pytest
from typer.testing import CliRunner

from dpspin.errors import RequestError
from dpspin_lab.commands.lab import app

WORST = "ours, the secrets as themes"


def lines_of(*options):
    asked = ["redteam", "--trials", "3", "--records", "60", "--only", "guessing", "--only", WORST, *options]
    result = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout.splitlines()


def test_every_setting_is_published_with_the_rows():
    settings, *rows = [json.loads(line) for line in lines_of("--epsilon", "2", "--json")]
    told = settings["settings"]
    assert (told["trials"], told["records"], told["poisoned"], told["epsilons"]) == (3, 60, 50, [2.0])
    assert told["randomness"] == "SIMULATED-NOT-PRIVATE"
    assert told["prior"] == 1 / len(told["secrets"])
    assert told["clio_thresholds"]["records"] == 25
    assert told["poison_against_each_pipeline"] == ["counting", "instructing"]
    assert [(row["pipeline"], row["poison"], row["epsilon"], row["trials"]) for row in rows] == [
        ("guessing", None, None, 3),
        (WORST, "counting", 2.0, 3),
        (WORST, "instructing", 2.0, 3),
    ]
    assert rows[1]["e_eps_times_prior"] == pytest.approx(0.739, abs=1e-3)


def test_a_person_sees_the_same_as_a_table():
    lines = lines_of()
    assert "prior: 0.1" in lines
    assert [line.split("  ")[0] for line in lines[-5:]] == ["guessing", *[WORST] * 4]  # each poison, epsilon 1 and 4
    assert ["counting" in line for line in lines[-4:]] == [True, True, False, False]
    assert "0.272" in lines[-2]


def test_a_seed_repeats_an_attack():
    assert lines_of("--seed", "4") == lines_of("--seed", "4")


@pytest.mark.parametrize("options", [("--only", "theirs"), ("--poisoned", "60")])
def test_what_cannot_be_is_refused_before_anything_is_said(options):
    asked = ["redteam", "--trials", "1", "--records", "60", *options]
    result = CliRunner().invoke(app, asked)
    assert isinstance(result.exception, RequestError)
    assert result.stdout == ""


def test_what_is_no_loss_is_refused():
    with pytest.raises(RequestError, match="epsilon must be a finite number"):
        lines_of("--epsilon", "-1")
