"""``dpspin audit``: does a release keep its promise, as far as counting can tell? Made-up records only."""

import json
import os
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dpspin.audit.cases import AnyCase, Passage

Item = TypeVar("Item")


def audit(
    releases: Annotated[
        int, typer.Option("--releases", min=100, help="Counted releases of each corpus in a trial; nightly: 64000.")
    ] = 4000,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="Only trials of mechanisms whose name begins so.")
    ] = None,
    reader: Annotated[
        str | None, typer.Option("--reader", help="Only trials from the file on, by readers whose name begins so.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Trials at the same time; default: one per processor.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try to refute every mechanism and every reader on neighbours, and show that broken variants are refuted."""
    from dpspin.audit import findings as report
    from dpspin.audit.cases import Case, findings
    from dpspin.audit.samplers import fits
    from dpspin.audit.trial import Effort

    effort = Effort(pilot=releases // 4, releases=releases)
    at_once, whole = jobs or os.cpu_count() or 1, mechanism is None and reader is None
    cases = _cases(mechanism) if whole or mechanism is not None else []
    passages = _passages(reader) if whole or reader is not None else []
    show = _silent if as_json else say
    trials = [case for case in cases if isinstance(case, Case)]
    samples = [case for case in cases if not isinstance(case, Case)]
    found = _shown(report.TRIALS, findings(trials, effort, at_once), report.finding_line, show)
    grounded = _shown(report.SAMPLES, findings(samples, effort, at_once), report.finding_line, show)
    read = _shown(report.PASSAGES, findings(passages, effort, at_once), report.finding_line, show)
    tested = _shown(report.SAMPLERS, fits() if whole else (), report.fit_line, show)
    if as_json:
        say(json.dumps(report.as_json(found, grounded, read, tested, effort), indent=2))
    for line in report.closing_lines([*found, *grounded, *read], tested, effort):
        show(line)
    if not report.passed([*found, *grounded, *read], tested):
        raise typer.Exit(1)


def _shown(
    head: str, items: "Iterable[Item]", line: "Callable[[Item], str]", show: "Callable[[str], None]"
) -> "list[Item]":
    """Show each as it comes: a trial takes seconds."""
    seen: list[Item] = []
    for item in items:
        if not seen:
            show(head)
        show(line(item))
        seen.append(item)
    if seen:
        show("")
    return seen


def _silent(line: str) -> None:
    """Leave stdout to the JSON."""


def _cases(mechanism: str | None) -> "list[AnyCase]":
    from dpspin.audit.cases import lives, mutant_cases, phrasings, readings, shipped_cases, viewings

    every: list[AnyCase] = [*shipped_cases(), *mutant_cases(), *readings(), *viewings(), *lives(), *phrasings()]
    return _beginning(mechanism, "mechanism", every, lambda case: case.name)


def _passages(reader: str | None) -> "list[Passage]":
    from dpspin.audit.cases import broken_passages, shipped_passages

    return _beginning(reader, "reader", [*shipped_passages(), *broken_passages()], lambda case: case.name)


def _beginning(start: str | None, what: str, items: "list[Item]", name: "Callable[[Item], str]") -> "list[Item]":
    """Choose by how the name begins."""
    from dpspin.errors import RequestError

    chosen = [item for item in items if name(item).startswith(start or "")]
    if not chosen:
        names = sorted({name(item) for item in items})
        raise RequestError(f"no {what} is called {start!r}; there are: {'; '.join(names)}")
    return chosen
