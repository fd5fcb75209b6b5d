"""``dpspin atoms teach``: a language model labels auxiliary text, once."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from dpspin.cli import flags
from dpspin.cli.terminal import say
from dpspin.errors import InputError


@flags.takes(
    *(
        "atoms",
        "records.map.url",
        "records.map.model",
        "records.map.endpoint_is_trusted",
        "records.map.atoms_per_record",
    ),
    required=("atoms", "records.map.url", "records.map.model"),
)
def teach(
    given: dict[str, object],
    aux: Annotated[str, typer.Argument(metavar="AUX", help="Auxiliary or public records; NEVER the protected ones.")],
    text: Annotated[str, typer.Option("--text", help="The column with the records' words.")],
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

    if out.exists():
        raise InputError(f"{str(out)!r} is there already; choose another --out")
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
