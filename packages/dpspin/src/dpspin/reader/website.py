"""``dpspin serve``: a library as a website that only reads: browse, read, compare, see a series, ask.

Every page is made here from plans and dictionaries. A report that lies in a folder is not served, because whoever put
it there could have written anything into it: the page is written anew, and every sentence on it was verified.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from dpspin.reader import answers
from dpspin.reader.library import Library, NoSuchRelease, OpenSeries, UnreadableRelease
from dpspin.web.guard import Guard
from dpspin.web.server import LOOPBACK, build_server, listen, loopback_hosts, port_of, serve
from dpspin.web.site import Site, error_page, page, report_page

NAME: Final = "Reading room"
PAGES: Final = "dpspin.reader"
PLACE: Final = re.compile("[0-9]{1,6}")
MOST_OFFERED: Final = 1_000  # names that a browser completes
NOT_HERE: Final = ("There is no such release", "The list has all that can be read here.")
UNREADABLE: Final = "This release cannot be read"
NOT_COMPARED: Final = "These cannot be compared"


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """The pages of a library; ``root`` is where a site has them, where it has others too."""

    library: Library
    root: str = ""

    def routes(self) -> list[BaseRoute]:
        """Return the addresses and their pages, where the site is all theirs."""
        return [
            Route("/", partial(shown, self.shelf)),
            Route("/release/{name:path}", partial(shown, self.release)),
            Route("/report/{name:path}", partial(shown, self.report)),
            Route("/compare", partial(shown, self.comparison)),
        ]

    def shelf(self, request: Request) -> Response:
        """Show the list, a part at a time."""
        told = request.query_params.get("from", "")
        start = int(told) if PLACE.fullmatch(told) else 0
        before = max(0, start - answers.A_PAGE) if start else None
        listed, names = answers.listed(self.library, start), self.library.names()
        given: dict[str, object] = {"listed": listed, "before": before, "first": start, "names": names[:MOST_OFFERED]}
        return page(request, "library_shelf.html.j2", 200, root=self.root, **given)

    def release(self, request: Request) -> Response:
        """Show a release or a series: what it is about, its sentences and rows, and an answer where one is asked."""
        name, question = request.path_params["name"], request.query_params.get("question", "").strip()
        found = self.library.open(name)
        reply = answers.answered(self.library, name, question) if question else None
        told = answers.rows_of_plan(self.library, name)
        given: dict[str, object] = {"root": self.root, "told": told, "reply": reply, "question": question, "name": name}
        about, is_series = found.plan.about.lines, isinstance(found, OpenSeries)
        return page(request, "library_release.html.j2", 200, is_series=is_series, about=about, **given)

    def report(self, request: Request) -> Response:
        """Show the report of a release, or the page of a series, as it is published."""
        return report_page(self.library.open(request.path_params["name"]).page)

    def comparison(self, request: Request) -> Response:
        """Show what differs between two releases, or why that cannot be said."""
        a, b = (request.query_params.get(name, "").strip() for name in ("a", "b"))
        found = answers.compared(self.library, a, b)
        if isinstance(found, answers.Reply):
            return error_page(request, 400, NOT_COMPARED, found.cannot_say or "")
        return report_page(found.to_html())


def shown(page_of: Callable[[Request], Response], request: Request) -> Response:
    """Make a page, or one that says that a release is not there or cannot be read, whatever a stranger put there."""
    try:
        return page_of(request)
    except NoSuchRelease:
        return error_page(request, 404, *NOT_HERE)
    except UnreadableRelease as error:
        return error_page(request, 422, UNREADABLE, f"{str(error)[:1].upper()}{str(error)[1:]}.")


def build_site(releases: str | Path, hosts: Sequence[str]) -> Guard:
    """Return the website of a folder, for these ``Host`` headers."""
    site = Site(NAME, PAGES, places=(("Releases", "/"),))
    return build_server(ReadingRoom(Library(releases)).routes(), site, hosts)


def start(releases: Path, host: str, port: int, names: Sequence[str], announce: Callable[[str], None]) -> None:
    """Serve a folder of releases until it is stopped."""
    with listen(port, host) as place:
        taken = port_of(place)
        called = [each for name in names for each in (name, f"{name}:{taken}")]
        server = build_site(releases, [*loopback_hosts(place), *called])
        shown = names[0] if names else LOOPBACK
        serve(server, place, lambda: announce(f"http://{shown}:{taken}/"))
