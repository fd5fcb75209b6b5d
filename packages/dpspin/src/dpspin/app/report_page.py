"""The step *Report*: the very page that is published, and where its files lie."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.answers import AccountState
from dpspin.app.journey import begin
from dpspin.app.workplace import Workplace, first_untold, go_to, step_page
from dpspin.boundary.safe_files import read_plain_text
from dpspin.web.site import report_page


def routes(place: Workplace) -> list[Route]:
    """Return the page around the report, the report itself, and the form for another one."""
    return [
        place.route("/reports/{name}/report", _report),
        place.route("/reports/{name}/report.html", _published),
        place.route("/reports/{name}/again", _again, "POST"),
    ]


def _report(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    if not journey.report_file.exists():
        return go_to(journey, first_untold(journey))
    draft = journey.draft()
    account: AccountState = place.worker.do("account", draft.get("account.dataset", ""), draft["records.data"])
    files = sorted(each.name for each in journey.report_file.parent.iterdir())
    return step_page(request, journey, "report", "report.html.j2", account=account, files=files)


def _published(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    if not journey.report_file.exists():
        return go_to(journey, first_untold(journey))
    return report_page(read_plain_text(journey.report_file))


def _again(place: Workplace, request: Request) -> Response:
    """Begin another report of the same file, with the same choices to change."""
    journey = place.journey(request)
    draft = {name: value for name, value in journey.draft().items() if name != "reading.folder"}
    return go_to(begin(place.folder, draft, journey.name.rstrip("-0123456789") or "report"), "question")
