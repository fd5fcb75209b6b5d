import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from browsing import LEFT_OUT
from dpspin.cli.main import run
from postgres_server import WHEEL, NoServer, postgres_server
from record_servers import s3_server, use_server, use_store
from shared_work import OneWorkerForWhatIsShared
from spark_sessions import LEFT_OUT as WITHOUT_SPARK

settings.register_profile("dpspin", deadline=None)  # a busy machine is no finding: no test here is about time
settings.load_profile("dpspin")

collect_ignore_glob = ["*/tests/programs"]  # started by tests, not imported


def pytest_configure(config):
    """Let all tests share their fitted maps, which are named by what made them; the user's own are not touched."""
    os.environ["DPSPIN_CACHE"] = str(config.rootpath / ".pytest_cache" / "fitted-maps")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return OneWorkerForWhatIsShared(config, log)


def pytest_terminal_summary(terminalreporter):
    """Say once, at the end, that tests of the page or of Spark were left out: among the skipped ones it is not seen."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    for left_out in (LEFT_OUT, WITHOUT_SPARK):
        if any(left_out in reason for reason in skipped):
            terminalreporter.write_line(left_out, yellow=True)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path, monkeypatch):
    """No test can touch the ledger of the person who runs it."""
    monkeypatch.setenv("DPSPIN_LEDGER", str(tmp_path / "default-ledger.db"))


@pytest.fixture
def dpspin(monkeypatch, capsys):
    """Run a command as a user would; return its exit code and what it printed."""

    def call(*words: str | Path) -> Ran:
        monkeypatch.setattr(sys, "argv", ["dpspin", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            run()
        printed = capsys.readouterr()
        return Ran(int(stopped.value.code or 0), printed.out, printed.err)

    return call


@pytest.fixture(scope="session")
def postgres():
    """The URL of a throw-away server. Skipped only where its programs are not installed, and never in CI."""
    with ExitStack() as stack:
        try:
            yield stack.enter_context(postgres_server())
        except NoServer as missing:
            if os.environ.get("CI") or find_spec(WHEEL):
                raise
            pytest.skip(str(missing))


@pytest.fixture(scope="session")
def object_store():
    """The address of a throw-away S3-compatible server."""
    with s3_server() as url:
        yield url


@pytest.fixture
def every_place(postgres, object_store, monkeypatch):
    """Let the environment tell where the servers are that hold records."""
    use_server(postgres, monkeypatch)
    use_store(object_store, monkeypatch)


@pytest.fixture(scope="session")
def smollm2():
    """The address of a real, very small language model on this machine."""
    program = Path(__file__).parent / "dpspin" / "tests" / "programs" / "serve_smollm2.py"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, str(program)], **pipes) as server:
        yield server.stdout.readline().strip() + "/v1"
        server.stdin.close()
