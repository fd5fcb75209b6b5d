"""Plans of the small shop with views, of masses that are given."""

from collections.abc import Sequence

from dpspin.boundary.facets import ColumnFacet, PeriodFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import released_in
from dpspin.boundary.privacy import sensitivity_of
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.boundary.view_sizes import SizedView
from dpspin.boundary.views import NoisyColumn, NoisyView, View, noise_of_view
from shop_plans import SHOP, read_by, shop

CHANNEL = ColumnFacet(column="channel", values=("app", "web"))


def viewed(
    columns: Sequence[Sequence[float]], *, facet=CHANNEL, epsilon: float = 4.0, **changes: object
) -> SemanticPlan:
    """Return a plan with one view at half of epsilon: one list of masses, atoms then none, for each value."""
    plain = shop(none=300.0, epsilon=epsilon / 2, **changes)
    view = View(facet=facet, share=0.5)
    statement = plain.statement.model_copy(update={"views": (view,), "loss": plain.statement.loss.__class__(epsilon)})
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    noise = noise_of_view(statement.mechanism, statement.loss, sensitivity, view)
    told = tuple(
        NoisyColumn(value=value, noisy_masses=tuple(masses))
        for value, masses in zip(facet.places, columns, strict=True)
    )
    noisy = released_in(plain)
    released = noisy.__class__(
        noisy.masses, noisy.none, not_read=noisy.not_read, views=(NoisyView(noise=noise, columns=told),)
    )
    return read_noise(released, statement, SHOP, reading_of(plain), software=plain.software)


APP = [300.0, 100.0, 30.0, 60.0, 40.0, 20.0, 0.0, 100.0]  # app crashes 46 %
WEB = [140.0, 195.0, 128.0, 95.0, 50.0, 38.0, 2.0, 190.0]  # app crashes 17 %
FEW = [2.0, 1.0, 2.0, 3.0, 0.0, 2.0, -1.0, 4.0]
NOBODY = [0.5, -1.0, 0.3, 0.0, 1.0, -0.4, 0.2, 0.1]
BY_CHANNEL = viewed([APP, WEB, FEW, NOBODY])

MONTHS = PeriodFacet(column="date", every="month", first="2026-05", last="2026-07")
MORE_WEB = [2 * each for each in WEB]  # of each theme the same share
BY_MONTH = viewed([APP, MORE_WEB, WEB, FEW, NOBODY], facet=MONTHS)
YEAR = PeriodFacet(column="date", every="month", first="2026-01", last="2026-12")
BY_YEAR = viewed([*[WEB] * 5, *[APP] * 7, FEW, NOBODY], facet=YEAR)
THREE = ColumnFacet(column="channel", values=("app", "web", "fax"))
BY_THREE = viewed([APP, MORE_WEB, WEB, FEW, NOBODY], facet=THREE)


def sized(plan: SemanticPlan, **sizes: int) -> SemanticPlan:
    """Return the plan of one view with declared sizes for its values."""
    told = [{"value": value, "size": size} for value, size in sizes.items()]
    return read_by(plan, sizes=(SizedView(view=plan.statement.views[0].facet.title, sizes=told),))


SIZED = sized(BY_CHANNEL, app=5000, web=20000)  # of who may write, app crashes are 6 % and 0.7 %
SIZED_THREE = sized(BY_THREE, app=5000, web=20000, fax=400)  # more is filed than the size of fax
VIEWED = (BY_CHANNEL, BY_MONTH, BY_THREE, SIZED, SIZED_THREE)  # of several shapes
