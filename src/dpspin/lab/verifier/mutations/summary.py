"""A true text, and how its themes are named: what a falsehood is planted into."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.lab.datasets.chance import Chance, pick
from dpspin.public.stage3_narrate.policy import Mode

QUOTES = ("{}", "{}", "{}", "“{}”", "**{}**")


@dataclass(frozen=True, slots=True)
class Summary:
    """A text that is true of its plan."""

    name: str  # of the plan
    plan: SemanticPlan
    atoms: AtomUniverse
    mode: Mode
    text: str

    @property
    def entries(self) -> Sequence[PlanEntry]:
        """The themes that are listed."""
        return self.plan.entries

    @property
    def hidden(self) -> list[Atom]:
        """The themes of the dictionary that are not listed."""
        return [atom for atom in self.atoms.atoms if self.plan.entry(atom.id) is None]

    def named(self, theme: PlanEntry | Atom, chance: Chance) -> str:
        """Name a theme as texts of the mode do, plain or in one of the usual quotes.

        Without marker and quotes, the theme “noise” would be read as the noise of the release.
        """
        number = theme.atom_id if isinstance(theme, PlanEntry) else theme.id
        label = pick(QUOTES, chance).format(theme.label)
        if self.mode is Mode.AUDIT:
            return f"{label} [atom:{number}]"
        return "“noise”" if label == "noise" else label


def is_above(plan: SemanticPlan, higher: PlanEntry, lower: PlanEntry) -> bool:
    """Tell whether an order is supported; written anew from definition 3, so as not to ask what is measured."""
    return higher.noisy_mass - lower.noisy_mass > plan.rules.comparison_margin
