"""A person at a terminal, for tests of what is asked there."""

import os
import pty
import subprocess
import sys


def at_a_terminal(arguments, answer, folder):
    """Run the command as a person would, at a terminal that answers one question; return exit code and screen."""
    ours, theirs = pty.openpty()
    program = [sys.executable, "-c", "from dpspin.cli.main import run; run()", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "dumb"}
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=env) as running:
        os.close(theirs)
        os.write(ours, answer.encode())
        screen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            screen += piece
        running.wait()
    os.close(ours)
    return running.returncode, screen.decode(errors="replace")
