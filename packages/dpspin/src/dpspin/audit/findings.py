"""The audit's findings as text lines and as JSON."""

import math
from typing import Any, Final

from dpspin.audit.cases import Case, Finding
from dpspin.audit.readers import Extra
from dpspin.audit.samplers import FALSE_ALARM, Fit
from dpspin.audit.trial import Effort
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit

TRIALS: Final = (
    f"{'mechanism':<30} {'unit':<9} {'adjacency':<9} {'claimed':<10} {'epsilon >=':<10} {'releases':<8} verdict"
)
PASSAGES: Final = (
    f"{'from the file on, by reader':<30} {'unit':<9} {'claimed':<10} {'exactly':<10} "
    f"{'epsilon >=':<10} {'releases':<8} verdict"
)
SAMPLES: Final = PASSAGES.replace(f"{'from the file on, by reader':<30}", f"{'sample, view, series, phrases':<30}")
SAMPLERS: Final = f"{'sampler':<42} {'draws':<8} {'chance':<10} verdict"


def finding_line(finding: Finding) -> str:
    """Return a row of the table of trials, of samples or of readers; what is broken on purpose stands at its end.

    "Exactly" is the loss of a pair of files or tables itself, which needs no counting.
    """
    case, outcome = finding.case, finding.outcome
    cells = [f"{case.name:<30}", f"{_unit(case.unit):<9}"]
    cells += [f"{case.adjacency.value:<9}"] if isinstance(case, Case) else []
    cells += [f"{_claim(case.loss):<10}"]
    if isinstance(outcome, Extra):
        cells += [" " * 10, " " * 10, " " * 8]
    else:
        cells += [] if outcome.exact_loss is None else [f"{outcome.exact_loss:<10.2f}"]
        cells += [f"{outcome.bound:<10.2f}" if outcome.releases else " " * 10, f"{outcome.releases:<8}"]
    fault = "" if case.fault is None else f": {case.fault}"
    return f"{' '.join(cells)} {finding.verdict}{fault}"


def fit_line(fit: Fit) -> str:
    """Return a row of the table of samplers."""
    verdict = "fits" if fit.as_it_should_be else "MISFIT"
    return f"{fit.sampler:<42} {fit.draws:<8} {fit.chance:<10.2g} {verdict}"


def closing_lines(findings: list[Finding], fits: list[Fit], effort: Effort) -> list[str]:
    """Say how often such an audit would raise a false alarm, and what was not tried."""
    sound = sum(finding.case.fault is None for finding in findings)
    each = f"Each bound is above the truth with a chance of at most {effort.failure:g}"
    lines = [f"{each}: sound code is refuted in at most {effort.failure * sound:.0e} of such audits."]
    if fits:
        lines.append(f"Each sampler test alarms falsely with a chance of at most {FALSE_ALARM:g}.")
    missing = sorted({finding.outcome.name for finding in findings if isinstance(finding.outcome, Extra)})
    if missing:
        lines.append(
            f"Not every reader was tried, and nothing is said of those: pip install 'dpspin[{','.join(missing)}]'."
        )
    return lines


def as_json(
    trials: list[Finding], samples: list[Finding], passages: list[Finding], fits: list[Fit], effort: Effort
) -> dict[str, Any]:
    """Return everything for programs."""
    return {
        "passed": passed([*trials, *samples, *passages], fits),
        "failure_probability_each": effort.failure,
        "trials": [_finding_json(finding) for finding in trials],
        "read_samples": [_finding_json(finding) for finding in samples],
        "from_the_file_on": [_finding_json(finding) for finding in passages],
        "sampler_false_alarm_each": FALSE_ALARM,
        "samplers": [
            {"sampler": fit.sampler, "draws": fit.draws, "chance": fit.chance, "as_it_should_be": fit.as_it_should_be}
            for fit in fits
        ],
    }


def passed(findings: list[Finding], fits: list[Fit]) -> bool:
    """Tell whether all that was tried is as it should be: the shipped code stands, mutants are flagged, samplers fit.

    A reader that is not installed was not tried: it neither passes nor fails, and no release can go through it.
    """
    answers = [*(finding.as_it_should_be for finding in findings), *(fit.as_it_should_be for fit in fits)]
    return all(answer is not False for answer in answers)


def _finding_json(finding: Finding) -> dict[str, Any]:
    tried = None if isinstance(finding.outcome, Extra) else finding.outcome
    exactly = {} if isinstance(finding.case, Case) else {"exact_loss": _finite(tried.exact_loss if tried else None)}
    return {
        **finding.case.as_json(),
        **exactly,
        "epsilon_at_least": tried.bound if tried and tried.releases else None,
        "releases": tried.releases if tried else 0,
        "verdict": finding.verdict,
        "as_it_should_be": finding.as_it_should_be,
    }


def _finite(loss: float | None) -> float | str | None:
    """Write a loss for JSON, which knows no infinity."""
    return "unbounded" if loss == math.inf else loss


def _unit(unit: RecordUnit | UserUnit) -> str:
    return unit.kind if isinstance(unit, RecordUnit) else f"user B={unit.bound:g}"


def _claim(loss: PrivacyLoss) -> str:
    """Return epsilon, and delta where there is one.

    >>> _claim(PrivacyLoss(1.0, 0.2)), _claim(PrivacyLoss(1.5))
    ('1, 0.2', '1.5')
    """
    return f"{loss.epsilon:g}, {loss.delta:g}" if loss.delta else f"{loss.epsilon:g}"
