"""One site: its name, its pages and its assets, all of them files of this package. Nothing comes from elsewhere."""

from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from dpspin.boundary.printable import printable
from dpspin.web.access import FORM_FIELD, Access, Everybody

TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
STRICT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
OF_A_REPORT: Final = (  # a self-contained page: its styles stand in it, no script may run, and it is of no origin
    "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
POLICY: Final = "content-security-policy"
ASSETS: Final = "/assets/"


@dataclass(frozen=True)
class Site:
    """A site whose ``pages/`` and ``assets/`` lie in ``package``, over those that all sites share."""

    name: str
    package: str
    access: Access = field(default_factory=Everybody)
    places: tuple[tuple[str, str], ...] = ()  # of the menu: what it is called, and its address
    borrows: tuple[str, ...] = ()  # packages whose pages and assets it shows too

    @cached_property
    def templates(self) -> Environment:
        """The templates, in which everything is escaped, and shown that a browser would obey or hide."""
        return Environment(
            loader=ChoiceLoader([PackageLoader(each, "pages") for each in (self.package, *self.borrows, "dpspin.web")]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_seen,
        )

    @cached_property
    def assets(self) -> dict[str, bytes]:
        """Every style sheet, script and picture, by its name: there is no path to walk out of."""
        folders = [files(package) / "assets" for package in ("dpspin.web", *self.borrows, self.package)]
        return {file.name: file.read_bytes() for folder in folders if folder.is_dir() for file in folder.iterdir()}


def page(request: Request, template: str, status: int = 200, **words: object) -> Response:
    """Make a page of a template; it finds the site, the form's key and its own address by themselves."""
    site: Site = request.state.site
    key = Markup('<input type="hidden" name="{}" value="{}">').format(FORM_FIELD, site.access.form_key)
    given = {"site": site, "form_key": key, "here": request.url.path, **words}
    return HTMLResponse(site.templates.get_template(template).render(given), status)


def told(request: Request, field: str) -> str:
    """Return what was told of a field in the form that was sent, without spaces around it."""
    form: dict[str, list[str]] = request.state.form
    return form.get(field, [""])[0].strip()


def error_page(request: Request, status: int, title: str, why: str) -> Response:
    """Say what went wrong, and what to do."""
    return page(request, "error.html.j2", status, title=title, why=why)


def report_page(html: str) -> Response:
    """Return a published page as it is, where it can run no script, ask for nothing and see nothing of the site."""
    return HTMLResponse(html, headers={POLICY: OF_A_REPORT, "x-frame-options": "SAMEORIGIN"})


def asset(request: Request) -> Response:
    """Return a style sheet, a script or a picture."""
    site: Site = request.state.site
    name = request.path_params["name"]
    if name not in site.assets:
        return error_page(request, 404, *NOT_FOUND)
    return Response(site.assets[name], media_type=TYPES[name.rpartition(".")[2]])


NOT_FOUND: Final = ("There is no such page", "Perhaps the address was mistyped. Begin at the first page.")


def _seen(value: object) -> object:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
