"""A draft dictionary as YAML with comments: what a person needs to keep, rename, merge or strike an atom."""

import json
from collections.abc import Iterator

from dpspin.boundary.atoms import AuxiliaryText
from dpspin.public.stage0_atoms.suggest.suggest import Suggestion, Suggestions

WARNING = (
    "Only for auxiliary or public text. If these phrases come from the protected records, this list is itself an "
    "unprotected release of them: do not use it."
)
TO_DO = (
    "A draft for people to edit: strike what you do not want to measure, rename, merge, write descriptions and",
    "counter-examples, then run `dpspin atoms lint`. The whole file is published with a report, examples included:",
    "read every example, and keep only those that you may publish.",
)


def draft(found: Suggestions, *, name: str, origin: str, auxiliary: AuxiliaryText) -> str:
    """Return the text of the draft; ``origin`` says in one line which auxiliary text was read."""
    steps = ", ".join(f"{count} {step}" for step, count in found.steps.items())
    head = [
        *(f"# {line}" for line in (WARNING, *TO_DO)),
        f"name: {_quoted(name)}",
        'version: "draft"',
        "provenance:",
        "  source: auxiliary",
        f"  note: {_quoted(f'{origin}; {found.documents} documents; phrases: {steps}')}",
        f"  auxiliary: {auxiliary.model_dump_json(exclude_none=True)}",  # JSON is YAML
        "atoms:",
    ]
    atoms = [line for number, one in enumerate(found.best, start=1) for line in _atom(number, one)]
    return "\n".join([*head, *atoms]) + "\n"


def _atom(number: int, one: Suggestion) -> Iterator[str]:
    yield f"  # {support_of(one)}; {f'the pack has {_quoted(one.covered_by)}' if one.covered_by else 'new'}"
    yield f"  - id: {number}"
    yield f"    label: {_quoted(one.label)}"
    if one.cues:
        yield f"    cues: [{', '.join(map(_quoted, one.cues))}]"
    if one.examples:
        yield "    examples:"
        yield from (f"      - {_quoted(sentence)}" for sentence in one.examples)


def support_of(one: Suggestion) -> str:
    """Return the support in words."""
    return f"{one.documents} documents" + ("" if one.users is None else f" of {one.users} users")


def _quoted(text: str) -> str:
    """Return a string as JSON, which is YAML too, whatever its words look like."""
    return json.dumps(text, ensure_ascii=False)
