"""Layout cannot hide a claim: wrapped lines, emphasis and endless texts are judged like plain ones."""

import pytest

from dpspin.public.stage3_narrate.verify.verifier import verify
from factories import PAPER_PLAN

WRAPPED = [
    "Friendly staff has\nhigh support.",
    "The theme with the highest support is\nfood quality.",
    "Long wait has a noisy mass of\n271.9.",
    "The high-support themes are long wait and\nfriendly staff.",
    "Friendly staff has **high** support.",
    "Friendly staff has _high_ support.",
    "Friendly staff has `high` support.",
]


@pytest.mark.parametrize("text", WRAPPED)
def test_a_false_claim_is_found_however_it_is_laid_out(text):
    assert not verify(PAPER_PLAN, text).accepted


@pytest.mark.parametrize(
    "text",
    [
        "Long wait has\nhigh support.",
        "Long wait has **high** support.",
        "High support:\n- Long wait\n\nModerate support:\n- Friendly staff\n- Food quality",
    ],
)
def test_a_true_claim_may_be_laid_out_freely(text):
    assert verify(PAPER_PLAN, text).violations == ()


@pytest.mark.parametrize(
    "text",
    ["9" * 5000, f"[atom:{'9' * 5000}]", "9" * 5000 + "th", "1," * 30_000, "long wait low, " * 5000, "." * 50_000],
)
def test_endless_texts_are_refused_at_once(text):
    assert verify(PAPER_PLAN, text).rules() == ("unreadable-text",)
