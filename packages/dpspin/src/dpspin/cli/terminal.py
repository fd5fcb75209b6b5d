"""The one way to the terminal: whatever a command prints, nothing in it is obeyed or hidden."""

import shutil
import sys

import typer

from dpspin.boundary.printable import printable


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print to stdout (data) or stderr (talk), with everything visible that a terminal would obey or hide."""
    typer.echo(printable(str(text)), err=err, nl=nl)  # noqa: TID251  this is the place


def width() -> int:
    """Return how many columns the terminal has; where there is none, eighty."""
    return shutil.get_terminal_size((80, 24)).columns


def draws_blocks() -> bool:
    """Tell whether what stdout is written in has block elements."""
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
