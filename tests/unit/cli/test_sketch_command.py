"""``dpspin sketch`` as a user meets it."""

import pytest
import typer
from typer.testing import CliRunner

from dpspin.cli.sketch import sketch
from dpspin.curator.engines.shards import open_shards
from dpspin.curator.records.policy import Columns
from dpspin.errors import DpSpinError, RecordsRefused, RequestError

HERE, THERE = "user,text\nann,parcel is late\nbob,app crashes\n", "user,text\nann,parcel never came\n"


@pytest.fixture
def command(tmp_path):
    app = typer.Typer()
    app.command()(sketch)
    for name, content in {"here.csv": HERE, "there.csv": THERE}.items():
        (tmp_path / name).write_text(content)

    def call(data, *more):
        words = [str(tmp_path / data), "--atoms", "support-tickets", "--text", "text"]
        words += ["--out", str(tmp_path / f"{data}.sketch"), *map(str, more)]
        result = CliRunner().invoke(app, words)
        if isinstance(result.exception, DpSpinError):
            raise result.exception
        assert result.exit_code == 0, result.output
        return tmp_path / f"{data}.sketch"

    return call


def test_shards_of_users_share_a_key_and_merge(command, tmp_path):
    user = ("--unit", "user", "--user", "user", "--bound", "1", "--user-key", tmp_path / "key")
    shards = open_shards([command("here.csv", *user), command("there.csv", *user)])
    masses = shards.aggregate()[0].ticks.sum() / 2**30
    assert 1.9 < masses <= 2  # ann is in both, and counts once
    assert shards.columns == Columns("text", "user")


def test_shards_of_records_merge(command):
    shards = open_shards([command(name, "--unit", "record") for name in ("here.csv", "there.csv")])
    assert 2.9 < shards.aggregate()[0].ticks.sum() / 2**30 <= 3


@pytest.mark.parametrize(
    "options",
    [
        ("--unit", "user", "--user", "user"),
        ("--unit", "record", "--user-key", "key"),
        ("--unit", "record", "--aux-text", "text"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(command, options):
    with pytest.raises(RequestError):
        command("here.csv", *options)


def test_auxiliary_data_must_not_hold_the_shard(command, tmp_path):
    with pytest.raises(RecordsRefused, match="auxiliary"):
        command("here.csv", "--unit", "record", "--aux", tmp_path / "here.csv")
