"""The gate before every page: who asks, from where, how much and how long; and what a browser may do with the answer.

Another site cannot get in by a name that leads here (Host), by a form (Origin, Sec-Fetch-Site, the form's key), or by
reading what it included (resource policy). No answer is kept in a cache, and no error says what an exception said.
"""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpspin.errors import DpSpinError, where_unforeseen
from dpspin.web.access import FORM_FIELD, LINK, OneBrowser, is_same
from dpspin.web.site import ASSETS, NOT_FOUND, POLICY, STRICT, Site, error_page

LARGEST_BODY: Final = 256 * 1024
MOST_FIELDS: Final = 1_000
BODY_SECONDS: Final = 10
PAGE_SECONDS: Final = 120
SAFE_METHODS: Final = ("GET", "HEAD")
FORM_TYPE: Final = "application/x-www-form-urlencoded"
HEADERS: Final = {
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # "no-referrer" would hide from us too whose form it was
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    POLICY: STRICT,
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that says why there is none."""

    status: int
    title: str
    why: str


class Refused(Exception):
    """A request that gets no other answer than why it gets none."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.title)
        self.refusal = refusal


ELSEWHERE: Final = Refusal(
    421, "This address is not ours", "The server answers only to the address that it printed. Open that one."
)
OTHER_SITE: Final = Refusal(
    403, "Another page sent this", "A page of another site may not act here. Go back, and press the button here."
)
OLD_FORM: Final = Refusal(
    403,
    "This page is from an earlier start",
    "The program was started anew since. Load the page again; nothing is lost.",
)
STRANGER: Final = Refusal(
    401,
    "Open the link that the program printed",
    "It lets one browser in, once. If it was used already, stop the program with Ctrl-C and start it again: what you "
    "did is kept.",
)
TOO_LARGE: Final = Refusal(413, "This is too much at once", "A form of this site is much smaller.")
TOO_SLOW: Final = Refusal(408, "This took too long", "The connection was too slow. Try again.")
NOT_DONE: Final = Refusal(
    503, "This page took too long", "Nothing is lost. The machine may be busy: try again in a minute."
)
BROKEN: Final = Refusal(
    500,
    "Something broke that nobody foresaw",
    "Where it broke stands in the window in which the program runs; what it says is not shown, because it may quote a "
    "record. Whatever was charged is stored, and is not charged again.",
)


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application around the pages of a site, for the hosts by which it may be called."""

    pages: ASGIApp
    site: Site
    hosts: frozenset[str]
    largest_body: int = LARGEST_BODY
    body_seconds: float = BODY_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        scope.setdefault("state", {})["site"] = self.site
        request = Request(scope, receive)
        answer = _Answer(send)
        try:
            async with asyncio.timeout(PAGE_SECONDS):
                await self._answer(request, receive, answer)
        except Exception as error:  # noqa: BLE001  whatever it is, its message may quote a record
            if not answer.begun:
                await _told(request, error)(scope, receive, answer.send)

    async def _answer(self, request: Request, receive: Receive, answer: "_Answer") -> None:
        if request.headers.get("host", "") not in self.hosts:
            raise Refused(ELSEWHERE)
        greeting = self._let_in(request)
        if greeting is not None:
            await greeting(request.scope, receive, answer.send)
            return
        body = await self._body(receive)
        if request.method not in SAFE_METHODS:
            self._require_own_form(request, body)
        await self.pages(request.scope, _replayed(body, receive), answer.send)

    def _let_in(self, request: Request) -> Response | None:
        """Let everybody in, or the one browser; a link that is right becomes a cookie, and leaves the address bar."""
        access = self.site.access
        if request.url.path.startswith(ASSETS):  # nothing of anybody's stands in them
            return None
        if not isinstance(access, OneBrowser) or access.knows(request.headers.get("cookie", "")):
            known = isinstance(access, OneBrowser) and LINK in request.query_params
            return RedirectResponse(request.url.path, 303) if known else None
        if request.method not in SAFE_METHODS or not access.takes_link(request.query_params.get(LINK, "")):
            raise Refused(STRANGER)
        return RedirectResponse("/", 303, {"set-cookie": access.set_cookie()})

    async def _body(self, receive: Receive) -> bytes:
        """Read all that is sent, which must not be too much or take too long."""
        body = b""
        try:
            async with asyncio.timeout(self.body_seconds):
                while (message := await receive())["type"] == "http.request":
                    body += message.get("body", b"")
                    if len(body) > self.largest_body:
                        raise Refused(TOO_LARGE)
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            raise Refused(TOO_SLOW) from None
        return body

    def _require_own_form(self, request: Request, body: bytes) -> None:
        """Refuse what a page of another origin sent, and a form without this start's key."""
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "same-origin")
        if site != "same-origin" or (origin is not None and origin not in {f"http://{host}" for host in self.hosts}):
            raise Refused(OTHER_SITE)
        if request.headers.get("content-type", "").partition(";")[0] != FORM_TYPE:
            raise Refused(OTHER_SITE)
        try:
            form = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:  # no UTF-8, or more fields than any form has
            raise Refused(TOO_LARGE) from None
        if self.site.access.form_key and not is_same(form.get(FORM_FIELD, [""])[0], self.site.access.form_key):
            raise Refused(OLD_FORM)
        request.state.form = form


class _Answer:
    """Sends an answer with the headers of every answer; a page may set its own policy."""

    def __init__(self, send: Send) -> None:
        self._send, self.begun = send, False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Hand a body on that was read already."""
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        return next(messages, None) or await receive()

    return again


def _told(request: Request, error: Exception) -> Response:
    """Make the page that tells an error; only errors that we wrote ourselves are quoted."""
    match error:
        case Refused():
            told = error.refusal
        case TimeoutError():
            told = NOT_DONE
        case HTTPException(status_code=404 | 405):
            told = Refusal(404, *NOT_FOUND)
        case DpSpinError():
            told = Refusal(400, "This cannot be done as it is", f"{error}.")
        case _:
            print(where_unforeseen(error), file=sys.stderr, flush=True)  # noqa: T201  the program's own window
            told = BROKEN
    return error_page(request, told.status, told.title, told.why)
