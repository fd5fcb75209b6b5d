"""`--margin`: the paper's fixed public margin, chosen at the release or when the same numbers are read again."""

import pytest

from dpspin.boundary.certify import CertifiedMargins, FixedMargin
from dpspin.boundary.plan import SemanticPlan


@pytest.fixture
def released(tmp_path, dpspin):
    lines = "\n".join(["text", *["my parcel is late and I want a refund"] * 300])
    (tmp_path / "t.csv").write_text(lines + "\n")

    def run(*more):
        words = ("release", tmp_path / "t.csv", "--atoms", "support-tickets", "--map", "paper", "--text", "text")
        about = ("--unit", "record", "--epsilon", "1", "--denominator", "300", "--out", tmp_path / "out")
        return dpspin(*words, *about, *more)

    run.plan = lambda: SemanticPlan.from_json((tmp_path / "out/release/plan.json").read_bytes())
    return run


def test_another_margin_is_another_reading_of_the_same_numbers(released):
    assert released().code == 0
    certified = released.plan()
    assert certified.rules.margin == CertifiedMargins()
    again = released("--margin", "0")
    assert again.code == 0, again.err
    told = " ".join(again.out.split())
    assert "than under any other theme" not in told  # a public margin bounds no error, so nothing is called larger
    assert "confidence" not in told
    fixed = released.plan()
    assert fixed.rules.margin == FixedMargin(mass=0.0)
    assert fixed.noisy_sketch == certified.noisy_sketch


def test_a_negative_margin_is_refused(released):
    refused = released("--margin", "-1")
    assert refused.code == 2
    assert "--margin" in refused.err
