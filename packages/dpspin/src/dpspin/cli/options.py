"""Options that several commands share, besides those that build a request (``flags``)."""

from enum import StrEnum
from typing import Annotated

import typer

from dpspin.public.narrate.modes import Length


class Unit(StrEnum):
    """What is protected."""

    RECORD = "record"
    USER = "user"


class AdjacencyName(StrEnum):
    """Which datasets count as neighbours."""

    ADD_DROP = "add_drop"
    REPLACE = "replace"


class Preset(StrEnum):
    """Choices that go together."""

    PAPER = "paper"


AtomsOption = Annotated[
    str, typer.Option("--atoms", help="A pack's name (see `dpspin atoms packs`) or a dictionary file.")
]
TextOption = Annotated[str, typer.Option("--text", help="The column with the records' words.")]
LlmUrlOption = Annotated[
    str | None, typer.Option("--llm-url", help="An OpenAI-compatible endpoint on this machine: http://127.0.0.1:…/v1.")
]
LlmModelOption = Annotated[str | None, typer.Option("--llm-model", help="The model's name there.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
LedgerOption = Annotated[
    str | None, typer.Option("--ledger", help="Where budgets are kept (default: $DPSPIN_LEDGER or your data folder).")
]
LengthOption = Annotated[
    Length, typer.Option("--length", help="The template's text: short (about five sentences) or full.")
]
PlanArgument = Annotated[
    str, typer.Argument(metavar="PLAN", help="A release folder, a plan.json file, or - for stdin.")
]
