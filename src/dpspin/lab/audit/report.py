"""The audit's findings as text lines and as JSON."""

from collections.abc import Iterable
from typing import Any, Final

from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit
from dpspin.lab.audit.cases import Finding
from dpspin.lab.audit.samplers import FALSE_ALARM, Fit
from dpspin.lab.audit.trial import Effort

TRIALS: Final = (
    f"{'mechanism':<30} {'unit':<9} {'adjacency':<9} {'claimed':<10} {'epsilon >=':<10} {'releases':<8} verdict"
)
SAMPLERS: Final = f"{'sampler':<42} {'draws':<8} {'chance':<10} verdict"


def finding_line(finding: Finding) -> str:
    """Return a row of the table of trials; a mutant's fault stands at its end."""
    case, outcome = finding.case, finding.outcome
    fault = "" if case.mutant is None else f": {case.mutant.fault}"
    return (
        f"{case.audited.name:<30} {_unit(case.unit):<9} {case.adjacency.value:<9} {_claim(case.audited.loss):<10} "
        f"{outcome.bound:<10.2f} {outcome.releases:<8} {finding.verdict}{fault}"
    )


def fit_line(fit: Fit) -> str:
    """Return a row of the table of samplers."""
    verdict = "fits" if fit.as_it_should_be else "MISFIT"
    return f"{fit.sampler:<42} {fit.draws:<8} {fit.chance:<10.2g} {verdict}"


def odds_lines(findings: list[Finding], fits: list[Fit], effort: Effort) -> list[str]:
    """Say how often such an audit would raise a false alarm."""
    together = effort.failure * sum(finding.case.mutant is None for finding in findings)
    each = f"Each bound is above the truth with a chance of at most {effort.failure:g}"
    trials = f"{each}: sound mechanisms are refuted in at most {together:.0e} of such audits."
    samplers = f"Each sampler test alarms falsely with a chance of at most {FALSE_ALARM:g}."
    return [trials, samplers] if fits else [trials]


def as_json(findings: list[Finding], fits: Iterable[Fit], effort: Effort) -> dict[str, Any]:
    """Return everything for programs."""
    tested = list(fits)
    return {
        "passed": passed(findings, tested),
        "failure_probability_each": effort.failure,
        "trials": [_finding_json(finding) for finding in findings],
        "sampler_false_alarm_each": FALSE_ALARM,
        "samplers": [
            {"sampler": fit.sampler, "draws": fit.draws, "chance": fit.chance, "as_it_should_be": fit.as_it_should_be}
            for fit in tested
        ],
    }


def passed(findings: Iterable[Finding], fits: Iterable[Fit]) -> bool:
    """Tell whether every shipped mechanism stands, every mutant is flagged, and every sampler fits."""
    return all(finding.as_it_should_be for finding in findings) and all(fit.as_it_should_be for fit in fits)


def _finding_json(finding: Finding) -> dict[str, Any]:
    case, loss = finding.case, finding.case.audited.loss
    return {
        "mechanism": case.audited.name,
        "unit": case.unit.kind,
        "bound": case.unit.bound,
        "adjacency": case.adjacency.value,
        "fault": None if case.mutant is None else case.mutant.fault,
        "epsilon": loss.epsilon,
        "delta": loss.delta,
        "epsilon_at_least": finding.outcome.bound,
        "releases": finding.outcome.releases,
        "verdict": finding.verdict,
        "as_it_should_be": finding.as_it_should_be,
    }


def _unit(unit: RecordUnit | UserUnit) -> str:
    return unit.kind if isinstance(unit, RecordUnit) else f"user B={unit.bound:g}"


def _claim(loss: PrivacyLoss) -> str:
    """Return epsilon, and delta where there is one.

    >>> _claim(PrivacyLoss(1.0, 0.2)), _claim(PrivacyLoss(1.5))
    ('1, 0.2', '1.5')
    """
    return f"{loss.epsilon:g}, {loss.delta:g}" if loss.delta else f"{loss.epsilon:g}"
