"""The commands that were run once on the tree of version 0.0, and the ledgers that they left."""

import json
import sqlite3
from pathlib import Path

from typer.testing import CliRunner

from dpspin.cli.main import app

HERE = Path(__file__).parent / "golden" / "before-the-house"
COMMANDS = json.loads((HERE / "commands.json").read_text())


def restored(name, tmp_path):
    place = tmp_path / "ledger.db"
    with sqlite3.connect(place) as database:
        database.executescript((HERE / f"{name}.sql").read_text())
    database.close()
    return place


def entries(ledger):
    database = sqlite3.connect(ledger)
    rows = database.execute("SELECT * FROM entry").fetchall()
    database.close()
    return rows


def run(*arguments):
    done = CliRunner().invoke(app, [str(word) for word in arguments])
    assert done.exit_code == 0, done.output
    return done
