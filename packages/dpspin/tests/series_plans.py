"""Series for tests: plans as the product reads them from noisy masses, one for each period."""

from collections.abc import Mapping, Sequence

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.series import SeriesPlace, SeriesTerms, loss_beside_fading
from dpspin.boundary.series_changes import PlansInTime
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.public.narrate.facts import Facts
from shop_plans import SHOP

MONTHS = PeriodFacet(column="date", every="month", first="2026-01", last="2026-12")
WEEKS = PeriodFacet(column="date", every="week", first="2026-01-01", last="2026-12-27")
TERMS = SeriesTerms(every=MONTHS, epsilon=2.0, lifetime_bound=4.0, per_period_bound=1.0)


def terms_of(every: PeriodFacet, **changes: object) -> SeriesTerms:
    return SeriesTerms(**{**dict(TERMS), "every": every, **changes})


def series_plan(
    universe: AtomUniverse,
    masses: Sequence[float],
    period: str,
    *,
    terms: SeriesTerms = TERMS,
    life: int = 1,
    none: float | None = None,
    not_read: float | None = None,
    wanted: float | None = None,
    randomness: str = "os-csprng",
    card: ReportCard | None = None,
    **reading: object,
) -> SemanticPlan:
    """Return the plan of one period: these are its noisy masses, and ``wanted`` is noisy too."""
    unit, loss = UserUnit(bound=terms.lifetime_bound), PrivacyLoss(terms.epsilon)
    besides = (none is not None) + (not_read is not None)
    chosen = ReaderChoices(**{"denominator": TotalMass(), "size": min(10, universe.size), **reading})
    statement = PrivacyStatement(
        unit=unit,
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=Laplace(),
        noise=noise_of(
            Laplace(),
            loss_beside_fading(loss, terms),
            sensitivity_of(unit, Adjacency.ADD_DROP),
            atoms=universe.size,
            size=chosen.size,
            besides=besides,
        ),
        randomness=randomness,
        separation=NO_TEXTS,
        contribution_map=MapStatement(
            name="given",
            fitted_on="nothing",
            atoms_per_record=3,
            digest="sha256:0",
            answers_none=none is not None,
            languages=() if not_read is None else ("en",),
            card=card,
        ),
        series=terms,
    )
    total = sum(masses) + (none or 0) + (not_read or 0)
    place = SeriesPlace(
        period=period,
        life=life,
        terms=terms,
        wanted=total if wanted is None else wanted,
        wanted_noise=terms.wanted_noise,
    )
    noisy = NoisyMasses([*masses], none, not_read=not_read, series=place)
    plan = read_noise(noisy, statement, universe, chosen, software="dpspin test")
    return SemanticPlan.from_json(plan.to_json())


def series_of(universe: AtomUniverse, by_period: Mapping[str, Sequence[float]], **options: object) -> PlansInTime:
    """Return the plans of these periods; an option that is a mapping has one value for each period."""

    def of(period: str) -> dict[str, object]:
        return {name: value[period] if isinstance(value, Mapping) else value for name, value in options.items()}

    return PlansInTime(
        tuple(series_plan(universe, masses, period, **of(period)) for period, masses in by_period.items())
    )


def facts_of(time: PlansInTime, universe: AtomUniverse) -> Facts:
    return Facts(time.released[-1], universe, time=time)


def _shop_months() -> dict[str, list[float]]:
    """Return eight months of the shop: slow refund rises in April, June is skipped, lost data falls in August."""
    released = [(place, month) for place, month in enumerate(MONTHS.declared[:9]) if month != "2026-06"]
    usual = (1768.0, 1200.0, 640.0, 632.0, 360.0, 240.0, -16.0)
    steps = {3: (3, 480.0), 1: (7, -440.0)}

    def mass(place: int, theme: int) -> float:
        since, by = steps.get(theme, (0, 0.0))
        return usual[theme] + 4.0 * (place * 7 % 5 - 2) + (by if place >= since else 0.0)

    return {month: [mass(place, theme) for theme in range(len(usual))] for place, month in released}


SHOP_MONTHS = _shop_months()
SHOP_SERIES = series_of(
    SHOP,
    SHOP_MONTHS,
    none=1200.0,
    not_read=80.0,
    life={month: 1 if month < "2026-08" else 2 for month in SHOP_MONTHS},
    wanted={month: 6000.0 + 800.0 * place for place, month in enumerate(SHOP_MONTHS)},
)
