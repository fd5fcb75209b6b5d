"""Start a server: on loopback unless told otherwise, over HTTP/1.1, without an access log and with little patience."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Any, Final

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from dpspin.errors import InputError
from dpspin.web.guard import Guard
from dpspin.web.site import ASSETS, NOT_FOUND, Site, asset, error_page

LOOPBACK: Final = "127.0.0.1"
HEAD_SECONDS: Final = 10
MOST_CONNECTIONS: Final = 200


def build_server(routes: Sequence[BaseRoute], site: Site, hosts: Sequence[str]) -> Guard:
    """Return the application: these routes and the site's assets, behind the guard, for these ``Host`` headers."""
    assets = Route(ASSETS + "{name}", asset)
    return Guard(Router([*routes, assets], redirect_slashes=False, default=_not_found), site, frozenset(hosts))


def listen(port: int = 0, host: str = LOOPBACK) -> socket.socket:
    """Take a port, or any free one; refuse one that is taken."""
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        place.bind((host, port))
    except OSError as error:
        place.close()
        raise InputError(f"port {port} cannot be used: {error.strerror}. Name another one, or none") from None
    return place


def loopback_hosts(place: socket.socket) -> list[str]:
    """Return the names by which a browser on this machine calls a server."""
    port = port_of(place)
    return [f"{LOOPBACK}:{port}", f"localhost:{port}"]


def port_of(place: socket.socket) -> int:
    """Return the port that was taken."""
    return int(place.getsockname()[1])


def serve(server: Guard, place: socket.socket, announce: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM; announce once that a browser may come."""
    config = uvicorn.Config(
        server,
        http=_Impatient,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,  # an address may say what somebody looked at
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    place.listen()
    announce()
    uvicorn.Server(config).run([place])


class _Impatient(H11Protocol):
    """A connection that is closed when the head of a request takes too long: the guard is asked only afterwards."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_another_than(None)

    def on_response_complete(self) -> None:
        answered = self.scope
        super().on_response_complete()
        self._expect_another_than(answered)

    def _expect_another_than(self, scope: Any) -> None:  # noqa: ANN401  uvicorn's own type of a request
        self.loop.call_later(HEAD_SECONDS, self._hang_up_on, scope)

    def _hang_up_on(self, scope: Any) -> None:  # noqa: ANN401
        if self.scope is scope:
            self.transport.close()


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    answer: Response = error_page(Request(scope), 404, *NOT_FOUND)
    await answer(scope, receive, send)
