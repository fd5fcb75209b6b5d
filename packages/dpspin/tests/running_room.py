"""The reading room, started as a user starts it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = "from dpspin.cli.main import run; run()"
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")


@contextmanager
def running_room(releases: Path) -> Iterator[str]:
    """Start ``dpspin serve`` in a process of its own, yield its address, and stop it."""
    command = [sys.executable, "-c", COMMAND, "serve", str(releases), "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    try:
        line = process.stderr.readline()
        found = ADDRESS.search(line)
        assert found, line
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()
