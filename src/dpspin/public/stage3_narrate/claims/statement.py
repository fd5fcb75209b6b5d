"""Claims that say what was measured, where it is not the mass of everyone."""

from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PoissonSample, Prevalence
from dpspin.public.stage3_narrate.claims.naming import Naming
from dpspin.public.stage3_narrate.stated import PREVALENCE, SAMPLE


@dataclass(frozen=True, slots=True)
class UnitsCounted:
    """Support is a prevalence."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask the statement for its quantity."""
        return isinstance(plan.statement.quantity, Prevalence)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so."""
        return PREVALENCE


@dataclass(frozen=True, slots=True)
class SecretSample:
    """Not everyone was measured."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask the statement for its sampling."""
        return isinstance(plan.statement.sampling, PoissonSample)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so."""
        return SAMPLE
