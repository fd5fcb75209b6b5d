"""The step *Protection*: whom the report protects and how much, with a forecast that follows the slider."""

import re
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.forecasting import outlook
from dpspin.app.journey import Draft
from dpspin.app.releasing import require_open
from dpspin.app.workplace import Workplace, go_to, not_yet, step_page
from dpspin.errors import DpSpinError, RequestError
from dpspin.web.site import page, told

EPSILONS: Final = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0)
NUMBER: Final = re.compile(r"\d{1,6}(\.\d{1,9})?")
USUAL: Final = EPSILONS.index(1.0)


def routes(place: Workplace) -> list[Route]:
    """Return the page, the forecast alone, and the form."""
    return [
        place.route("/reports/{name}/protection", _protection),
        place.route("/reports/{name}/forecast", _forecast),
        place.route("/reports/{name}/protection", _tell, "POST"),
    ]


def _protection(place: Workplace, request: Request, error: str = "", draft: Draft | None = None) -> Response:
    journey = place.journey(request)
    if elsewhere := not_yet(journey, "protection"):
        return elsewhere
    draft = draft or journey.draft()
    found, why = _outlook(draft)
    epsilon = draft.get("loss.epsilon", EPSILONS[USUAL])
    return step_page(
        request,
        journey,
        "protection",
        "protection.html.j2",
        draft=draft,
        place_of_epsilon=min(range(len(EPSILONS)), key=lambda at: abs(EPSILONS[at] - float(epsilon))),
        epsilons=EPSILONS,
        accounts=place.worker.do("accounts"),
        outlook=found,
        why=why,
        error=error,
    )


def _forecast(place: Workplace, request: Request) -> Response:
    """Answer the slider: only public inputs come in, and the same page's part goes out."""
    draft = {**place.journey(request).draft(), **_chosen(dict(request.query_params))}
    found, why = _outlook(draft)
    return page(request, "_forecast.html.j2", draft=draft, outlook=found, why=why)


def _outlook(draft: Draft) -> tuple[Any, str]:
    if "records.unit" not in draft or "denominator" not in draft:
        return None, "Say whom the report protects, and how many there are: then you see here what it will show."
    if not str(draft["denominator"]).isdecimal():
        return None, "Write how many there are in digits, such as 20,000."
    try:
        return outlook({"loss.epsilon": EPSILONS[USUAL], **draft}), ""
    except DpSpinError as error:
        return None, f"{error}."


def _chosen(form: dict[str, str]) -> Draft:
    """Read the public choices of the form, as far as they are made."""
    at = form.get("epsilon", "")
    chosen: Draft = {"loss.epsilon": EPSILONS[int(at)] if at.isdecimal() and int(at) < len(EPSILONS) else None}
    chosen["records.unit"] = form.get("unit") if form.get("unit") in {"record", "user"} else None
    chosen["denominator"] = form.get("denominator", "").replace(",", "").replace(" ", "") or None
    return {field: value for field, value in chosen.items() if value is not None}


def _tell(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    require_open(journey)
    form = {name: values[0].strip() for name, values in request.state.form.items()}
    told_now = {"account.budget": told(request, "budget"), "account.dataset": told(request, "account")}
    draft = {field: value for field, value in {**journey.draft(), **_chosen(form), **told_now}.items() if value}
    if form.get("show"):  # without a script, this button is the forecast
        return _protection(place, request, draft=draft)
    try:
        _require_whole(draft)
        outlook(draft)
    except DpSpinError as error:
        return _protection(place, request, f"{error}.", draft)
    journey.keep(draft)
    return go_to(journey, "request")


def _require_whole(draft: Draft) -> None:
    if "records.unit" not in draft:
        raise RequestError("choose whom the report protects: each person, or each record")
    if "denominator" not in draft:
        raise RequestError("say about how many there are, by public knowledge: shares refer to that number")
    if not str(draft["denominator"]).isdecimal():
        raise RequestError("write how many there are in digits, such as 20,000")
    if not NUMBER.fullmatch(str(draft.get("account.budget", "1"))):
        raise RequestError("`account.budget` is a number, such as 4")
    if draft["records.unit"] == "user" and "records.user" not in draft:
        raise RequestError(
            "people are protected where a column says who wrote each record: go back to Data and choose it, or "
            "protect each record"
        )
