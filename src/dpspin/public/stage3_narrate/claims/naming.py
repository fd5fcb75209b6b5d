"""How a claim's words name themes and numbers: the same in every sentence of a text."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.certify import CertifiedMargins
from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.public.report.numbers import decimals_for
from dpspin.public.report.scale import PERCENT, Scale
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.text.languages import names_of


@dataclass(frozen=True, slots=True)
class Naming:
    """Names themes in quotation marks, so that no label runs into its neighbours; audit mode adds markers."""

    mode: Mode

    def theme(self, entry: PlanEntry) -> str:
        """Name one theme."""
        return f"“{entry.label}”{self.marker(entry)}"

    def themes(self, entries: Sequence[PlanEntry]) -> str:
        """Name several themes as a sentence does."""
        return listing([self.theme(entry) for entry in entries])

    def marker(self, released: PlanEntry | Uncovered) -> str:
        """Return the marker with its space, or nothing for readers."""
        return f" {released.marker}" if self.mode is Mode.AUDIT else ""


def listing(items: Sequence[str]) -> str:
    """Join items as a sentence does.

    >>> listing(["a", "b", "c"]), listing(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join((", ".join(items[:-1]), items[-1])) if len(items) > 1 else items[0]


def mass_text(mass: float) -> str:
    """Write a mass with one decimal.

    >>> mass_text(1318.44), mass_text(-0.01)
    ('1,318.4', '0.0')
    """
    return f"{round(mass, 1) + 0.0:,.1f}"  # + 0.0 turns -0.0 into 0.0


def percent_scale(plan: SemanticPlan) -> Scale:
    """Return percentages with the decimals that the plan's noise allows."""
    return Scale(PERCENT, decimals_for(100 * plan.rules.certificates.interval_below / plan.denominator.value))


def confidence(plan: SemanticPlan) -> str:
    """Write the confidence under which each certified statement holds."""
    return f"{100 * (1 - plan.rules.beta):g}%"


def certifies(plan: SemanticPlan) -> bool:
    """Tell certified margins from a public margin that bounds no error."""
    return isinstance(plan.rules.margin, CertifiedMargins)


def noise_or_margin(plan: SemanticPlan) -> str:
    """Name what keeps two themes from being ordered."""
    return "noise" if certifies(plan) else "public margin"


def languages_words(plan: SemanticPlan) -> str:
    """Name the languages that the map reads."""
    return listing(names_of(plan.statement.contribution_map.languages))


def dictionary_words(plan: SemanticPlan) -> str:
    """Name the dictionary by its size."""
    return f"the {plan.dictionary.size:,} themes in the public dictionary"
