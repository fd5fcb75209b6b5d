"""``dpspin verify``: check a text against a plan, one at a time or thousands from a file."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.boundary.plain_files import LARGEST
from dpspin.cli.narrate import ModeName
from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import InputError

MOST_OF_A_BATCH = 4 * LARGEST

if TYPE_CHECKING:
    from dpspin.public.stage3_narrate.verify.verdict import Verdict


def verify(
    plan: Annotated[str | None, typer.Argument(metavar="PLAN", help="A plan.json file.")] = None,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="A text file, or - for stdin.")] = None,
    mode: Annotated[
        ModeName | None, typer.Option("--mode", help="How to read the text: display (default) or audit, with markers.")
    ] = None,
    as_json: JsonOption = False,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", help="A JSONL file of {plan, mode, text} (and atoms, id); plan is a plan or the path of one."
        ),
    ] = None,
) -> None:
    """Check that a text says nothing but what its plan supports. Exit code 1 if it is rejected."""
    if batch is not None and plan is None and text is None and mode is None and not as_json:
        _verify_batch(batch)
    elif batch is None and plan is not None and text is not None:
        _verify_one(plan, text, mode or ModeName.DISPLAY, as_json=as_json)
    else:
        raise InputError("give a plan and a text, or --batch FILE.jsonl alone (each line names its mode)")


def _verify_one(plan: str, text: str, mode: ModeName, *, as_json: bool) -> None:
    from dpspin.cli.files import read_plan, read_text
    from dpspin.public.stage0_atoms.files import atoms_beside
    from dpspin.public.stage3_narrate.verify import verifier

    if plan == text == "-":
        raise InputError("stdin can hold the plan or the text, not both")
    released, words = read_plan(plan), read_text(text)
    atoms = atoms_beside(plan, released)
    if atoms is None:
        say("no matching atoms.json beside the plan: labels it does not list were not looked for", err=True)
    verdict = verifier.verify(released, words, mode.value, atoms)
    say(verdict.to_json() if as_json else _in_words(verdict, words))
    raise typer.Exit(0 if verdict.accepted else 1)


def _in_words(verdict: "Verdict", text: str) -> str:
    from dpspin.public.stage3_narrate.marked import explained, marked

    if verdict.accepted:
        return "accepted"
    return f"rejected\n\n{marked(text.rstrip(), verdict)}\n\n{explained(verdict)}"


def _verify_batch(source: str) -> None:
    """Answer each line with one verdict; a line that cannot be read is answered with an error, and the rest goes on."""
    from dpspin.cli.files import read_text
    from dpspin.public.stage3_narrate.verify.batch import answer_lines

    all_accepted = True
    for verdict in answer_lines(read_text(source, most=MOST_OF_A_BATCH).split("\n")):
        all_accepted &= bool(verdict.get("accepted"))
        say(json.dumps(verdict))
    raise typer.Exit(0 if all_accepted else 1)
