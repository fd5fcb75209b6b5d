"""The step *Question*: the themes that are looked for, and values that they are compared by."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dpspin.app.files import chosen, dictionary_files
from dpspin.app.forecasting import dictionary
from dpspin.app.journey import Journey
from dpspin.app.releasing import require_open
from dpspin.app.workplace import Workplace, go_to, not_yet, step_page
from dpspin.boundary.request_terms import Protection, placed, read_as
from dpspin.errors import DpSpinError, RequestError
from dpspin.public.atoms.packs import in_short, names
from dpspin.web.site import told

OWN: Final = "file:"  # before the name of a file, in the form
MOST_VIEWS: Final = 3


def routes(place: Workplace) -> list[Route]:
    """Return the page and its form."""
    return [
        place.route("/reports/{name}/question", _question),
        place.route("/reports/{name}/question", _tell, "POST"),
    ]


def _question(place: Workplace, request: Request, error: str = "") -> Response:
    journey = place.journey(request)
    if elsewhere := not_yet(journey, "question"):
        return elsewhere
    draft = journey.draft()
    atoms = str(draft.get("atoms", ""))
    own = [(f"{OWN}{name}", name, atoms == str(place.folder / name)) for name in dictionary_files(place.folder)]
    return step_page(
        request,
        journey,
        "question",
        "question.html.j2",
        draft=draft,
        packs=[_pack(name, atoms) for name in names()],
        own=own,
        views="\n".join(draft.get("records.views", ())),
        error=error,
    )


def _pack(name: str, atoms: str) -> tuple[str, str, str, bool]:
    size, _, note = in_short(name).partition(" atoms  ")
    what = note.removeprefix("written by hand for ").partition(";")[0]
    return name, name.replace("-", " ").capitalize(), f"{size} themes, for {what}.", atoms == name


def _tell(place: Workplace, request: Request) -> Response:
    journey = place.journey(request)
    require_open(journey)
    try:
        _keep(place, request, journey)
    except DpSpinError as error:
        return _question(place, request, f"{error}.")
    return go_to(journey, "protection")


def _keep(place: Workplace, request: Request, journey: Journey) -> None:
    asked = told(request, "atoms")
    if not asked:
        raise RequestError("choose what is looked for: one of the ready dictionaries, or a file of your own")
    atoms = asked
    if asked.startswith(OWN):
        atoms = chosen(place.folder, asked.removeprefix(OWN), dictionary_files(place.folder))
    elif asked not in names():
        raise RequestError("there is no such dictionary: choose one that is shown")
    dictionary(atoms)
    views = [line.strip() for line in told(request, "views").splitlines() if line.strip()]
    if len(views) > MOST_VIEWS:
        raise RequestError(f"compare by at most {MOST_VIEWS} columns: each of them takes its part of epsilon")
    read_as(Protection, placed({"unit": "record", "views": views}))
    journey.tell(atoms=atoms, records__views=views, title=told(request, "title"))
