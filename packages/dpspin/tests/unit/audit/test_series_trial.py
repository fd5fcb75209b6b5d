"""A life loses exactly what it claims, and each fault of a series is flagged."""

import pytest

from dpspin.audit.cases import lives
from dpspin.audit.trial import Effort

EFFORT = Effort(pilot=1, releases=1)


@pytest.mark.parametrize("case", lives(), ids=lambda case: str(case.fault))
def test_a_life_stands_and_broken_ones_fall(case):
    finding = case.tried(EFFORT)
    assert finding.as_it_should_be
    if case.fault is None:
        assert finding.outcome.exact_loss == pytest.approx(1.5, abs=1e-6)  # attained: a smaller one would be wrong
    assert case.as_json()["fault"] == case.fault
