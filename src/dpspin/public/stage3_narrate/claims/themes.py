"""Claims that name themes and their support bins."""

from dataclasses import dataclass

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.public.stage3_narrate.claims.claim import are_admitted, entries_of, worded
from dpspin.public.stage3_narrate.claims.naming import Naming, listing, mass_text
from dpspin.public.stage3_narrate.policy import Mode


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
        return worded(turn, f"{names} {has} {self.bin} support.", f"{_heading(self.bin)} is found for {names}.")


@dataclass(frozen=True, slots=True)
class BinGroup:
    """All themes of one bin, as a line of a list; audit mode adds their masses."""

    bin: str

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for a theme in the bin."""
        return any(entry.bin == self.bin for entry in plan.entries)

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Give the bin and its themes."""
        entries, heading = entries_of(plan, self.atoms(plan)), _heading(self.bin)
        if naming.mode is Mode.AUDIT:
            return f"{heading}: {listing(_with_masses(entries, naming))}."
        names = naming.themes(entries)
        found = worded(turn, "is found for", "is released for")
        return f"{heading} {found} {names}."

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


def _heading(name: str) -> str:
    return f"{name[0].upper()}{name[1:]} support"


def _with_masses(entries: list[PlanEntry], naming: Naming) -> list[str]:
    first, *rest = (mass_text(entry.noisy_mass) for entry in entries)
    masses = [f"noisy mass {first}", *rest]
    return [f"{naming.theme(entry)} ({mass})" for entry, mass in zip(entries, masses, strict=True)]
