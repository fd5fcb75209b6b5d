"""A draft dictionary as YAML with comments: what a person needs to keep, rename, merge or strike an atom."""

import json
from collections.abc import Iterator

from dpspin.boundary.atoms import AuxiliaryText
from dpspin.public.atoms.suggest.suggest import Suggestion, Suggestions

WARNING = (
    "Only for auxiliary or public text. If these phrases come from the protected records, this list is itself an "
    "unprotected release of them: do not use it."
)
TO_DO = (
    "A draft for people to edit: strike what you do not want to measure, rename, merge, write descriptions and",
    "counter-examples, then run `dpspin atoms lint`. All but comments and salt is published, examples included:",
    "read every example, and keep only those that you may publish.",
)


NOTE = "phrases of auxiliary text by support, suggested by dpspin and edited by people"


def draft(found: Suggestions, *, name: str, origin: str, auxiliary: AuxiliaryText) -> str:
    """Return the text of the draft; ``origin`` says in one line which auxiliary text was read.

    That line and all counts are comments, since comments are not published. The salt stays with the curator likewise.
    """
    steps = ", ".join(f"{count} {step}" for step, count in found.steps.items())
    head = [
        *(f"# {line}" for line in (WARNING, *TO_DO)),
        f"# Not published: {_quoted(f'{origin}; {found.documents} documents; phrases: {steps}')}",
        f"name: {_quoted(name)}",
        'version: "draft"',
        "provenance:",
        "  source: auxiliary",
        f"  note: {_quoted(NOTE)}",
        "  # By the salt a release knows the auxiliary records again: keep it here. It is not published.",
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
