"""Phrases lose exactly what they claim, and each fault of them is flagged."""

import json

import pytest

from dpspin.audit.cases import phrasings
from dpspin.audit.findings import as_json
from dpspin.audit.trial import Effort

EFFORT = Effort(pilot=1, releases=64)


@pytest.mark.parametrize("case", phrasings(), ids=lambda case: f"{case.unit.kind}, {case.fault}")
def test_phrases_stand_and_broken_ones_fall(case):
    finding = case.tried(EFFORT)
    assert finding.as_it_should_be
    if case.fault is None:
        assert finding.outcome.exact_loss == pytest.approx(1.0, abs=1e-6)  # attained: a smaller one would be wrong
    assert case.as_json()["fault"] == case.fault
    json.dumps(as_json([], [finding], [], [], EFFORT), allow_nan=False)
