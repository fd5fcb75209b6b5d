"""The started app, attacked over its port: slow and oversized requests, paths, strangers; what its process holds."""

import socket
import subprocess
import sys
import time

import pytest

from dpspin.web.guard import LARGEST_BODY
from dpspin.web.server import HEAD_SECONDS
from reading_desk import write_records
from running_app import Visitor, running_app

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    room = tmp_path_factory.mktemp("room")
    (room / "folder").mkdir()
    write_records(room / "folder")
    (room / "secret.csv").write_text("text\nsecret\n")
    with running_app(room / "folder", room / "log") as started:
        yield started


@pytest.fixture(scope="module")
def visitor(app):
    return Visitor(app)


def test_a_request_that_dawdles_is_hung_up_on_and_nobody_waits_for_it(app, visitor):
    slow = [socket.create_connection(("127.0.0.1", app.port)) for _ in range(20)]
    for each in slow:
        each.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
    begun = time.monotonic()
    assert visitor.get("/") == 200
    assert time.monotonic() - begun < HEAD_SECONDS
    for each in slow:
        each.settimeout(HEAD_SECONDS + 30)
        assert each.recv(100) == b""
        each.close()


def test_a_head_and_a_body_that_are_too_large_are_refused(app, visitor):
    with socket.create_connection(("127.0.0.1", app.port)) as large:
        large.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 200_000)
        large.settimeout(30)
        assert b" 400 " in large.recv(100)
    assert visitor.ask("POST", "/reports", "a" * (LARGEST_BODY + 1)).status == 413


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "records.csv/../../secret.csv", "atoms.txt", "\x00"])
def test_no_file_outside_of_the_folder_can_be_chosen(visitor, name):
    visitor.get("/")
    assert visitor.post("/reports", file=name) == 400
    assert "secret" not in visitor.text


@pytest.mark.parametrize(
    "path", ["/reports/../../etc", "/reports/..%2f..%2fetc/data", "/reports/%00/data", "/reports/x"]
)
def test_no_address_leads_anywhere_else(visitor, path):
    assert visitor.ask("GET", path).status in {400, 404}


def test_a_second_browser_with_the_same_link_stays_outside(app, visitor):
    stranger = Visitor(app)
    assert stranger.cookie == ""
    assert "Open the link that the program printed" in stranger.text
    assert stranger.post("/reports", file="records.csv") == 401


def test_the_server_loads_nothing_that_reads_records():
    heavy = ("dpspin.curator", "dpspin.request", "dpspin.pipeline", "pyarrow", "numpy", "sklearn", "sqlalchemy")
    code = f"import sys, dpspin.app.start; sys.exit(bool(set(sys.modules) & set({heavy!r})))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
