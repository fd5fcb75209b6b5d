"""The audit's findings as text lines and as JSON."""

from collections.abc import Iterable
from typing import Any, Final

from dpspin.audit.cases import Finding
from dpspin.audit.end_to_end.cases import Found
from dpspin.audit.end_to_end.readers import Extra
from dpspin.audit.end_to_end.trip import CLAIM
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


def passage_line(found: Found) -> str:
    """Return a row of the table of readers; "exactly" is the loss of the pair itself, which needs no counting."""
    passage, outcome = found.passage, found.outcome
    fault = "" if passage.broken is None else f": {passage.broken.fault}"
    named = f"{passage.reader.name:<30} {_unit(passage.unit):<9} {_claim(CLAIM):<10}"
    if isinstance(outcome, Extra):
        return f"{named} {'':<10} {'':<10} {'':<8} {found.verdict}{fault}"
    bound = f"{outcome.bound:.2f}" if outcome.releases else ""
    return f"{named} {outcome.loss:<10.2f} {bound:<10} {outcome.releases:<8} {found.verdict}{fault}"


def closing_lines(findings: list[Finding], passages: list[Found], fits: list[Fit], effort: Effort) -> list[str]:
    """Say how often such an audit would raise a false alarm, and what was not tried."""
    sound = [*(each.case.mutant is None for each in findings), *(each.passage.broken is None for each in passages)]
    each = f"Each bound is above the truth with a chance of at most {effort.failure:g}"
    lines = [f"{each}: sound code is refuted in at most {effort.failure * sum(sound):.0e} of such audits."]
    if fits:
        lines.append(f"Each sampler test alarms falsely with a chance of at most {FALSE_ALARM:g}.")
    missing = sorted({found.outcome.name for found in passages if isinstance(found.outcome, Extra)})
    if missing:
        lines.append(
            f"Not every reader was tried, and nothing is said of those: pip install 'dpspin[{','.join(missing)}]'."
        )
    return lines


def as_json(findings: list[Finding], passages: list[Found], fits: Iterable[Fit], effort: Effort) -> dict[str, Any]:
    """Return everything for programs."""
    tested = list(fits)
    return {
        "passed": passed(findings, passages, tested),
        "failure_probability_each": effort.failure,
        "trials": [_finding_json(finding) for finding in findings],
        "from_the_file_on": [_passage_json(found) for found in passages],
        "sampler_false_alarm_each": FALSE_ALARM,
        "samplers": [
            {"sampler": fit.sampler, "draws": fit.draws, "chance": fit.chance, "as_it_should_be": fit.as_it_should_be}
            for fit in tested
        ],
    }


def passed(findings: Iterable[Finding], passages: Iterable[Found], fits: Iterable[Fit]) -> bool:
    """Tell whether all that was tried is as it should be: the shipped code stands, mutants are flagged, samplers fit.

    A reader that is not installed was not tried: it neither passes nor fails, and no release can go through it.
    """
    every = [each.as_it_should_be for some in (findings, passages, fits) for each in some]
    return all(answer is not False for answer in every)


def _passage_json(found: Found) -> dict[str, Any]:
    passage, outcome = found.passage, found.outcome
    measured = None if isinstance(outcome, Extra) else outcome
    return {
        "reader": passage.reader.name,
        "unit": passage.unit.kind,
        "bound": passage.unit.bound,
        "fault": None if passage.broken is None else passage.broken.fault,
        "epsilon": CLAIM.epsilon,
        "exact_loss": measured and measured.loss,
        "epsilon_at_least": measured.bound if measured and measured.releases else None,
        "releases": measured.releases if measured else 0,
        "verdict": found.verdict,
        "as_it_should_be": found.as_it_should_be,
    }


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
