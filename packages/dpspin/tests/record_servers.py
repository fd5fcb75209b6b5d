"""The servers that hold records in tests, and how the environment tells of them. Light: every test run imports it."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path


def use_server(url, monkeypatch):
    """Let the environment say where the server is, as a user would."""
    monkeypatch.setenv("PGHOST", url.partition("host=")[2])
    monkeypatch.setenv("PGUSER", "curator")


@contextmanager
def s3_server():
    """Start an S3-compatible server; yield its address. Nobody but this machine can reach it."""
    program = Path(__file__).parent / "programs" / "serve_s3.py"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, str(program)], **pipes) as server:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
        server.stdin.close()


def use_store(url, monkeypatch):
    """Let the environment say where the store is, and with which credentials, as a user would."""
    told = {
        "ENDPOINT_URL": url,
        "ACCESS_KEY_ID": "curator",
        "SECRET_ACCESS_KEY": "secret",
        "DEFAULT_REGION": "eu-west-1",
    }
    for name, value in told.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
