"""``dpspin verify``: check a whole release, or a text against a plan, one at a time or thousands from a file."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.boundary.safe_files import LARGEST
from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import InputError
from dpspin.public.narrate.modes import Mode

MOST_OF_A_BATCH = 4 * LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpspin.boundary.plan import SemanticPlan
    from dpspin.public.narrate.verify import SentenceVerdict, Verdict
    from dpspin.public.release_check.findings import ReleaseVerdict


def verify(
    plan: Annotated[
        str | None, typer.Argument(metavar="PLAN", help="A release folder, a plan.json file, or - for stdin.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="A text file, or - for stdin; without one, the whole release is checked."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="Of a whole release: the curator's public key, as its line or in a file."),
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option("--mode", help="How to read the text: display (default) or audit, with markers.")
    ] = None,
    as_json: JsonOption = False,
    settle: Annotated[
        bool, typer.Option("--settle", help="Print what of the text stands, and leave the rest out.", metavar="")
    ] = False,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", help="A JSONL file of {plan, mode, text} (and atoms, id); plan is a plan or the path of one."
        ),
    ] = None,
) -> None:
    """Check that a release is whole, signed and true to its plan; or that a text is. Exit code 1 if it is rejected."""
    match plan, text, batch:
        case None, None, str() if not (mode or as_json or settle or key):
            _verify_batch(batch)
        case str(), None, None if Path(plan).is_dir() and not (mode or settle):
            _verify_release(Path(plan), key, as_json=as_json)
        case str(), str(), None if not (as_json and settle) and key is None:
            _verify_one(plan, text, mode or Mode.DISPLAY, as_json=as_json, settle=settle)
        case _:
            raise InputError(
                "give a release folder alone (with --key), or a plan and a text, or --batch FILE.jsonl alone (each "
                "line names its mode)"
            )


def _verify_release(folder: Path, key: str | None, *, as_json: bool) -> None:
    from dpspin.boundary.signing import read_public_key
    from dpspin.public.release_check.check import check_release

    if key is not None and Path(key).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"the key {key!r} lies in the release, where a forger would put theirs: get it another way")
    verdict = check_release(folder, None if key is None else read_public_key(key))
    say(verdict.model_dump_json(indent=2) if as_json else "\n".join(_of_a_release(verdict, key_given=key is not None)))
    raise typer.Exit(0 if verdict.accepted else 1)


def _of_a_release(verdict: "ReleaseVerdict", *, key_given: bool) -> "Iterator[str]":
    """Tell the decision first, then what is wrong, what holds, and what was not checked."""
    accepted = "accepted" if key_given else "accepted, but by nobody's key: it agrees with itself, and no more is known"
    yield accepted if verdict.accepted else "rejected"
    for head, told in (("wrong", verdict.wrong), ("holds", verdict.holds), ("not checked", verdict.not_checked)):
        yield from (f"  {head}: {each}" for each in told)
    if not verdict.accepted and verdict.signed_by is not None:
        yield "If you are its curator and changed it yourself, sign it again: dpspin sign"


def _verify_one(plan: str, text: str, mode: Mode, *, as_json: bool, settle: bool) -> None:
    from dpspin.cli.plans import plan_in, read_plan, read_text
    from dpspin.public.atoms.packs import require_atoms_beside
    from dpspin.public.narrate import verify as verifier

    if plan == text == "-":
        raise InputError("stdin can hold the plan or the text, not both")
    plan = plan_in(plan)
    released, words = read_plan(plan), read_text(text)
    verdict = verifier.verify(released, words, mode, require_atoms_beside(plan, released))
    if settle:
        stands = _settled(released, words, mode, plan)
        say(stands)
        again = verifier.verify(released, stands, mode, require_atoms_beside(plan, released))
        raise typer.Exit(0 if again.accepted else 1)
    say(verdict.model_dump_json() if as_json else "\n".join(_in_words(verdict)))
    raise typer.Exit(0 if verdict.accepted else 1)


def _in_words(verdict: "Verdict") -> "Iterator[str]":
    """Tell the decision, and what is wrong sentence by sentence."""
    good = len(verdict.sentences) - len(verdict.refused)
    yield f"{'accepted' if verdict.accepted else 'rejected'}: {good} of {len(verdict.sentences)} sentences verified"
    yield from (_line(each) for each in verdict.refused)
    yield from (f"\nmissing: {each.message}\n  {each.rule}" for each in verdict.missing)


def _line(sentence: "SentenceVerdict") -> str:
    return f"\n{sentence.status}: {sentence.text}\n  {sentence.rule}: {sentence.message}"


def _settled(plan: "SemanticPlan", text: str, mode: Mode, path: str) -> str:
    """Return what of a text stands, word for word."""
    from dpspin.public.atoms.packs import require_atoms_beside
    from dpspin.public.narrate.facts import Facts
    from dpspin.public.narrate.language import Language
    from dpspin.public.narrate.verify import settle

    settled = settle(text, Language(Facts(plan, require_atoms_beside(path, plan)), mode))
    say(f"{settled.kept} sentences stand, {settled.left_out} were left out", err=True)
    return settled.text


def _verify_batch(source: str) -> None:
    """Answer each line with one verdict; a line that cannot be read is answered with an error, and the rest goes on."""
    from dpspin.cli.plans import read_text
    from dpspin.public.narrate.batch import answer_lines

    all_accepted = True
    for verdict in answer_lines(read_text(source, most=MOST_OF_A_BATCH).split("\n")):
        all_accepted &= bool(verdict.get("accepted"))
        say(json.dumps(verdict))
    raise typer.Exit(0 if all_accepted else 1)
