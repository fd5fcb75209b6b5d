"""Write ``reference/conformance.md`` from ``conformance.yaml``: the paper item by item, and what shows each.

Run it after any change of the file: ``python docs/generate_conformance_page.py``. Tests compare page and file, import
every name, look for every test, and ask of the paper's labels that none is missing.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

FOLDER = Path(__file__).with_name("reference")
SOURCE, PAGE = FOLDER / "conformance.yaml", FOLDER / "conformance.md"
Some = Annotated[tuple[str, ...], Field(min_length=1)]
Verdict = Literal["exact", "better", "differs", "untestable"]
MEANING: dict[Verdict, str] = {
    "exact": "as the paper defines it",
    "better": "the paper's own is kept or contained, and what goes beyond it is said",
    "differs": "another choice, mostly where the paper prints none, with the reason",
    "untestable": "cannot be tested here; the command would test it elsewhere",
}
OPENING = """\
# Conformance with the paper

<!-- Written by docs/generate_conformance_page.py from conformance.yaml: change that file and run it again. -->

Every definition, formula, algorithm, default, protocol step, metric, prompt, table and figure of the paper, in our
words, with where it is and what shows it. Small print in the first column are the paper's own labels; a test asks that
none of them is missing here. Code is imported by a test, and tests are looked for; commands are parsed. What the runs
say about the paper's *claims* is on the [results page](results.md).
"""


class Row(BaseModel):
    """One item of the paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    item: str
    labels: tuple[str, ...] = ()
    verdict: Verdict
    why: str = ""
    code: Some
    tests: tuple[str, ...] = ()
    run: str = ""


class Part(BaseModel):
    """The items of one part of the paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    part: str
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]


def parts() -> tuple[Part, ...]:
    """Read the file."""
    return TypeAdapter(tuple[Part, ...]).validate_python(yaml.safe_load(SOURCE.read_text(encoding="utf-8")))


def page() -> str:
    """Return the text of the whole page."""
    every = parts()
    counts = Counter(row.verdict for part in every for row in part.rows)
    summary = [f"| {name} | {counts[name]} | {meaning} |" for name, meaning in MEANING.items()]
    lines = [OPENING, "| verdict | items | meaning |", "|---|---:|---|", *summary, ""]
    return "\n".join([*lines, *(line for part in every for line in _section(part))])


def _section(part: Part) -> Iterator[str]:
    yield from (f"## {part.part}", "", "| the paper | here | where, and what shows it |", "|---|---|---|")
    yield from (f"| {_said(row)} | **{row.verdict}**{_why(row)} | {_shown(row)} |" for row in part.rows)
    yield ""


def _said(row: Row) -> str:
    labels = f"<br><small>{', '.join(row.labels)}</small>" if row.labels else ""
    return row.item + labels


def _why(row: Row) -> str:
    return f". {row.why}" if row.why else ""


def _shown(row: Row) -> str:
    shown = [f"`{name}`" for name in row.code]
    shown += [f"<small>{test.split('/')[-1].replace('::', ': ')}</small>" for test in row.tests]
    return "<br>".join([*shown, *([f"`{row.run}`"] if row.run else [])])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
