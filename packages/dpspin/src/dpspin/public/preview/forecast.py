"""What a release would be able to say, before a record is read or any budget is spent.

Noise and certificates are pure functions of public parameters, so the forecast is exact, costs no privacy and never
opens a private file. What it cannot know is the data: which themes are there, and how large they are.
"""

from dpspin.boundary.candidate_table import candidate_reach
from dpspin.boundary.certify import SupportBin, even_share_bins
from dpspin.boundary.example_table import lead_needed
from dpspin.boundary.facets import CandidateFacet, ExampleFacet
from dpspin.boundary.mechanisms import AnyMechanism
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import Noise
from dpspin.boundary.planner import Auto, planned, within_floats
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    PrivacyLoss,
    Quantity,
    RecordUnit,
    Sampling,
    UserUnit,
    largest_share,
    sensitivity_of,
)
from dpspin.boundary.views import View, cell_interval, cell_threshold, loss_beside_views, loss_of_view, noise_of_view
from dpspin.public.preview.advice import advice_on, lowest_named_bin
from dpspin.public.preview.chances import (
    Comparison,
    Listed,
    Needed,
    Ordered,
    admission_curve,
    compare,
    listed,
    needed_for,
    order_curve,
    ordered,
    surely_certified,
    surely_right,
)
from dpspin.public.preview.public_inputs import Extent, Known, PublicInputs, Selection, known_of

EPSILONS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


class ForecastView(FrozenModel):
    """What a view buys: the noise on each cell, and the mass from which on a cell is told from one of nobody.

    ``interval`` is the half-width of a listed theme's interval in one value; all of them hold together. ``lead``
    is that of an example, from which on it is told as the nearest to most of a listed theme; ``candidate_seen`` the
    noisy mass from which on a candidate is told.
    """

    title: str
    values: int
    epsilon: float
    noise_std: Extent
    cell_threshold: Extent
    interval: Extent
    lead: Extent | None = None
    candidate_seen: Extent | None = None


class Forecast(FrozenModel):
    """What the request buys. An ``Extent`` is a mass, in points of the denominator, and in whole records or users.

    ``admission_threshold`` is what a noisy support must exceed; ``reliably_seen`` is the smallest true support that
    exceeds it with 95 % probability. ``interval_below`` and ``interval_above`` are the half-widths of the intervals.
    ``reliably_right`` and ``reliably_certified`` are the true gaps from which on, with 95 % probability, the larger
    theme has the larger value, and may be said to have more.

    ``admission`` is the chance to exceed the threshold over true support. Being listed also takes a place among the
    L largest noisy values; where a mechanism selects, it must first be chosen, and the chance is for a chosen one.
    ``selection`` bounds what that choice may miss. ``order`` is for two themes that are listed.
    """

    request: PublicInputs
    noise: Noise
    noise_std: Extent
    admission_threshold: Extent
    reliably_seen: Extent
    interval_below: Extent
    interval_above: Extent
    comparison_margin: Extent
    superlative_margin: Extent
    reliably_right: Extent
    reliably_certified: Extent
    admission: tuple[Listed, ...]
    order: tuple[Ordered, ...]
    selection: Selection | None
    mechanisms: Comparison
    needed: Needed | None
    advice: tuple[str, ...]
    views: tuple[ForecastView, ...] = ()

    def listed_at(self, support: float) -> Listed:
        """Return the chance of a theme of this true support (a share of the denominator)."""
        return listed(self.request, known_of(self.request), support * self.request.denominator)

    def ordered_at(self, gap: float) -> Ordered:
        """Return the chances of order of two listed themes with this true gap (a share of the denominator)."""
        return ordered(self.request, known_of(self.request), gap * self.request.denominator)


