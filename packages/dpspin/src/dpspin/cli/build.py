"""What is made from auxiliary records: dictionaries (``atoms build``), drafts (``suggest``) and labels (``teach``)."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpspin.cli import flags
from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import reading, say
from dpspin.errors import RequestError, SourceError

if TYPE_CHECKING:
    from dpspin.public.atoms.build.manifest import Built
    from dpspin.public.atoms.build.suggestions import Suggestions

app = typer.Typer(
    help="Build a dictionary from AUXILIARY records, NEVER from the protected: that would publish them unprotected.",
    no_args_is_help=True,
)

AuxArgument = Annotated[
    str, typer.Argument(metavar="AUX", help="AUXILIARY or public records (file, folder, glob): NEVER the protected.")
]
TextOption = Annotated[str, typer.Option("--text", help="The column with the records' words.")]
OutOption = Annotated[
    Path, typer.Option("--out", help="The dictionary to write, a .json file that does not exist yet.")
]
UserOption = Annotated[
    str | None, typer.Option("--user", help="The column with the user id: a release that protects users needs it.")
]


@app.command("taxonomy")
def taxonomy(
    aux: AuxArgument,
    text: TextOption,
    out: OutOption,
    size: Annotated[int, typer.Option("--size", "-m", min=1, help="The most atoms to take.")],
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level", help="A column of the taxonomy, the broadest first (default: Product, Issue, Sub-issue)."
        ),
    ] = None,
    min_support: Annotated[int, typer.Option("--min-support", min=1, help="The fewest records with a path.")] = 1,
    user: UserOption = None,
    crosswalk: Annotated[
        Path | None,
        typer.Option(
            "--crosswalk", help="A CSV file (old,new) of labels that were renamed: records count for the new."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take the taxonomy paths that most auxiliary records carry; of equal ones the first by name."""
    from dpspin.building import build_taxonomy
    from dpspin.public.atoms.build.taxonomy import CFPB_LEVELS

    require_new(out, ".json")
    built = build_taxonomy(
        aux,
        text=text,
        size=size,
        name=out.stem,
        levels=level or CFPB_LEVELS,
        min_support=min_support,
        user=user,
        crosswalk=crosswalk,
    )
    _write(built, out, as_json=as_json)


@app.command("phrases")
def phrases(
    aux: AuxArgument,
    text: TextOption,
    out: OutOption,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="generic (any English text), a YAML file with the rules of your field, or a field of the paper: "
            "amazon-beauty, yelp-restaurants.",
        ),
    ] = "generic",
    size: Annotated[
        int | None, typer.Option("--size", "-m", min=1, help="The most atoms to take (default: all).")
    ] = None,
    min_support: Annotated[
        int | None,
        typer.Option("--min-support", min=1, help="The fewest records with a phrase (default: the profile's)."),
    ] = None,
    user: UserOption = None,
    count_users: Annotated[
        bool,
        typer.Option("--count-users", help="Support counts the users who say a phrase, not the records.", metavar=""),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take the two-word phrases that most auxiliary records say, through the paper's steps."""
    from dpspin.building import build_phrases

    require_new(out, ".json")
    if count_users and user is None:
        raise RequestError("--count-users needs the column with the user id (--user)")
    built = build_phrases(
        aux,
        profile,
        text=text,
        size=size,
        min_support=min_support,
        user=user,
        by_user=count_users,
        name=out.stem,
    )
    _write(built, out, as_json=as_json)


def _manifest_beside(out: Path) -> Path:
    return out.with_suffix(".manifest.json")


def require_new(out: Path, *endings: str) -> None:
    """Refuse a name that would hide what is in a file, and a file that is there: nothing is changed in place."""
    if endings and out.suffix.lower() not in endings:
        raise RequestError(f"--out takes a {endings[0]} file, not {out.name!r}")
    for file in (out, _manifest_beside(out)):
        if file.exists():
            raise RequestError(f"{file} exists, and someone may have edited it: choose another name (--out)")


def _write(built: "Built", out: Path, *, as_json: bool) -> None:
    from dpspin.public.atoms.dictionary_files import dumps

    manifest = _manifest_beside(out)
    out.write_text(dumps(built.universe), encoding="utf-8")
    manifest.write_text(built.manifest.to_json(), encoding="utf-8")
    if as_json:
        say(built.manifest.to_json(), nl=False)
        return
    for step in built.manifest.steps:
        say(f"{step.candidates:>8}  {step.name}")
    say(f"{built.universe.size} atoms in {out}, how they came about in {manifest}", err=True)
    say(f"read them before you use them: dpspin atoms show {out}", err=True)


def suggest(
    aux: AuxArgument,
    text: TextOption,
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
    from dpspin.curator.records.auxiliary import auxiliary_text, open_for_dictionary
    from dpspin.public.atoms.build.suggestions import WARNING, draft
    from dpspin.public.atoms.build.suggestions import suggest as suggested
    from dpspin.public.atoms.packs import load_named

    require_new(out, ".yaml", ".yml")
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


@flags.takes(
    *("atoms", "records.map.url", "records.map.model"),
    *("records.map.endpoint_is_trusted", "records.map.atoms_per_record"),
    required=("atoms", "records.map.url", "records.map.model"),
)
def teach(
    given: dict[str, object],
    aux: AuxArgument,
    text: TextOption,
    out: Annotated[Path, typer.Option("--out", help="A new JSONL file: text and atoms, for --aux and --aux-label.")],
    most: Annotated[int, typer.Option("--texts", min=1, help="How many texts to label, from the first on.")] = 500,
) -> None:
    """Let a language model label auxiliary text, once: a small local map then learns from it (--map taught, hybrid)."""
    from itertools import islice

    from dpspin.boundary.request_terms import placed, read_as
    from dpspin.curator.assign.chosen_map import labeller_of
    from dpspin.curator.assign.llm.llm_map import Teacher
    from dpspin.curator.records.auxiliary import Auxiliary, open_auxiliary
    from dpspin.curator.records.columns import TEACHER_COLUMN, TEXT
    from dpspin.request import FitRequest

    require_new(out)
    corpus = open_auxiliary(Auxiliary(aux, text), with_users=False)
    asked = read_as(FitRequest, placed({"records.map": "llm", **given}))
    model: Any = asked.records.map  # a language model: its kind was told above
    teacher = Teacher(labeller_of(model, asked.dictionary(), out.absolute().parent / ".dpspin-teacher"))
    every = (words for batch in corpus.batches() for words in batch.column(TEXT).to_pylist() if words) if corpus else ()
    texts = list(islice(every, most))
    taught = [(words, found) for words, found in zip(texts, teacher(texts), strict=True) if found is not None]
    lines = [
        json.dumps({"text": words, "atoms": list(found), TEACHER_COLUMN: teacher.name}, ensure_ascii=False)
        for words, found in taught
    ]
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    say(f"{len(taught):,} of {len(texts):,} texts are labelled in {out}. Use it with:", err=True)
    say(f"  --aux {out} --aux-text text --aux-label atoms", err=True)
