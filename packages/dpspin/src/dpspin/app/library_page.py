"""The *Library*: the releases of the folder, as readers read, compare and ask them; and the budgets that paid for them.

The public part is the reader's own, from plans alone. It is loaded when somebody looks at it, so that the app stays
small for who does not.
"""

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.answers import AccountState
from dpspin.app.journey import ROOM
from dpspin.app.workplace import Workplace
from dpspin.web.site import page

if TYPE_CHECKING:
    from dpspin.reader.website import ReadingRoom

LIBRARY: Final = "/library"
PageName = Literal["shelf", "release", "report", "comparison"]


def routes(place: Workplace) -> list[Route]:
    """Return the pages of the library, and that of the budgets."""
    public: dict[str, PageName] = {
        LIBRARY: "shelf",
        f"{LIBRARY}/release/{{name:path}}": "release",
        f"{LIBRARY}/report/{{name:path}}": "report",
        f"{LIBRARY}/compare": "comparison",
    }
    read = [place.route(path, partial(_read, which)) for path, which in public.items()]
    return [*read, place.route("/budgets", _budgets)]


@lru_cache(maxsize=4)
def _room(folder: Path) -> "ReadingRoom":
    from dpspin.reader.library import Library  # noqa: PLC0415  when it is looked at
    from dpspin.reader.website import ReadingRoom  # noqa: PLC0415

    return ReadingRoom(Library(folder, ("", ROOM)), LIBRARY)


def _read(which: PageName, place: Workplace, request: Request) -> Response:
    from dpspin.reader.website import shown  # noqa: PLC0415

    return shown(getattr(_room(place.folder), which), request)


def _budgets(place: Workplace, request: Request) -> Response:
    accounts: tuple[AccountState, ...] = place.worker.do("budgets")
    return page(request, "budgets.html.j2", accounts=accounts)
