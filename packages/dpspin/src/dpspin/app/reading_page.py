"""The reading desk: one record at a time, by keyboard. The only page that shows text of a record."""

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dpspin.app.answers import DeskView, Order
from dpspin.app.journey import Journey
from dpspin.app.releasing import begin, require_open
from dpspin.app.request_page import saved
from dpspin.app.workplace import Workplace, go_to, not_yet, step_page
from dpspin.errors import RequestError
from dpspin.web.site import told

SHORT: Final = {"n": "none", "u": "undo", "b": "back"}  # as at the terminal
LONGEST_PLACE: Final = 9


def routes(place: Workplace) -> list[Route]:
    """Return the desk, and the forms that draw a sample and leave it out."""
    return [
        place.route("/reports/{name}/sample", _draw, "POST"),
        place.route("/reports/{name}/reading/{reader:int}", _desk),
        place.route("/reports/{name}/reading/{reader:int}", _hear, "POST"),
        place.route("/reports/{name}/without-reading", _leave_out, "POST"),
    ]


def _draw(place: Workplace, request: Request) -> Response:
    """Draw the sample; drawing again gives the same one."""
    journey = place.journey(request)
    require_open(journey)
    if elsewhere := not_yet(journey, "request"):
        return elsewhere
    number = told(request, "number")
    if not number.isdecimal() or not 0 < int(number) < int(journey.draft()["denominator"]):
        raise RequestError("read at least one of them, and fewer than there are")
    saved(place, journey)
    begin(journey, "sample", number)
    return go_to(journey, "release")


def _desk(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    if not journey.reading_folder().exists():
        return go_to(journey, "request")
    if not journey.report_file.exists():
        journey.tell(reading__folder=str(journey.reading_folder()))
    at = request.query_params.get("at", "")
    return _shown(request, journey, _done(place, journey, Order(_reader(request), _place(at), "show")))


def _hear(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    require_open(journey)
    if not journey.reading_folder().exists():
        return go_to(journey, "request")
    view = _done(place, journey, _order(request))
    if view.said or view.found:
        return _shown(request, journey, view, told(request, "words") if view.found else "")
    where = "" if view.place is None else f"?at={view.place}"
    return RedirectResponse(f"{request.url.path}{where}", 303)


def _order(request: Request) -> Order:
    """Read the form: a button, or what was typed and ticked."""
    form: dict[str, list[str]] = request.state.form
    reader, at, words = _reader(request), _place(told(request, "at")), told(request, "words")
    match SHORT.get(words, told(request, "do")):
        case "none":
            return Order(reader, at, "none")
        case "undo":
            return Order(reader, at, "undo")
        case "back":
            return Order(reader, at, "back")
        case _:
            return Order(reader, at, "save", " ".join([*form.get("theme", []), words]))


def _done(place: Workplace, journey: Journey, order: Order) -> DeskView:
    folders = (str(journey.reading_folder()), str(journey.reading_folder(2)))
    view: DeskView = place.worker.do("desk", *folders, order)
    return view


def _reader(request: Request) -> int:
    return 1 if request.path_params["reader"] == 1 else 2


def _place(at: str) -> int | None:
    return int(at) if at.isdecimal() and len(at) <= LONGEST_PLACE else None


def _shown(request: Request, journey: Journey, view: DeskView, words: str = "") -> Response:
    themes = sorted(view.themes, key=lambda each: each.id not in view.found)
    told_now = {"view": view, "themes": themes, "reader": _reader(request), "words": words}
    return step_page(request, journey, "request", "reading.html.j2", **told_now)


def _leave_out(place: Workplace, request: Request) -> Response:
    """Ask for the release without the sample; what was read stays in its folder."""
    journey = place.journey(request)
    require_open(journey)
    journey.tell(reading__folder=None)
    return go_to(journey, "request")
