"""Claims that name themes and their support bins."""

from dataclasses import dataclass

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.claim import are_admitted, entries_of, worded
from dpspin.public.stage3_narrate.claims.naming import Naming


@dataclass(frozen=True, slots=True)
class Mention:
    """These themes are in the plan."""

    atoms: tuple[int, ...]

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that all of them are admitted."""
        return are_admitted(plan, self.atoms)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Name them."""
        names = naming.themes(entries_of(plan, self.atoms))
        return worded(turn, f"The plan lists {names}.", f"The released themes include {names}.")


@dataclass(frozen=True, slots=True)
class InBin:
    """These themes have the support of this bin."""

    atoms: tuple[int, ...]
    bin: str

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that all of them are admitted, in this bin."""
        return are_admitted(plan, self.atoms) and all(entry.bin == self.bin for entry in entries_of(plan, self.atoms))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Give their bin."""
        entries = entries_of(plan, self.atoms)
        names, has = naming.themes(entries), "has" if len(entries) == 1 else "have"
        name = f"{self.bin[0].upper()}{self.bin[1:]}"
        return worded(turn, f"{names} {has} {self.bin} support.", f"{name} support is found for {names}.")


@dataclass(frozen=True, slots=True)
class BinGroup:
    """All themes of one bin, as a line of a list."""

    bin: str

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for a theme in the bin."""
        return any(entry.bin == self.bin for entry in plan.entries)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Give the bin and its themes."""
        return InBin(self.atoms(plan), self.bin).sentence(plan, naming, turn)

    def atoms(self, plan: SemanticPlan) -> tuple[int, ...]:
        """Return the themes of the bin by rank."""
        return tuple(entry.atom_id for entry in plan.entries if entry.bin == self.bin)


@dataclass(frozen=True, slots=True)
class Unclear:
    """These themes do not stand clear of the noise."""

    atoms: tuple[int, ...]

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that none of them clears the admission threshold."""
        return are_admitted(plan, self.atoms) and not any(e.clears_noise for e in entries_of(plan, self.atoms))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Say so."""
        return f"Not clear of the noise: {naming.themes(entries_of(plan, self.atoms))}."
