"""``dpspin release``: the curator's side, and the folder that may be published."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import say
from dpspin.errors import DpSpinError, RequestError
from dpspin.public.narrate.modes import Length

if TYPE_CHECKING:
    from dpspin.request import ReleaseRequest

REQUEST_FILES = (".yaml", ".yml")


@flags.takes(*flags.FLAGS)
def release(
    given: dict[str, object],
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA", help="A file, a folder, a glob in quotes; or a request.yaml.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Writes OUT/release (publishable) and OUT/curator (private).", show_default=False),
    ] = None,
    save_request: Annotated[
        Path | None,
        typer.Option(
            "--save-request", help="Write the request to this YAML file instead, and stop.", show_default=False
        ),
    ] = None,
    length: Annotated[
        Length,
        typer.Option(
            "--length", help="The report's text: short (about five sentences) or full.", rich_help_panel=flags.REPORT
        ),
    ] = Length.FULL,
) -> None:
    """Release a differentially private plan and its verified report.

    Needed: DATA, --text, --atoms, --unit (with --user), --epsilon, --denominator (or --count-share)
    and --out; or a request.yaml and --out.

    It is charged to the dataset's budget before noise is drawn. Without a budget that was decided
    earlier, the first release is all of it (see --budget). The same request again costs nothing.

    As in: dpspin release tickets.csv --text body --atoms support-tickets --unit user --user customer
    --epsilon 1 --denominator 20000 --out march
    """
    with told_of(data):
        _release(given, data, out, save_request, length)


@contextmanager
def told_of(data: str | None) -> Iterator[None]:
    """Let an error speak of fields, where a request file names them, and of options where these do."""
    try:
        yield
    except DpSpinError as error:
        error.of_file = is_request_file(data)
        raise


def _release(
    given: dict[str, object], data: str | None, out: Path | None, save_request: Path | None, length: Length
) -> None:
    from dpspin.cli.terminal import working

    with working("getting ready"):  # what is loaded takes a second or two
        from dpspin import pipeline
        from dpspin.cli.attend import AtTheTerminal, tell_release

        request = _asked(data, given)
    if save_request is not None:
        request.save(save_request)
        say(
            f"{save_request}: request {request.digest}. Release it with: dpspin release {save_request} --out …",
            err=True,
        )
        return
    if out is None:
        raise RequestError("name the folder to write (--out)")
    attendant = AtTheTerminal(by_file=is_request_file(data))
    released = pipeline.run(_dated(request), out, attendant, length)
    tell_release(out, released)
    attendant.tell_whether_anyone_looked(request)


def is_request_file(data: str | None) -> bool:
    """Tell a request file from records."""
    return data is not None and data.endswith(REQUEST_FILES)


def load_request(file: str, given: dict[str, object]) -> "ReleaseRequest":
    """Read a request from its file, which settles all that options could say."""
    from dpspin.request import ReleaseRequest

    if given:
        also = ", ".join(flags.FLAGS[field].names[0] for field in given)
        raise RequestError(f"the request file settles {also}: leave that out, or change the file")
    return ReleaseRequest.load(file)


def _asked(data: str | None, given: dict[str, object]) -> "ReleaseRequest":
    """Build the request from the options, or read it from its file, which settles all of them."""
    from dpspin.boundary.request_terms import placed
    from dpspin.request import ReleaseRequest

    if data is not None and is_request_file(data):
        return load_request(data, given)
    names = {field: flags.FLAGS[field].names[0] for field in given}
    if (data is None) == ("records.sketches" not in given):
        raise RequestError("name the records (DATA) or sketch files of them (--sketch), and not both")
    settled = [name for field, name in names.items() if field.startswith("records.") and name != "--sketch"]
    if data is None and settled:
        raise RequestError(f"the sketch files settle {', '.join(settled)}: leave that out with --sketch")
    named = {} if data is None else {"records.data": data}
    return ReleaseRequest.read(placed({**flags.in_words(given), **named}))


def _dated(request: "ReleaseRequest") -> "ReleaseRequest":
    """Let the report bear today's date, where none was told."""
    from dpspin.boundary.safe_files import today

    if request.about.date:
        return request
    return request.model_copy(update={"about": request.about.model_copy(update={"date": today()})})
