"""The first page: which file a new report is about, and the reports that were begun."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.files import chosen, data_files
from dpspin.app.journey import Journey, begin, journeys
from dpspin.app.releasing import Running, state_of
from dpspin.app.workplace import Workplace, first_untold, go_to
from dpspin.web.site import page, told


def routes(place: Workplace) -> list[Route]:
    """Return the page and its form."""
    return [place.route("/", _home), place.route("/reports", _begin, "POST")]


def _home(place: Workplace, request: Request) -> Response:
    place.worker.warm_up()  # while a file is being chosen
    begun = [
        (each, Path(str(each.draft().get("records.data", ""))).name, *_stage(each)) for each in journeys(place.folder)
    ]
    return page(request, "home.html.j2", folder=place.folder, files=data_files(place.folder), begun=begun)


def _stage(journey: Journey) -> tuple[str, str]:
    """Say how far a report is, and where it goes on."""
    if journey.report_file.exists():
        return "Published report", f"{journey.url}/report"
    if isinstance(state_of(journey), Running):
        return "Being released", f"{journey.url}/release"
    step = first_untold(journey)
    return f"Begun: {step}", f"{journey.url}/{step}"


def _begin(place: Workplace, request: Request) -> Response:
    name = told(request, "file")
    file = chosen(place.folder, name, data_files(place.folder))
    return go_to(begin(place.folder, {"records.data": file}, name.partition(".")[0]), "data")
