"""A release checks its plan once and works its constants out once; what is dressed needs no second look."""

import pandas as pd
from hypothesis import given, settings

import dpspin
from dpspin.boundary import plan as plan_module
from dpspin.boundary.certify import certificates
from dpspin.boundary.plan import contradictions
from random_plans import plans

REHEARSED_AND_REAL = 2  # nobody's plan before the charge, and the one that is handed out


def test_a_release_checks_its_plan_once_and_computes_certificates_once(monkeypatch):
    checked = []

    def counted(plan):
        checked.append(plan)
        return contradictions(plan)

    monkeypatch.setattr(plan_module, "contradictions", counted)
    certificates.cache_clear()
    dpspin.release(
        pd.DataFrame({"text": ["late parcel", "refund"] * 20}),
        text="text",
        atoms=dpspin.packs.load("support-tickets"),
        map="paper",
        unit=dpspin.RecordUnit(),
        loss=dpspin.PrivacyLoss(1.0),
        denominator=40,
    )
    assert len(checked) == REHEARSED_AND_REAL
    assert certificates.cache_info().misses == 1


@settings(max_examples=60)
@given(plans())
def test_what_is_dressed_follows_from_its_masses(released):
    assert not list(contradictions(released.plan))
