"""``dpspin schema``: the JSON schemas of what the tool reads and writes."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from dpspin.cli.terminal import say


class Document(StrEnum):
    """A document with a schema."""

    PLAN = "plan"
    ATOMS = "atoms"


def schema(document: Annotated[Document, typer.Argument(help="plan: plan.json; atoms: a dictionary file.")]) -> None:
    """Print a JSON schema."""
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan

    schemas = {Document.PLAN: SemanticPlan.model_json_schema, Document.ATOMS: AtomUniverse.model_json_schema}
    say(json.dumps(schemas[document](), indent=2))
