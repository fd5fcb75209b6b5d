"""The officer's pages: what waits, and one request with all that should be known before it is signed."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dpspin.app.approval_answers import FiledRow, ReviewShown
from dpspin.app.workplace import Workplace
from dpspin.errors import DpSpinError, InputError
from dpspin.web.site import page, told

DAYS = "30"


def routes(place: Workplace) -> list[Route]:
    """Return the pages and their forms."""
    return [
        place.route("/approvals", _list),
        place.route("/approvals/{digest}", _review),
        place.route("/approvals/{digest}", _decide, "POST"),
    ]


def _list(place: Workplace, request: Request) -> Response:
    rows: tuple[FiledRow, ...] = place.worker.do("filed requests")
    return page(request, "approvals.html.j2", rows=rows)


def _review(place: Workplace, request: Request, error: str = "") -> Response:
    it: ReviewShown = place.worker.do("review", request.path_params["digest"])
    given = {name: told(request, name) for name in ("reason", "key")} if error else {"reason": "", "key": ""}
    open_ = it.row.standing in {"waiting", "approved", "expired"}
    return page(request, "approval.html.j2", 400 if error else 200, it=it, open=open_, error=error, days=DAYS, **given)


def _decide(place: Workplace, request: Request) -> Response:
    """Sign what was decided about exactly the request that was shown."""
    try:
        days, decision = told(request, "days"), told(request, "decision")
        if not days.isdecimal() or decision not in {"approved", "declined"}:
            raise InputError("say approve or decline, and for how many days")
        key = (str(place.folder / told(request, "key")), told(request, "passphrase"))
        place.worker.do("decide", told(request, "digest"), (decision, told(request, "reason"), int(days)), key)
    except DpSpinError as refused:
        return _review(place, request, f"{refused}.")
    return RedirectResponse(request.url.path, 303)
