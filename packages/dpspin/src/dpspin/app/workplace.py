"""What every page works with: the folder, the worker processes, and looks at records that are under way."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from dpspin.app.answers import Look
from dpspin.app.journey import Draft, Journey, journey_of
from dpspin.app.wording import in_plain_words
from dpspin.app.worker import Worker, result_of
from dpspin.errors import DpSpinError
from dpspin.web.site import page

STEPS: Final = (
    ("data", "Data"),
    ("question", "Question"),
    ("protection", "Protection"),
    ("request", "Request"),
    ("release", "Release"),
    ("report", "Report"),
)
MOST_LOOKS: Final = 20
LOOKED_AT: Final = ("records.data", "records.text", "records.user", "records.dialect.encoding")
Handler = Callable[["Workplace", Request], Response]


@dataclass(slots=True)
class Workplace:
    """One app: its folder and its workers. Nothing else is kept in memory but looks, which can be taken again."""

    folder: Path
    worker: Worker = field(default_factory=Worker)
    looks: dict[tuple[object, ...], "Future[Any]"] = field(default_factory=dict, repr=False)

    def journey(self, request: Request) -> Journey:
        """Return the report that an address names."""
        return journey_of(self.folder, request.path_params["name"])

    def look(self, draft: Draft) -> "Future[Any]":
        """Begin a look at the records of a draft, or return the one that is under way or taken."""
        key = _look_key(draft)
        if key not in self.looks:
            self.looks[key] = self.worker.start("look", *key)
            while len(self.looks) > MOST_LOOKS:
                self.looks.pop(next(iter(self.looks)))
        return self.looks[key]

    def forget_look(self, draft: Draft) -> None:
        """Let the next look be taken anew."""
        self.looks.pop(_look_key(draft), None)

    def looked(self, draft: Draft) -> Look | None:
        """Return a look that was taken at these columns, whichever views went with it."""
        of_columns = _look_key(draft)[: len(LOOKED_AT)]
        done = (each for key, each in self.looks.items() if key[: len(LOOKED_AT)] == of_columns and each.done())
        try:
            found: Look | None = next((result_of(each) for each in done), None)
        except DpSpinError:
            return None
        return found

    def route(self, path: str, handler: Handler, method: str = "GET") -> Route:
        """Give a page its address."""
        return Route(path, partial(handler, self), methods=[method])


def _look_key(draft: Draft) -> tuple[object, ...]:
    """Return what a look is of: what the job is told."""
    return (*(str(draft.get(field, "")) for field in LOOKED_AT), tuple(draft.get("records.views", ())))


def first_untold(journey: Journey) -> str:
    """Return the first step of which something is not told yet."""
    draft = journey.draft()
    if "records.text" not in draft:
        return "data"
    if "atoms" not in draft:
        return "question"
    needed = ("records.unit", "loss.epsilon", "denominator")
    return "request" if all(field in draft for field in needed) else "protection"


def not_yet(journey: Journey, step: str) -> Response | None:
    """Send the browser to where a report is, if a step cannot be shown yet, or no more."""
    order = [name for name, _ in STEPS]
    untold = first_untold(journey)
    if journey.report_file.exists() and step != "request":
        return go_to(journey, "report")
    return go_to(journey, untold) if order.index(untold) < order.index(step) else None


def go_to(journey: Journey, step: str) -> Response:
    """Send the browser to a step."""
    return RedirectResponse(f"{journey.url}/{step}", 303)


def step_page(request: Request, journey: Journey, step: str, template: str, **words: object) -> Response:
    """Make the page of a step, with the way that leads there and on."""
    names = [name for name, _ in STEPS]
    released = journey.report_file.exists()
    open_ = {"request", "report"} if released else {*names[: names.index(first_untold(journey)) + 1]}
    way = [(title, f"{journey.url}/{name}" if name in open_ else "", name == step) for name, title in STEPS]
    status = 400 if words.get("error") else 200
    told = {"error": "", **words}
    return page(request, template, status, journey=journey, way=way, released=released, plain=in_plain_words, **told)
