"""``dpspin sample``: draw a secret sample of the records for somebody to read, so that a release can be corrected."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import flags
from dpspin.cli.release import is_request_file, load_request, told_of
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.curator.aggregate.reading_folder import ReadingFolder


@flags.takes(*flags.OF_SAMPLES)
def sample(
    given: dict[str, object],
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA", help="A file, a folder, a glob in quotes, an address; or the request.yaml of a release."
        ),
    ],
    read: Annotated[
        int, typer.Option("--read", min=1, help="About how many to read: records, or users with all theirs.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder for the sample. It is private: it holds records.")],
    of: Annotated[
        str | None,
        typer.Option(
            "--of", help="About how many there are, by public knowledge (default: --denominator).", show_default=False
        ),
    ] = None,
) -> None:
    """Draw a secret sample of the records to be read; nothing is released or charged.

    Needed: --read, --out, and of the release that follows DATA, --text, --atoms, --unit (with --user) and
    --denominator (or --of), with its other options about records and account; or its request.yaml.

    As in: dpspin sample tickets.csv --text body --atoms support-tickets --unit record --denominator 20000
    --read 300 --out march/curator/reading
    """
    with told_of(data):
        folder = _drawn(given, data, read, out, of)
    records = folder.records()
    left = sum(not record.themes for record in records)
    say(f"{len(records):,} records are drawn, {left:,} of them not read yet. These numbers stay secret.", err=True)
    say(f"Keep private: {out}. Read them with: dpspin read {out}", err=True)
    say(f"(or fill in the column themes of {out / 'reading.csv'}: ids or labels, ; between; none for none)", err=True)
    say(f"Then release as you asked here, with --reading {out}. Nothing was charged.", err=True)


def _drawn(given: dict[str, object], data: str, read: int, out: Path, of: str | None) -> "ReadingFolder":
    from dpspin.cli.terminal import working
    from dpspin.sampling import SampleRequest, draw

    if is_request_file(data):
        asked = SampleRequest.of(load_request(data, given))
    else:
        asked = SampleRequest.read({**flags.in_words(given), "records.data": data})
    return draw(asked, read, out, of, working("fitting the map, and drawing"))
