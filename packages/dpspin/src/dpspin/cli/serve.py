"""``dpspin serve`` and ``dpspin mcp``: published releases for others to read, people and agents. No record is near."""

from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli.terminal import say
from dpspin.errors import InputError, MissingExtra

ReleasesArgument = Annotated[
    Path,
    typer.Argument(metavar="RELEASES", help="A folder with release folders in it.", exists=True, file_okay=False),
]


def mcp(releases: ReleasesArgument) -> None:
    """Answer agents about published releases, over the Model Context Protocol on stdin and stdout.

    Tools: list, plan, ask, compare, series, verify. They answer in verified sentences with the rows of the plan that
    each rests on, or say that a release cannot say it. Nothing is written, and no network is used.

    As in: dpspin mcp published
    """
    from dpspin.reader.library import Library

    try:
        from dpspin.reader.mcp_server import build_mcp
    except ModuleNotFoundError as missing:
        if missing.name not in {"mcp", "mcp_types"}:
            raise
        raise MissingExtra("the server for agents", extra="mcp") from None
    build_mcp(Library(releases)).run("stdio")


def serve(
    releases: ReleasesArgument,
    port: Annotated[int, typer.Option("--port", help="0 takes any free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, typer.Option("--host", help="The address to listen at; 0.0.0.0 is every one.")] = "127.0.0.1",
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-host", help="A name by which browsers may call it, as in reports.example.org; repeat it."
        ),
    ] = None,
) -> None:
    """Serve published releases as a read-only website: browse, read, compare, see a series, ask.

    It needs the release folders and nothing else of the curator's, so it can run anywhere. It speaks plain HTTP: on a
    network, put it behind a proxy that speaks HTTPS, and name what that proxy calls it with --allowed-host.

    As in: dpspin serve published --port 8000
    """
    try:
        from dpspin.reader.website import start
    except ModuleNotFoundError as missing:
        if missing.name not in {"starlette", "uvicorn", "h11"}:
            raise
        raise MissingExtra("the website", extra="app") from None
    if host not in {"127.0.0.1", "localhost"} and not allowed_host:
        raise InputError(f"who listens at {host} is called by a name: say by which one, with --allowed-host")
    start(releases, host, port, allowed_host or [], lambda url: say(f"Reading room: {url} (Ctrl-C stops it)", err=True))
