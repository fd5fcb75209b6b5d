"""``dpspin sketch``: measure one shard of a corpus where it lies; ``release --sketch`` brings shards together."""

import os
from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import say
from dpspin.errors import InputError, RequestError

SAMPLING = "records.sampling"  # a random sample is drawn anew for every release: no file keeps one


def _write_new_key(path: Path | None) -> None:
    from dpspin.boundary.folders import require_no_lab
    from dpspin.curator.aggregate.pseudonyms import write_new_key

    if path is not None:
        require_no_lab(path.parent)
        write_new_key(path)
        say(f"Keep private: {path}. Delete it when the last shard is sketched.", err=True)
        raise typer.Exit


@flags.takes(
    "atoms",
    *(field for field in flags.OF_RECORDS if field != SAMPLING),
    required=("atoms", "records.text", "records.unit"),
)
def sketch(
    given: dict[str, object],
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="One shard: a file, a folder, a glob in quotes, or an address.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The sketch file. It is private: exact sums, no noise.")],
    user_key: Annotated[
        Path | None, typer.Option("--user-key", help="User level: the file with the secret key that all shards share.")
    ] = None,
    new_user_key: Annotated[
        Path | None,
        typer.Option(
            "--new-user-key", callback=_write_new_key, is_eager=True, help="Write a new user key to a file, and stop."
        ),
    ] = None,
) -> None:
    """Measure one shard of a corpus into a private file of exact sums; nothing is released or charged."""
    from dpspin.boundary.privacy import UserUnit
    from dpspin.boundary.request_terms import placed, read_as
    from dpspin.cli.terminal import fitting_words, reading, working
    from dpspin.curator.aggregate.pseudonyms import shared_pseudonyms
    from dpspin.curator.aggregate.shards import sketch_shard
    from dpspin.request import SketchRequest

    del new_user_key  # its callback has stopped the command
    asked = read_as(SketchRequest, placed({**flags.in_words(given), "records.data": data}))
    if isinstance(asked.records.unit, UserUnit) != (user_key is not None):
        raise RequestError("--user-key goes with --unit user, and is needed there: shards must name users alike")
    atoms = asked.dictionary()
    pseudonyms = None if user_key is None else shared_pseudonyms(user_key)
    _require_place(out)
    with working(fitting_words(atoms)):
        records = asked.records.records(atoms, out.absolute().parent / ".dpspin-llm", asked.candidates())
    with reading("reading") as tell:
        sketch_shard(out, records.watched(tell), pseudonyms=pseudonyms)
    say(
        f"Keep private: {out} (exact sums, no noise). Release it with: dpspin release --sketch {out} --atoms …",
        err=True,
    )


def _require_place(out: Path) -> None:
    """Refuse a place that cannot be written, is the lab's or holds something else, before any record is read."""
    from dpspin.boundary.folders import require_no_lab
    from dpspin.curator.aggregate.sketch_file import read_header

    if not out.parent.is_dir() or not os.access(out.parent, os.W_OK | os.X_OK):
        raise InputError(f"cannot write {str(out)!r}: {str(out.parent)!r} is no folder to write in; change --out")
    require_no_lab(out.parent)
    if out.exists():
        try:
            read_header(out)
        except InputError:
            raise InputError(f"{str(out)!r} is there and is no sketch file; change --out") from None
