"""What every claim must have, whatever it says."""

from dataclasses import dataclass

import pytest

from dpspin.public.narrate.claims.claim import Claim


@dataclass(frozen=True, slots=True)
class Lawless(Claim):
    kind = "lawless"


def test_a_claim_without_a_law_cannot_be_made():
    with pytest.raises(TypeError, match="_law"):
        Lawless()
