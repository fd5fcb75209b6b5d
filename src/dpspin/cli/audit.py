"""``dpspin audit``: does a release keep its promise, as far as counting can tell? Made-up records only."""

import json
import os
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dpspin.lab.audit.cases import Case

Item = TypeVar("Item")


def audit(
    releases: Annotated[
        int, typer.Option("--releases", min=100, help="Counted releases of each corpus in a trial; nightly: 64000.")
    ] = 4000,
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="Only trials of mechanisms whose name begins so; no samplers.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Trials at the same time; default: one per processor.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try to refute every mechanism on neighbouring corpora, and show that broken variants are refuted."""
    from dpspin.lab.audit import report
    from dpspin.lab.audit.cases import findings
    from dpspin.lab.audit.samplers import fits
    from dpspin.lab.audit.trial import Effort

    effort = Effort(pilot=releases // 4, releases=releases)
    show = _silent if as_json else say
    show(report.TRIALS)
    found = _shown(findings(_chosen(mechanism), effort, jobs or os.cpu_count() or 1), report.finding_line, show)
    tested = []
    if mechanism is None:
        show(f"\n{report.SAMPLERS}")
        tested = _shown(fits(), report.fit_line, show)
    if as_json:
        say(json.dumps(report.as_json(found, tested, effort), indent=2))
    for line in report.odds_lines(found, tested, effort):
        show(line)
    if not report.passed(found, tested):
        raise typer.Exit(1)


def _shown(items: "Iterable[Item]", line: "Callable[[Item], str]", show: "Callable[[str], None]") -> "list[Item]":
    """Show each as it comes: a trial takes seconds."""
    seen = []
    for item in items:
        show(line(item))
        seen.append(item)
    return seen


def _silent(line: str) -> None:
    """Leave stdout to the JSON."""


def _chosen(mechanism: str | None) -> "list[Case]":
    from dpspin.errors import RequestError
    from dpspin.lab.audit.cases import mutant_cases, shipped_cases

    cases = [case for case in (*shipped_cases(), *mutant_cases()) if case.audited.name.startswith(mechanism or "")]
    if not cases:
        names = sorted({case.audited.name for case in shipped_cases()})
        raise RequestError(f"no mechanism is called {mechanism!r}; there are: {'; '.join(names)}")
    return cases