def forecast(
    unit: RecordUnit | UserUnit,
    adjacency: Adjacency,
    loss: PrivacyLoss,
    mechanism: AnyMechanism | Auto,
    *,
    atoms: int,
    size: int,
    denominator: int,
    beta: float = 0.05,
    bins: tuple[SupportBin, ...] | None = None,
    besides: int = 0,
    quantity: Quantity = MASS,
    sampling: Sampling = EVERYONE,
    views: tuple[View, ...] = (),
    count_share: float | None = None,
    see: float | None = None,
) -> Forecast:
    """Forecast a release from its public inputs alone.

    ``besides`` counts what the map measures besides the themes (none of these, other languages). ``count_share`` of
    epsilon buys a count of the units;
    ``denominator`` is then a public guess at it, and all else is forecast with what is left. ``see`` is a support that
    should be seen reliably; the forecast says which epsilon that needs (without it, for the lowest bin
    that has a name and a floor).

    >>> from dpspin.boundary.mechanisms import Laplace
    >>> loss = PrivacyLoss(1.0)
    >>> it = forecast(RecordUnit(), Adjacency.ADD_DROP, loss, Laplace(), atoms=46, size=10, denominator=2000)
    >>> round(it.admission_threshold.mass, 2), round(it.admission_threshold.points, 3)
    (6.11, 0.305)
    >>> round(it.listed_at(0.004).chance, 3), round(it.ordered_at(0.002).right, 3)
    (0.925, 0.973)
    """
    with within_floats():
        if isinstance(mechanism, Auto):
            reach = sensitivity_of(unit, adjacency, quantity)
            left, all_themes = loss_beside_views(loss, views), bool(views)
            found = planned(
                left, reach, atoms=atoms, size=size, besides=besides, sampling=sampling, every_theme=all_themes
            )
            mechanism, loss = found.mechanism, PrivacyLoss(loss.epsilon, loss.delta if found.loss.delta else 0.0)
        request = PublicInputs(
            unit=unit,
            adjacency=adjacency,
            loss=loss,
            mechanism=mechanism,
            atoms=atoms,
            size=size,
            denominator=denominator,
            beta=beta,
            bins=bins or even_share_bins(max(1, atoms), largest_share(quantity, unit)),
            besides=besides,
            quantity=quantity,
            sampling=sampling,
            views=views,
            count_share=count_share,
        )
        request.require_fitting()
        return _forecast(request, known_of(request), _needed(request, see))


def _forecast_view(request: PublicInputs, view: View) -> ForecastView:
    noise, values = noise_of_view(request.mechanism, request.loss, request.sensitivity, view), len(view.facet.places)
    measured = len(range(request.atoms + request.besides)[view.facet.measured(request.atoms)])
    lead = lead_needed(noise, values - 1, request.size, request.beta)
    seen = candidate_reach(noise, values - 1, request.beta)
    return ForecastView(
        title=view.facet.title,
        values=values,
        epsilon=loss_of_view(request.loss, view).epsilon,
        noise_std=request.extent(noise.std),
        cell_threshold=request.extent(cell_threshold(noise, measured * values, request.beta)),
        interval=request.extent(cell_interval(noise, request.size * values, request.beta)),
        lead=request.extent(lead) if isinstance(view.facet, ExampleFacet) else None,
        candidate_seen=request.extent(seen) if isinstance(view.facet, CandidateFacet) else None,
    )


def _needed(request: PublicInputs, see: float | None) -> Needed | None:
    if see is not None:
        return needed_for(request, see)
    lowest = lowest_named_bin(request)
    if lowest is None or lowest.at_least > request.unit.bound or request.chooses_at_random:
        return None
    return needed_for(request, lowest.at_least)


def _forecast(request: PublicInputs, known: Known, needed: Needed | None) -> Forecast:
    said = known.certificates
    return Forecast(
        request=request,
        noise=known.noise,
        noise_std=request.extent(known.noise.std),
        admission_threshold=request.extent(known.threshold),
        reliably_seen=request.extent(known.reliably_seen),
        interval_below=request.extent(said.interval_below),
        interval_above=request.extent(said.interval_above),
        comparison_margin=request.extent(said.comparison_margin),
        superlative_margin=request.extent(said.superlative_margin),
        reliably_right=request.extent(surely_right(known)),
        reliably_certified=request.extent(surely_certified(known)),
        admission=admission_curve(request, known),
        order=order_curve(request, known),
        selection=request.selection,
        mechanisms=compare(request),
        needed=needed,
        advice=advice_on(request, known, needed),
        views=tuple(_forecast_view(request, view) for view in request.views),
    )
