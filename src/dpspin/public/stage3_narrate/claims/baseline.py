"""Claims that set a release beside its public baseline."""

from dataclasses import dataclass

from dpspin.boundary.departures import Departure
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.baseline import baseline_sentence, departures_of
from dpspin.public.stage3_narrate.claims.claim import are_admitted, entries_of, worded
from dpspin.public.stage3_narrate.claims.naming import Naming


@dataclass(frozen=True, slots=True)
class AgainstBaseline:
    """A theme's share of all that was measured differs from its share in the public baseline."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it is admitted, and that its interval excludes the baseline."""
        departure = departure_of(plan, self.atom)
        return are_admitted(plan, (self.atom,)) and departure is not None and departure.differs

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Say on which side it lies."""
        (entry,) = entries_of(plan, (self.atom,))
        departure = departure_of(plan, self.atom)
        assert departure is not None  # noqa: S101  it holds
        side = "above" if departure.share > departure.baseline else "below"
        name = naming.theme(entry)
        return worded(
            turn,
            f"{name} lies {side} its share in the public baseline.",
            f"Relative to the public baseline, {name} lies {side} its share.",
        )


@dataclass(frozen=True, slots=True)
class BaselineCount:
    """How many themes are told apart from the public baseline."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that they were compared."""
        return bool(departures_of(plan))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Count them."""
        return baseline_sentence(plan)


def departure_of(plan: SemanticPlan, atom: int) -> Departure | None:
    """Return how a theme compares with the baseline, where it was compared."""
    return next((each for each in departures_of(plan) if each.atom_id == atom), None)
