"""Start the app: one server on this machine, one browser, one folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from dpspin.app import (
    approval_page,
    data_page,
    home_page,
    library_page,
    protection_page,
    question_page,
    reading_page,
    release_page,
    report_page,
    request_page,
)
from dpspin.app.workplace import Workplace
from dpspin.web.access import OneBrowser
from dpspin.web.server import build_server, listen, loopback_hosts, port_of, serve
from dpspin.web.site import Site

NAME: Final = "DP-SPIN"
PLACES: Final = (("Reports", "/"), ("Approvals", "/approvals"), ("Library", "/library"), ("Budgets", "/budgets"))
BORROWS: Final = ("dpspin.reader",)
PAGES: Final = (
    home_page,
    data_page,
    question_page,
    protection_page,
    request_page,
    reading_page,
    release_page,
    report_page,
    approval_page,
    library_page,
)


def start(folder: Path, port: int, announce: Callable[[str], None]) -> None:
    """Serve the pages for the files of a folder until it is stopped; announce the address to open."""
    place = Workplace(folder.resolve())
    with listen(port) as socket:
        access = OneBrowser(port_of(socket))
        site = Site(NAME, "dpspin.app", access, PLACES, BORROWS)
        routes = [route for each in PAGES for route in each.routes(place)]
        try:
            serve(build_server(routes, site, loopback_hosts(socket)), socket, lambda: announce(access.url))
        finally:
            place.worker.end()
