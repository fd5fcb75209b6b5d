"""The one way to the terminal: whatever a command prints, nothing in it is obeyed or hidden."""

import typer

from dpspin.boundary.printable import printable


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print to stdout (data) or stderr (talk), with everything visible that a terminal would obey or hide."""
    typer.echo(printable(str(text)), err=err, nl=nl)  # noqa: TID251  this is the place
