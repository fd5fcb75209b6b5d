"""Claims that are true of every plan, or of every plan with such a statement: public, data-independent text."""

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class PublicText:
    """One of the fixed public sentences."""

    saying: Saying

    def holds(self, plan: SemanticPlan) -> bool:
        """Refuse one thing: a prevalence is a count, if a noisy one. All else is true of every plan."""
        return self.saying is not Saying.NOT_A_COUNT or plan.statement.quantity == MASS

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say it."""
        match self.saying:
            case Saying.OPENING if plan.is_private:
                return "This is an aggregate summary of a differentially private plan."
            case Saying.OPENING:
                return "This is an aggregate summary, and its numbers are simulated and not private."
            case Saying.DENOMINATOR:
                return f"Support is relative to {denominator_words(plan)}."
            case Saying.NOISE:
                return "The released masses carry noise."
            case Saying.NOT_A_COUNT:
                return "Support is a bounded noisy measure, not a count of records."
            case Saying.OMISSION:
                return "A theme that is not listed may still be present: the noise leaves it unclear."
