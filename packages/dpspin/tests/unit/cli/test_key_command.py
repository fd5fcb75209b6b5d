"""``dpspin key``: a key is made once, closed by a passphrase, and shown to everybody by its public half."""

from typer.testing import CliRunner

from dpspin.boundary.signing import KeyFile
from dpspin.cli.key import IN_THE_CLEAR, PASSPHRASE
from dpspin.cli.main import app
from dpspin.errors import SigningError

SECRET = "correct horse battery"


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)], prog_name="dpspin")


def test_a_key_is_made_and_shown(tmp_path, monkeypatch):
    monkeypatch.setenv(PASSPHRASE, SECRET)
    file = tmp_path / "maria.key"
    made = run("key", "new", file, "--name", "Maria Lopez")
    shown = run("key", "show", file)
    public = KeyFile.read(file).public
    assert (made.exit_code, shown.exit_code) == (0, 0)
    assert made.stdout == shown.stdout == f"{public.text}\n"
    assert public.fingerprint in made.stderr
    assert public.fingerprint in shown.stderr
    assert IN_THE_CLEAR not in made.stderr
    assert KeyFile.read(file).opened(SECRET).public == public


def test_a_key_in_the_clear_says_so(tmp_path):
    made = run("key", "new", tmp_path / "machine.key", "--name", "Nightly run", "--without-passphrase")
    assert IN_THE_CLEAR in made.stderr
    assert not KeyFile.read(tmp_path / "machine.key").needs_passphrase


def test_without_a_person_the_passphrase_comes_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv(PASSPHRASE, raising=False)
    refused = run("key", "new", tmp_path / "maria.key", "--name", "Maria")
    assert isinstance(refused.exception, SigningError)
    assert PASSPHRASE in str(refused.exception)
    assert not list(tmp_path.iterdir())
