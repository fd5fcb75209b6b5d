"""Claims that are true of every plan, or of every plan with such a statement: public, data-independent text."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import MASS
from dpspin.public.report.denominators import denominator_words
from dpspin.public.stage3_narrate.claims.naming import Naming


class Saying(StrEnum):
    """The fixed public sentences."""

    OPENING = "opening"  # what this text is
    DENOMINATOR = "denominator"  # what support is relative to
    NOISE = "noise"  # that the values are noisy
    NOT_A_COUNT = "not_a_count"  # what support is not
    OMISSION = "omission"  # what it does not mean that a theme is not listed
    NOT_ABSENT = "not_absent"  # what it does not mean that no theme is listed


_PRIVATE = "This is an aggregate summary of a differentially private plan."
_SIMULATED = "This is an aggregate summary, and its numbers are simulated and not private."
_FIXED = {
    Saying.NOISE: "The released masses carry noise.",
    Saying.NOT_A_COUNT: "Support is a bounded noisy measure, not a count of records.",
    Saying.OMISSION: "A theme that is not listed may still be present: the noise leaves it unclear.",
    Saying.NOT_ABSENT: "This does not say that the themes are absent, only that the noise leaves them unclear.",
}


@dataclass(frozen=True, slots=True)
class PublicText:
    """One of the fixed public sentences."""

    saying: Saying

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask the plan's statement and its shape; what is said of noise and denominator is true of every plan."""
        match self.saying:
            case Saying.OPENING | Saying.DENOMINATOR | Saying.NOISE:
                return True
            case Saying.NOT_A_COUNT:
                return plan.statement.quantity == MASS  # a prevalence is a count, if a noisy one
            case Saying.OMISSION:
                return _noise_hides_the_rest(plan)
            case Saying.NOT_ABSENT:
                return not plan.entries
            case _:
                assert_never(self.saying)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say it."""
        match self.saying:
            case Saying.OPENING:
                return _PRIVATE if plan.is_private else _SIMULATED
            case Saying.DENOMINATOR:
                return f"Support is relative to {denominator_words(plan)}."
            case _:
                return _FIXED[self.saying]


def _noise_hides_the_rest(plan: SemanticPlan) -> bool:
    """Tell whether themes are left out, and none of them only because the list is full."""
    listed, threshold = {entry.atom_id for entry in plan.entries}, plan.rules.certificates.admission_threshold
    others = [item for item in plan.noisy_sketch or () if item.atom_id not in listed]
    return len(listed) < plan.dictionary.size and all(item.noisy_mass <= threshold for item in others)
