"""Which public example of a theme is nearest to most of it, as far as the noise lets anyone tell.

Theorem (nearest examples). A theme has n examples with noisy masses X_e = C_e + Z_e; let t be one that has most. If
X_t < X_e - c, then Z_e - Z_t > c. Let P(Z_1 - Z_2 > c) = beta / (listed · (n - 1)). By a union over all e and all
listed themes this holds together with probability 1 - beta: t is among the examples within c of the first; where only
one is, it is t. The themes were listed by the totals, whose noise is not the view's.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import TICK
from dpspin.boundary.facets import ExampleFacet
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.public_examples import chosen_examples
from dpspin.boundary.views import NoisyView, View, cell_threshold
from dpspin.errors import RequestError

MOST_NAMED: Final = 3  # examples of which one is nearest: more say nothing


def lead_needed(noise: AnyNoise, examples: int, listed: int, beta: float) -> float:
    """Return by how much an example must lead the others to be told as the nearest, for all listed themes together.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(lead_needed(LaplaceNoise(scale=1.0), examples=6, listed=10, beta=0.05), 2)
    7.8
    """
    return noise.difference_quantile(2 * beta / (max(1, listed) * max(1, examples - 1))) + TICK


@dataclass(frozen=True)
class ExampleTable:
    """The listed themes by their public examples."""

    plan: PlanFields
    view: View
    released: NoisyView
    atoms: AtomUniverse

    @cached_property
    def sentences(self) -> dict[int, tuple[str, ...]]:
        """The examples that stand for each theme."""
        return {int(atom.id): chosen_examples(atom, len(self.view.facet.places) - 1) for atom in self.atoms.atoms}

    @cached_property
    def votes(self) -> dict[int, tuple[float, ...]]:
        """The noisy mass of each theme by its examples, and beside all of them."""
        rows = zip(*(column.noisy_masses for column in self.released.columns), strict=True)
        named = zip(self.sentences.items(), rows, strict=True)
        return {atom: (*row[: len(mine)], row[-1]) for (atom, mine), row in named}

    @cached_property
    def threshold(self) -> float:
        """The mass from which on a cell is more than noise, over all cells of the view together."""
        return cell_threshold(self.released.noise, sum(map(len, self.votes.values())), self.plan.rules.beta)

    def nearest(self, atom: int) -> tuple[str, ...]:
        """Return the examples of which one is nearest to more of a listed theme than the others; none: cannot be told.

        One alone is certainly the nearest, as far as the noise goes.
        """
        mine = self.sentences[atom]
        votes = self.votes[atom][: len(mine)]
        listed, most = len(self.plan.entries), max(votes, default=-math.inf)
        reach = lead_needed(self.released.noise, len(mine), listed, self.plan.rules.beta)
        near = [place for place, vote in enumerate(votes) if vote >= most - reach]
        told = len(near) < len(mine) and len(near) <= MOST_NAMED
        return tuple(mine[place] for place in near) if told else ()


def examples_of(plan: PlanFields, atoms: AtomUniverse) -> ExampleTable | None:
    """Return the view by examples, where there is one; refuse a plan of other examples than the dictionary gives."""
    for view, told in zip(plan.statement.views, plan.views, strict=True):
        if isinstance(view.facet, ExampleFacet):
            if not view.facet.is_of(atoms):
                raise RequestError("the plan counts other examples than its dictionary has: it was changed by hand")
            return ExampleTable(plan, view, told, atoms)
    return None
