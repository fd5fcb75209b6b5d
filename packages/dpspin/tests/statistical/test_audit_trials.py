"""The audit itself: what is shipped stands, what is broken falls.

A sound mechanism is refuted with a chance of at most 2e-8 per trial. In 210 simulated trials of mutants with
up to 8,000 releases none went unnoticed.
"""

import pytest

from dpspin.audit.cases import mutant_cases, readings, shipped_cases
from dpspin.audit.trial import Effort

pytestmark = pytest.mark.statistical

SHIPPED, MUTANTS = shipped_cases(), mutant_cases()


def named(case):
    fault = f"{case.mutant.fault}: " if case.mutant else ""
    return f"{fault}{case.audited.name} {case.unit.kind} {case.adjacency.value}"


@pytest.mark.parametrize("case", SHIPPED, ids=named)
def test_what_is_shipped_stands(case):
    assert case.tried(Effort(pilot=100, releases=160)).as_it_should_be


@pytest.mark.long
@pytest.mark.parametrize("case", MUTANTS, ids=named)
def test_what_is_broken_falls(case):
    assert case.tried(Effort(pilot=300, releases=16_000, looks=7)).as_it_should_be


@pytest.mark.parametrize("case", [each for each in readings() if each.fault is None], ids=lambda case: case.unit.kind)
def test_a_read_sample_stands_and_loses_exactly_what_is_claimed(case):
    found = case.tried(Effort(pilot=100, releases=160))
    assert found.as_it_should_be
    assert 1 - 1e-6 < found.outcome.exact_loss <= 1  # the unit in question moves every sum by its whole reach


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [each for each in readings() if each.fault], ids=lambda case: f"{case.fault}: {case.unit.kind}"
)
def test_a_sample_that_is_drawn_read_summed_or_told_wrongly_falls(case):
    assert case.tried(Effort(pilot=500, releases=16_000, looks=5)).as_it_should_be
