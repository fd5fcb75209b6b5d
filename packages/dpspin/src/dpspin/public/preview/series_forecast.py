"""What a series would be like, from public guesses alone: the bounds to choose, and the noise that they leave.

A person who is active in ``active`` periods, with so many records in each, weighs at most that many records. Noise
grows with the allowance; a smaller one makes people fade who are active for longer, which the series shows.
"""

import math
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.series import FADING_SHARE, SeriesTerms, loss_beside_fading

WORTHWHILE: Final = 4  # times less noise than separate releases, on long calendars
FEWEST: Final = 4  # periods that an allowance should last for, where somebody is active so often


@dataclass(frozen=True, slots=True)
class SeriesForecast:
    """The terms that are recommended, and standard deviations of the noise in units of mass."""

    terms: SeriesTerms
    noise_std: float  # on each theme of each period
    separate_std: float  # the same, if every period were a release of its own for the same total loss
    wanted_std: float

    @property
    def times_less(self) -> float:
        """How many times smaller the noise of the series is."""
        return self.separate_std / self.noise_std


def recommended(every: PeriodFacet, epsilon: float, active: float, records: float) -> SeriesForecast:
    """Recommend bounds: b for a period's records, B_total for as many periods as somebody is typically active in.

    Not for more than leave a quarter of the noise of separate releases, but for four periods at least.

    >>> year = PeriodFacet(column="date", every="week", first="2026-01-05", last="2026-12-31")
    >>> found = recommended(year, 3.0, active=20, records=1)
    >>> found.terms.per_period_bound, found.terms.lifetime_bound, round(found.times_less, 1)
    (1.0, 11.0, 4.3)
    """
    many = len(every.declared)
    lasting = min(active, many, max(FEWEST, math.floor(many * (1 - FADING_SHARE) / WORTHWHILE)))
    bounds = {"per_period_bound": records, "lifetime_bound": max(1.0, lasting) * records}
    return forecast_of(SeriesTerms(every=every, epsilon=epsilon, **bounds))


def forecast_of(terms: SeriesTerms) -> SeriesForecast:
    """Say what noise the terms leave, beside that of separate releases with the same bound in each period."""
    loss, periods = PrivacyLoss(terms.epsilon), len(terms.every.declared)
    return SeriesForecast(
        terms,
        noise_std=_std(terms.lifetime_bound, loss_beside_fading(loss, terms)),
        separate_std=_std(terms.per_period_bound, PrivacyLoss(terms.epsilon / periods)),
        wanted_std=terms.wanted_noise.std,
    )


def _std(bound: float, loss: PrivacyLoss) -> float:
    sensitivity = sensitivity_of(UserUnit(bound=bound), Adjacency.ADD_DROP)
    return noise_of(Laplace(), loss, sensitivity, atoms=1, size=1).std
