"""Claims that set themes above one another, and the claim that one cannot."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.stage3_narrate.claims.claim import are_admitted, entries_of, worded
from dpspin.public.stage3_narrate.claims.naming import Naming, certifies, confidence, noise_or_margin


def is_above(plan: SemanticPlan, higher: PlanEntry, lower: PlanEntry) -> bool:
    """Tell whether the order of two themes is supported (definition 3, item iii)."""
    return higher.noisy_mass - lower.noisy_mass > plan.rules.comparison_margin


def leads(plan: SemanticPlan, atom: int) -> bool:
    """Tell whether a theme may be called the highest: rank one, and ahead by more than the superlative margin."""
    return lead_over_the_rest(plan, {atom}) > plan.rules.superlative_margin


@dataclass(frozen=True, slots=True)
class Compare:
    """One theme has higher support than another."""

    higher: int
    lower: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that both are admitted, and that the order is supported."""
        pair = (self.higher, self.lower)
        return are_admitted(plan, pair) and is_above(plan, *entries_of(plan, pair))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Set them in order."""
        higher, lower = (naming.theme(entry) for entry in entries_of(plan, (self.higher, self.lower)))
        return worded(turn, f"{higher} has higher support than {lower}.", f"{lower} has lower support than {higher}.")


@dataclass(frozen=True, slots=True)
class RankOf:
    """The released rank of a theme: a field of the plan, whatever the margins are."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it is admitted."""
        return are_admitted(plan, (self.atom,))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give the rank."""
        (entry,) = entries_of(plan, (self.atom,))
        return f"{naming.theme(entry)} has released rank {entry.rank:,}."


@dataclass(frozen=True, slots=True)
class Highest:
    """One theme has the highest support."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it leads all others by more than the superlative margin; a theme alone leads nobody."""
        return len(plan.entries) > 1 and are_admitted(plan, (self.atom,)) and leads(plan, self.atom)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so, and on what ground; after a private selection only among those listed."""
        (entry,) = entries_of(plan, (self.atom,))
        of_which = " of the listed themes" if plan.noisy_sketch is None else ""
        ground = f"With {confidence(plan)} confidence" if certifies(plan) else "By released rank"
        return f"{ground}, {naming.theme(entry)} has the highest support{of_which}."


@dataclass(frozen=True, slots=True)
class Tie:
    """These themes cannot be told apart."""

    atoms: tuple[int, ...]

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that no two of them lie further apart than the comparison margin."""
        if len(self.atoms) < 2 or not are_admitted(plan, self.atoms):  # noqa: PLR2004  a tie needs two
            return False
        masses = [entry.noisy_mass for entry in entries_of(plan, self.atoms)]
        return max(masses) - min(masses) <= plan.rules.comparison_margin

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Say what keeps them together."""
        names, ground = naming.themes(entries_of(plan, self.atoms)), noise_or_margin(plan)
        return worded(
            turn, f"The {ground} does not tell {names} apart.", f"{names} cannot be told apart under the {ground}."
        )


@dataclass(frozen=True, slots=True)
class WholeOrder:
    """The order of all listed themes is certain."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that every theme stands clear, and above the next one, under certified margins."""
        pairs = zip(plan.entries, plan.entries[1:], strict=False)
        clear = all(entry.clears_noise for entry in plan.entries)
        return certifies(plan) and clear and len(plan.entries) > 1 and all(is_above(plan, *pair) for pair in pairs)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say with what confidence."""
        return f"The order of the listed themes is certified with {confidence(plan)} confidence."


@dataclass(frozen=True, slots=True)
class MarginOrder:
    """The order of the listed themes rests on a public margin, which bounds no error."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for a fixed margin, and for themes to order."""
        return not certifies(plan) and len(plan.entries) > 1

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Warn of it."""
        return "The order of the listed themes is that of a public margin, and the noise leaves it uncertain."


@dataclass(frozen=True, slots=True)
class CloseThemes:
    """Somewhere among the listed themes there are ties; for where there are too many to name."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for a tie."""
        return bool(tie_groups(plan, plan.entries))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so without names."""
        return f"Themes that are close in mass cannot be told apart under the {noise_or_margin(plan)}."


def tie_groups(plan: SemanticPlan, entries: Sequence[PlanEntry]) -> list[Tie]:
    """Return the largest runs of ranks in which no two themes can be told apart, by rank; neighbours may overlap.

    A run that lies inside another one says nothing new, so it is left out.
    """
    runs: list[tuple[int, int]] = []
    for start, first in enumerate(entries):
        end = start + sum(first.noisy_mass - e.noisy_mass <= plan.rules.comparison_margin for e in entries[start:])
        if end - start > 1 and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return [Tie(tuple(entry.atom_id for entry in entries[slice(*run)])) for run in runs]
