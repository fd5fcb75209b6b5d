"""``dpspin atoms suggest``: a draft dictionary from auxiliary text, for people to edit."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError, SourceError

if TYPE_CHECKING:
    from dpspin.public.atoms.build.suggestions import Suggestions


def suggest(
    aux: Annotated[
        str,
        typer.Argument(metavar="AUX", help="AUXILIARY or public records (file, folder, glob): NEVER the protected."),
    ],
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
    out: Annotated[Path, typer.Option("--out", help="The draft to write, a .yaml file that does not exist yet.")],
    user: Annotated[
        str | None, typer.Option("--user", help="The column with the user id; support then counts users.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=1, help="The most atoms to propose.")] = 60,
    min_support: Annotated[
        int, typer.Option("--min-support", min=2, help="The fewest records (or users) that say a phrase.")
    ] = 25,
    examples: Annotated[
        int, typer.Option("--examples", min=0, max=6, help="Sentences to quote per atom; they would be published.")
    ] = 6,
    from_pack: Annotated[
        str | None, typer.Option("--from-pack", help="A pack or dictionary: show which of its atoms covers what.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Propose atoms from AUXILIARY text, NEVER from the protected records: that would publish them unprotected."""
    from dpspin.building import auxiliary_records
    from dpspin.cli.progress import reading
    from dpspin.curator.records.provenance import auxiliary_text, open_for_dictionary
    from dpspin.public.atoms.build.suggestions import WARNING, draft
    from dpspin.public.atoms.build.suggestions import suggest as suggested
    from dpspin.public.atoms.packs import load_named

    _require_new(out)
    known = None if from_pack is None else load_named(from_pack)
    corpus = open_for_dictionary(aux, text, user)
    say(WARNING, err=True)
    with reading("reading") as tell:
        texts, users = auxiliary_records(corpus.watched(tell))
    found = suggested(texts, users=users, size=size, min_support=min_support, most_examples=examples, known=known)
    if not found.best:
        raise SourceError(f"no phrase has a support of {min_support}; lower --min-support, or give more text")
    origin = f"suggested by dpspin from auxiliary text {Path(aux).name}; minimum support {min_support}"
    written = draft(found, name=out.stem, origin=origin, auxiliary=auxiliary_text(corpus))
    out.write_text(written, encoding="utf-8")
    say(_json(found) if as_json else _table(found, from_pack))
    say(f"{len(found.best)} candidates in {out}: a draft to edit, then `dpspin atoms lint {out}`", err=True)


def _require_new(out: Path) -> None:
    if out.suffix.lower() not in (".yaml", ".yml"):
        raise RequestError(f"--out takes a .yaml file, not {out.name!r}")
    if out.exists():
        raise RequestError(f"{out} exists, and someone may have edited it; choose another name")


def _json(found: "Suggestions") -> str:
    from dataclasses import asdict

    return json.dumps(asdict(found), ensure_ascii=False, indent=2)


def _table(found: "Suggestions", pack: str | None) -> str:
    rows = [["support", *(["users"] if found.best[0].users is not None else []), "label", "also said", pack or ""]]
    for one in found.best:
        users = [] if one.users is None else [str(one.users)]
        covered = "" if pack is None else one.covered_by or "(new)"
        rows.append([str(one.documents), *users, one.label, ", ".join(one.cues[:3]), covered])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
