"""Reading what commands are given, plans and texts; and the two that only look something up: ``ask`` and ``schema``."""

import errno
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dpspin.boundary.safe_files import LARGEST, MEBIBYTE, read_plain_text
from dpspin.cli.flags import JsonOption, PlanArgument
from dpspin.cli.terminal import say
from dpspin.errors import InputError

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan


def read_text(source: str, most: int = LARGEST) -> str:
    """Read a file, or stdin for ``-``."""
    try:
        return _stdin(most) if source == "-" else read_plain_text(source, most=most)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {source!r}: {why}; - reads stdin") from None


def _stdin(most: int) -> str:
    text = sys.stdin.read(most + 1)
    if len(text) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // MEBIBYTE} MiB")
    return text


def plan_in(source: str) -> str:
    """Return the plan file that is meant: itself, or the one in a release folder."""
    from dpspin.boundary.folders import plan_file_in

    return str(plan_file_in(Path(source))) if Path(source).is_dir() else source


def read_plan(source: str) -> "SemanticPlan":
    """Read a plan file."""
    from dpspin.boundary.plan import SemanticPlan

    return SemanticPlan.from_json(read_text(source))


def ask(
    plan: PlanArgument,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS",
            help="A theme, an area, words of one, or a question in English. In quotes; one or several.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Ask a release: any theme or area of the dictionary, listed or not. Exit code 1 if something got no answer.

    Also: "what is the biggest problem?", "what is missing?", "show me an example"; and of views
    "where is it larger?", "since when?", "is it larger in app than in web?"
    """
    from dpspin.boundary.series import INDEX
    from dpspin.public.atoms.packs import require_atoms_beside
    from dpspin.public.narrate.ask import asked
    from dpspin.public.narrate.ask_series import ask_series
    from dpspin.public.series.series import read_series
    from dpspin.reader.signatures import Standing, signature_of

    is_series = (Path(plan) / INDEX).is_file()
    plan = plan if is_series else plan_in(plan)
    if signature_of(Path(plan) if is_series else Path(plan).parent).standing is Standing.BROKEN:
        raise InputError(
            "this release was changed after it was signed, so nothing of it is told: `dpspin verify` says what differs"
        )
    if is_series:
        answered = ask_series(read_series(Path(plan)).picture.facts, *words)
    else:
        released = read_plan(plan)
        answered = asked(released, require_atoms_beside(plan, released), *words)
    apart = filter(None, map("\n".join, answered.paragraphs()))
    say(answered.model_dump_json(indent=2) if as_json else "\n\n".join(apart))
    raise typer.Exit(0 if answered.all_found else 1)


def schema(
    document: Annotated[
        Literal["plan", "atoms", "comparison"],
        typer.Argument(help="plan: plan.json; atoms: a dictionary file; comparison: what compare --json answers."),
    ],
) -> None:
    """Print a JSON schema."""
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.comparison_fields import Comparison
    from dpspin.boundary.plan import SemanticPlan

    described = {
        "plan": SemanticPlan.model_json_schema,
        "atoms": AtomUniverse.model_json_schema,
        "comparison": Comparison.model_json_schema,
    }
    say(json.dumps(described[document](), indent=2))
