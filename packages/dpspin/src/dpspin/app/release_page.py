"""The step *Release*: how far it is, and how it ended. It can be stopped at any point, and goes on at no cost."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.releasing import Done, NotBegun, Refused, Running, cancel, state_of
from dpspin.app.workplace import Workplace, go_to, step_page


def routes(place: Workplace) -> list[Route]:
    """Return the page and its form."""
    return [
        place.route("/reports/{name}/release", _state),
        place.route("/reports/{name}/cancel", _cancel, "POST"),
    ]


def _state(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    state = state_of(journey)
    match state:
        case Done(task="sample"):
            return go_to(journey, "reading/1")
        case Done():
            return go_to(journey, "report")
        case NotBegun(stopped=False):
            return go_to(journey, "request")
        case Running() | Refused() | NotBegun():
            return step_page(request, journey, "release", "release.html.j2", state=state, kind=type(state).__name__)


def _cancel(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    cancel(journey)
    return go_to(journey, "release")
