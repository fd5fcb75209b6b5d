"""``dpspin release``: the curator's side, and the folder that may be published."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import say
from dpspin.errors import DpSpinError, RequestError
from dpspin.public.narrate.modes import Length

if TYPE_CHECKING:
    from dpspin.curator.ledger.filings import Filed
    from dpspin.request import ReleaseRequest

REQUEST_FILES = (".yaml", ".yml")
RECORDS = flags.FLAGS["records.sketches"].panel


@flags.takes(*flags.FLAGS)
def release(
    given: dict[str, object],
    data: Annotated[
        str | None,
        typer.Argument(
            metavar="DATA",
            help="A file, a folder, a glob in quotes, an address; or a request.yaml.",
            show_default=False,
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
    engine: Annotated[
        Literal["local", "spark"],
        typer.Option(
            "--engine",
            help="What reads DATA: this machine, or Spark (Parquet or ORC; needs --dataset and --snapshot).",
            rich_help_panel=RECORDS,
        ),
    ] = "local",
    master: Annotated[
        str | None,
        typer.Option(
            "--master",
            help="With --engine spark: the cluster, as in spark://host:7077 or local[4].",
            rich_help_panel=RECORDS,
            show_default=False,
        ),
    ] = None,
    ask_approval: flags.AskOption = None,
    note: flags.NoteOption = "",
) -> None:
    """Release a differentially private plan and its verified report.

    Needed: DATA, --text, --atoms, --unit (with --user), --epsilon, --denominator (or --count-share)
    and --out; or a request.yaml and --out.

    It is charged to the dataset's budget before noise is drawn. Without a budget that was decided
    earlier, the first release is all of it (see --budget). The same request again costs nothing.

    As in: dpspin release tickets.csv --text body --atoms support-tickets --unit user --user customer
    --epsilon 1 --denominator 20000 --out march
    """
    if master is not None and engine == "local":
        raise RequestError("--master names a cluster of Spark: it goes with --engine spark")
    if ask_approval is not None and engine == "spark":
        raise RequestError(
            "a release that Spark measures cannot be filed for approval: an officer makes the request again, and Spark "
            "is not there to say how its records are made. Leave --engine out of both, or take an account without "
            "officers"
        )
    with told_of(data):
        if ask_approval is not None:
            _ask(_asked(data, given), ask_approval, note)
            return
        _release(given, data, out, save_request, length, partial(read_by, engine, master))


def _ask(request: "ReleaseRequest", key: Path, note: str) -> None:
    from dpspin.cli.key import open_key
    from dpspin.cli.terminal import working

    signing = open_key(key)
    with working("making the request"):
        from dpspin import pipeline

        filed = pipeline.ask(request, signing, note)
    tell_filed(filed)


def tell_filed(filed: "Filed") -> None:
    """Say what was filed, and how it goes on."""
    say(filed.digest)
    say(f"filed for approval: dpspin approve {filed.short} --key KEY --reason WHY. Nothing was charged", err=True)


@contextmanager
def told_of(data: str | None) -> Iterator[None]:
    """Let an error speak of fields, where a request file names them, and of options where these do."""
    try:
        yield
    except DpSpinError as error:
        error.of_file = is_request_file(data)
        raise


def _release(
    given: dict[str, object],
    data: str | None,
    out: Path | None,
    save_request: Path | None,
    length: Length,
    reading: "Callable[[ReleaseRequest], AbstractContextManager[ReleaseRequest]]",
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
    with reading(pipeline.dated(request)) as read:
        released = pipeline.run(read, out, attendant, length)
    tell_release(out, released)
    attendant.tell_whether_anyone_looked(read)


@contextmanager
def read_by(engine: str, master: str | None, request: "ReleaseRequest") -> "Iterator[ReleaseRequest]":
    """Return the request; where Spark reads, with the table that it holds. The numbers are the same."""
    if engine == "local":
        yield request
        return
    from dpspin.boundary.request_terms import read_as
    from dpspin.curator.records.spark_files import read_by_spark
    from dpspin.curator.release.measurement import Measurement
    from dpspin.request import ReleaseRequest, SketchFiles

    if isinstance(request.records, SketchFiles):
        raise RequestError("Spark reads records, and sketch files are read here: leave --engine out")
    with read_by_spark(str(request.records.data), master) as table:
        records = read_as(Measurement, {**dict(request.records), "data": table})
        yield read_as(ReleaseRequest, {**dict(request), "records": records})


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
