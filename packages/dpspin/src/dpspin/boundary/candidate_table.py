"""Which themes a dictionary lacks, as far as a public list of candidates and the noise let anyone tell.

Theorem (candidates). Each candidate's mass is C_j, its noisy value X_j = C_j + Z_j. By a union over
all C candidates and both sides, with probability 1 - beta every C_j lies within the quantile at beta / 2C of X_j:
whichever of them are named afterwards. Where shares refer to a noisy denominator, that takes its own part of beta.
"""

from dataclasses import dataclass
from functools import cached_property

from dpspin.boundary.certify import TICK
from dpspin.boundary.denominator import PART_OF_BETA, PublicNumber
from dpspin.boundary.facets import CandidateFacet
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.view_cells import Range
from dpspin.boundary.views import NoisyView, View


def candidate_reach(noise: AnyNoise, candidates: int, beta: float) -> float:
    """Return how far noise takes any candidate's mass up or down: all of them together, but for ``beta``.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(candidate_reach(LaplaceNoise(scale=1.0), 350, 0.05), 2)
    8.85
    """
    return noise.upper_quantile(beta / (2 * candidates)) + TICK


@dataclass(frozen=True)
class CandidateTable:
    """What records have of candidates; in plans of before decision 31, only what fits no theme."""

    plan: PlanFields
    view: View
    facet: CandidateFacet
    released: NoisyView

    @cached_property
    def masses(self) -> dict[str, Range]:
        """The mass that lies nearest to each candidate, the largest first."""
        exact = isinstance(self.plan.denominator, PublicNumber)
        beta = self.plan.rules.beta * (1 if exact else 1 - PART_OF_BETA)
        reach = candidate_reach(self.released.noise, len(self.facet.names), beta)
        told = {column.value: column.noisy_masses[0] for column in self.released.columns[: len(self.facet.names)]}
        ranked = sorted(told, key=lambda name: -told[name])
        return {name: Range(*(max(0.0, told[name] + far) for far in (0.0, -reach, reach))) for name in ranked}

    @cached_property
    def lacking(self) -> tuple[str, ...]:
        """The candidates whose mass is more than noise, the largest first."""
        return tuple(name for name, mass in self.masses.items() if mass.low > 0)


def candidates_of(plan: PlanFields) -> CandidateTable | None:
    """Return the view by candidates, where there is one."""
    for view, told in zip(plan.statement.views, plan.views, strict=True):
        if isinstance(view.facet, CandidateFacet):
            return CandidateTable(plan, view, view.facet, told)
    return None
