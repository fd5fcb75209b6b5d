"""The commands that were run once on the tree of version 0.0, and the ledgers that they left."""

import json
import sqlite3
from pathlib import Path

from typer.testing import CliRunner

from dpspin.cli.main import app
from dpspin.curator.assign import recipes
from dpspin.curator.assign.saved_maps import load_map

HERE = Path(__file__).parent / "golden" / "before-the-house"
ROUNDED_BY_PROCESSOR = {"hybrid", "cues"}
COMMANDS = json.loads((HERE / "commands.json").read_text())


def use_maps_of_then(monkeypatch):
    """Take the maps as they were fitted then: another kind of processor rounds otherwise, and fits other last bits."""
    fit = recipes._fit_on_dictionary

    def fitted_then(recipe, universe):
        place = HERE if recipe.languages is None else HERE.parent / "before-languages"  # there a map read any text
        kept = place / f"{recipe.kind}.map"
        return load_map(kept, universe) if recipe.kind in ROUNDED_BY_PROCESSOR else fit(recipe, universe)

    monkeypatch.setattr(recipes, "_fit_on_dictionary", fitted_then)


def restored(name, tmp_path):
    place = tmp_path / "ledger.db"
    with sqlite3.connect(place) as database:
        database.executescript((HERE / f"{name}.sql").read_text())
    database.close()
    return place


def assert_same_plan(written, kept):
    """Compare to the byte, but for two fields; return the ledger's hashes that the two plans name.

    The last digit of the best guesses beside the masses is the processor's; and a plan names its own link now, then the
    one of its charge.
    """
    now, then = (json.loads(path.read_text()) for path in (written, kept))
    heads = now["account"].pop("head"), then["account"].pop("head")
    for guess in (*now["denoised"], *then["denoised"]):
        guess.update({name: f"{number:.12g}" for name, number in guess.items() if isinstance(number, float)})
    assert json.dumps(now) == json.dumps(then)
    return heads


def entries(ledger):
    database = sqlite3.connect(ledger)
    rows = database.execute("SELECT * FROM entry").fetchall()
    database.close()
    return rows


def run(*arguments):
    done = CliRunner().invoke(app, [str(word) for word in arguments])
    assert done.exit_code == 0, done.output
    return done
