"""The step *Request*: everything that was told, in plain words and as the file that the command line takes."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.answers import AccountState
from dpspin.app.approval_answers import FiledRow
from dpspin.app.forecasting import dictionary, outlook
from dpspin.app.journey import Journey
from dpspin.app.releasing import begin
from dpspin.app.wording import sentences
from dpspin.app.workplace import Workplace, go_to, not_yet, step_page
from dpspin.errors import DpSpinError
from dpspin.web.site import told

LET_THROUGH: Final = frozenset(("approved", "charged"))  # by an officer, of exactly this request


def routes(place: Workplace) -> list[Route]:
    """Return the page and its forms."""
    return [
        place.route("/reports/{name}/request", _request),
        place.route("/reports/{name}/release", _release, "POST"),
        place.route("/reports/{name}/ask", _ask, "POST"),
    ]


def _request(place: Workplace, request: Request, error: str = "") -> Response:
    journey = place.journey(request)
    if elsewhere := not_yet(journey, "request"):
        return elsewhere
    draft = journey.draft()
    try:
        digest = saved(place, journey)
    except DpSpinError as refused:
        digest, error = "", error or f"{refused}."
    filed: FiledRow | None = place.worker.do("filed for", str(journey.request_file)) if digest else None
    looked, atoms = place.looked(draft), dictionary(str(draft["atoms"]))
    account: AccountState = place.worker.do("account", draft.get("account.dataset", ""), draft["records.data"])
    return step_page(
        request,
        journey,
        "request",
        "request.html.j2",
        draft=draft,
        doubts=() if looked is None else place.worker.do("unread", looked.languages, atoms.languages),
        sentences=sentences(draft, atoms.size),
        outlook=outlook(draft),
        account=account,
        filed=filed,
        refused=bool(account.guarded or (account.officers and (filed is None or filed.standing not in LET_THROUGH))),
        digest=digest,
        yaml=journey.request_file.read_text(encoding="utf-8") if digest else "",
        error=error,
    )


def saved(place: Workplace, journey: Journey) -> str:
    """Write the request file of what was told, and return its digest."""
    asked = dict(journey.draft())
    if asked["records.unit"] == "record":
        asked.pop("records.user", None)  # a column of people goes with their protection
    digest: str = place.worker.do("save request", asked, str(journey.request_file))
    return digest


def _release(place: Workplace, request: Request) -> Response:
    """Begin the release of exactly the request that was shown; asked for twice, it is one."""
    journey = place.journey(request)
    if journey.report_file.exists():
        return go_to(journey, "report")
    if elsewhere := not_yet(journey, "request"):
        return elsewhere
    if saved(place, journey) != told(request, "digest"):
        return _request(place, request, "The request was changed in another window. This is how it is now.")
    begin(journey, "release")
    return go_to(journey, "release")


def _ask(place: Workplace, request: Request) -> Response:
    """File the request of a report for approval."""
    journey = place.journey(request)
    if not journey.request_file.is_file():
        return go_to(journey, "request")
    key = (str(place.folder / told(request, "key")), told(request, "passphrase"))
    try:
        place.worker.do("ask", str(journey.request_file), told(request, "note"), key)
    except DpSpinError as refused:
        return _request(place, request, f"{refused}.")
    return go_to(journey, "request")
