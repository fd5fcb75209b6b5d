"""``dpspin app``: the pages that lead from a file to a published report, in a browser on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli.terminal import say
from dpspin.errors import MissingExtra


def open_app(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Whose files may be chosen.", exists=True, file_okay=False, writable=True
        ),
    ] = Path(),
    port: Annotated[int, typer.Option("--port", help="Of this machine; 0 takes any free one.", min=0, max=65535)] = 0,
) -> None:
    """Open the app: from a file to a published report, in a browser on this machine.

    It prints a link that lets one browser in, once. Nobody on another machine can reach it. Ctrl-C stops it; what was
    begun is kept in the folder (dpspin-app, private) and goes on with the next start.

    As in: dpspin app surveys
    """
    try:
        from dpspin.app.start import start
    except ModuleNotFoundError as missing:
        if missing.name not in {"starlette", "uvicorn", "h11"}:
            raise
        raise MissingExtra("the app", extra="app") from None
    start(folder, port, lambda url: say(f"Open this link in your browser (it works once):\n{url}", err=True))
