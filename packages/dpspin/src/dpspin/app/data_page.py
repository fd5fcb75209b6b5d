"""The step *Data*: which column holds the words, who wrote them, and what a look at the records says."""

from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.answers import Columns
from dpspin.app.releasing import require_open
from dpspin.app.worker import result_of
from dpspin.app.workplace import Workplace, go_to, not_yet, step_page
from dpspin.errors import DpSpinError
from dpspin.web.site import told

SECONDS_FOR_A_LOOK: Final = 1.0  # then the page comes without it, and asks again


def routes(place: Workplace) -> list[Route]:
    """Return the page and its forms."""
    return [
        place.route("/reports/{name}/data", _data),
        place.route("/reports/{name}/data", _tell, "POST"),
        place.route("/reports/{name}/look", _look),
    ]


def _data(place: Workplace, request: Request, error: str = "") -> Response:
    journey = place.journey(request)
    if elsewhere := not_yet(journey, "data"):
        return elsewhere
    draft = journey.draft()
    columns: Columns = place.worker.do("columns", draft["records.data"])
    words = {
        "columns": columns,
        "text": draft.get("records.text", columns.text),
        "user": draft.get("records.user", columns.user if "records.text" not in draft else ""),
        "encoding": draft.get("records.dialect.encoding", columns.encoding),
    }
    return step_page(request, journey, "data", "data.html.j2", draft=draft, error=error, **words)


def _tell(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    require_open(journey)
    columns: Columns = place.worker.do("columns", journey.draft()["records.data"])
    text, user = (_named(columns, told(request, field)) for field in ("text", "user"))
    if not text or text == user:
        return _data(place, request, "Choose the column with the words, and another one for the people, or none.")
    journey.tell(records__text=text, records__user=user, records__dialect__encoding=told(request, "encoding"))
    return go_to(journey, "look")


def _named(columns: Columns, told_of: str) -> str:
    """Return the name of a column that was chosen by its place; where none could be shown, it was typed."""
    if not columns.columns:
        return told_of
    known = {str(place): column.name for place, column in enumerate(columns.columns)}
    return known.get(told_of, "")


def _look(place: Workplace, request: Request) -> Response:
    """Show what a look at all records says; while it takes longer, say so."""
    journey = place.journey(request)
    draft = journey.draft()
    if elsewhere := not_yet(journey, "question"):
        return elsewhere
    found, error = _found(place.look(draft))
    if error:
        place.forget_look(draft)  # the next one looks anew
    return step_page(request, journey, "data", "look.html.j2", draft=draft, look=found, why=error)


def _found(future: "Future[Any]") -> tuple[Any, str]:
    try:
        future.result(SECONDS_FOR_A_LOOK)
    except NotYet:
        return None, ""
    except Exception:  # noqa: BLE001, S110  `result_of` tells it
        pass
    try:
        return result_of(future), ""
    except DpSpinError as error:
        return None, f"{error}."
