"""Libraries for tests: small releases and a series of the shop, as they are published."""

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.series import SeriesIndex, SeriesPeriod
from dpspin.public.atoms.dictionary_files import dumps
from series_plans import SHOP_SERIES, TERMS
from shop_plans import CLEAR, SHOP


def put(folder, plan: SemanticPlan, atoms=SHOP):
    """Publish a plan with its dictionary."""
    folder.mkdir(parents=True)
    (folder / "plan.json").write_text(plan.to_json(), encoding="utf-8")
    (folder / "atoms.json").write_text(dumps(atoms.published), encoding="utf-8")
    return folder


def put_series(folder):
    """Publish the shop's series."""
    for period, plan in SHOP_SERIES.plans.items():
        put(folder / period, plan)
    periods = tuple(
        SeriesPeriod(name=name, life=plan.series.life, plan=f"{name}/plan.json")
        for name, plan in SHOP_SERIES.plans.items()
    )
    (folder / "series.json").write_text(SeriesIndex(title="The shop", terms=TERMS, periods=periods).to_json())
    return folder


def titled(title, plan=CLEAR):
    """Return a plan with a title."""
    return plan.model_copy(update={"title": title})
