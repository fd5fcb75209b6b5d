"""``dpspin audit``: does a release keep its promise, as far as counting can tell? Made-up records only."""

import json
import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption

if TYPE_CHECKING:
    from dpspin.lab.audit.cases import Case


class Depth(StrEnum):
    """How many releases each trial may take."""

    QUICK = "quick"
    NIGHTLY = "nightly"


def audit(
    depth: Annotated[Depth, typer.Option("--depth", help="quick: minutes; nightly: 16 times as many releases.")] = (
        Depth.QUICK
    ),
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", help="Only mechanisms whose name begins so, for example private_topL.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Trials at the same time; default: one per processor.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try to refute every mechanism on neighbouring corpora, and show that broken variants are refuted."""
    from dpspin.lab.audit import report
    from dpspin.lab.audit.cases import NIGHTLY, QUICK, findings
    from dpspin.lab.audit.samplers import fits

    effort = QUICK if depth is Depth.QUICK else NIGHTLY
    found, tested = [], []
    heading = report.TRIALS
    for finding in findings(_chosen(mechanism), effort, jobs or os.cpu_count() or 1):
        found.append(finding)
        _say(heading, report.finding_line(finding), quiet=as_json)
        heading = ""
    heading = "\n" + report.SAMPLERS
    for fit in fits():
        tested.append(fit)
        _say(heading, report.fit_line(fit), quiet=as_json)
        heading = ""
    if as_json:
        typer.echo(json.dumps(report.as_json(found, tested, effort), indent=2))
    _say("", *report.odds_lines(found, effort), quiet=as_json)
    if not report.passed(found, tested):
        raise typer.Exit(1)


def _chosen(mechanism: str | None) -> "list[Case]":
    from dpspin.errors import RequestError
    from dpspin.lab.audit.cases import mutant_cases, shipped_cases

    cases = [case for case in (*shipped_cases(), *mutant_cases()) if case.audited.name.startswith(mechanism or "")]
    if not cases:
        names = sorted({case.audited.name for case in shipped_cases()})
        raise RequestError(f"no mechanism is called {mechanism!r}; there are: {'; '.join(names)}")
    return cases


def _say(*lines: str, quiet: bool) -> None:
    for line in lines:
        if line and not quiet:
            typer.echo(line)
