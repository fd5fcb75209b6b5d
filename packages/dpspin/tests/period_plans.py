"""Plans of the small shop that are periods of a series, of masses that are given."""

from dataclasses import replace

from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import released_in
from dpspin.boundary.privacy import PrivacyLoss, UserUnit
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.boundary.series import SeriesPlace, SeriesTerms, loss_beside_fading
from shop_plans import MASSES, SHOP, shop

CALENDAR = PeriodFacet(column="date", every="month", first="2026-01", last="2026-06")
TERMS = SeriesTerms(every=CALENDAR, epsilon=4.0, lifetime_bound=2.0, per_period_bound=1.0)


def period(masses=MASSES, *, name="2026-03", life=1, wanted=1400.0, terms=TERMS, **changes) -> SemanticPlan:
    """Return the plan of one period; its noise is that of the life."""
    loss = PrivacyLoss(terms.epsilon)
    unit = UserUnit(bound=terms.lifetime_bound)
    plain = shop(masses, unit=unit, epsilon=loss_beside_fading(loss, terms).epsilon, **changes)
    statement = plain.statement.model_copy(update={"loss": loss, "series": terms})
    place = SeriesPlace(period=name, life=life, terms=terms, wanted=wanted, wanted_noise=terms.wanted_noise)
    reading = reading_of(plain).model_copy(update={"denominator": TotalMass()})
    return read_noise(replace(released_in(plain), series=place), statement, SHOP, reading, software=plain.software)


IN_SERIES = period()
