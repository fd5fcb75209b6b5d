"""Views: the mass that records have anyway, in cells of a theme and a facet's value. What they cost, and their noise.

A record puts phi(x) into the cells of its own value, so its L1 norm stays at most one. A user's records are summed over
all cells of the view and clipped together, so that norm is at most B; a user's mentions (prevalence) count in the value
where the user has most of each theme, so there are at most K of them.

Theorem (views): one unit moves the cells of a view, all of them together, by no more than it moves the sketch. So
noise that is calibrated to the sketch's sensitivity and a loss (eps_v, delta_v) makes the view (eps_v, delta_v)-DP,
whatever the number of its cells. Sketch and views together: sequential composition, the losses add up.

Parallel composition over values would be false: a user may have records in all of them.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from dpspin.boundary.facets import AnyFacet, Facet
from dpspin.boundary.mechanisms.base import ReleaseMechanism, noise_of
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise, Noise
from dpspin.boundary.privacy import PrivacyLoss, Sensitivity
from dpspin.errors import RequestError

SHARE_OF_ALL: Final = 0.5  # of epsilon, for all views together: the totals' noise is then twice what it would be alone
MOST_CELLS: Final = 2**22  # of all facets together: they are counted in memory


class View(FrozenModel):
    """Themes by the values of one facet, and the part of the release's loss that pays for it."""

    facet: Facet
    share: float = Field(gt=0, lt=1)


class NoisyColumn(FrozenModel):
    """One value of a facet: the noisy masses of every atom, then of "none of these" and "not read" where measured."""

    value: str
    noisy_masses: tuple[float, ...]


class NoisyView(FrozenModel):
    """What was released of a view: one column per value of its facet, and the noise on each of its cells."""

    noise: Noise
    columns: tuple[NoisyColumn, ...]


class ViewChoice(FrozenModel):
    """A view that is asked for; without a share, the views divide half of epsilon evenly."""

    facet: Facet
    share: float | None = Field(None, gt=0, lt=1)


def _facet_and_share(told: object) -> object:
    """Let a view be told by the fields of its facet, and its share beside them.

    >>> _facet_and_share({"column": "channel", "values": ["app", "web"], "share": 0.2})
    {'facet': {'column': 'channel', 'values': ['app', 'web']}, 'share': 0.2}
    """
    if not isinstance(told, Mapping) or "facet" in told:
        return told
    facet = {field: value for field, value in told.items() if field != "share"}
    return {"facet": facet, **({"share": told["share"]} if "share" in told else {})}


AskedView = Annotated[ViewChoice, BeforeValidator(_facet_and_share)]


def shared_out(choices: Sequence[ViewChoice]) -> tuple[View, ...]:
    """Say what each view may cost: as it was told, or half of epsilon divided evenly.

    >>> channel = {"column": "channel", "values": ["app", "web"]}
    >>> [view.share for view in shared_out([ViewChoice(facet=channel), ViewChoice(facet={"languages": ["en"]})])]
    [0.25, 0.25]
    """
    told = [choice.share for choice in choices if choice.share is not None]
    if told and len(told) < len(choices):
        raise RequestError("say the share of every view, or of none", code="request.view-shares", field="records.views")
    if math.fsum(told) >= 1:
        raise RequestError(
            "the views' shares of epsilon leave nothing for the totals: let them add up to less than 1",
            code="request.view-shares",
            field="records.views",
        )
    titles = [choice.facet.title for choice in choices]
    if len(set(titles)) < len(titles):
        raise RequestError(
            "two views have one name: give each a name of its own", code="request.view-names", field="records.views"
        )
    even = SHARE_OF_ALL / max(1, len(choices))
    return tuple(View(facet=choice.facet, share=choice.share or even) for choice in choices)


def loss_of_view(loss: PrivacyLoss, view: View) -> PrivacyLoss:
    """Return what a view may cost: its share of epsilon and of delta."""
    return PrivacyLoss(view.share * loss.epsilon, view.share * loss.delta)


def loss_beside_views(loss: PrivacyLoss, views: Sequence[View]) -> PrivacyLoss:
    """Return what is left for the totals, once all views are paid for.

    >>> views = shared_out([ViewChoice(facet={"languages": ["en"]})])
    >>> loss_beside_views(PrivacyLoss(1.0, 1e-6), views)
    PrivacyLoss(epsilon=0.5, delta=5e-07)
    """
    if not views:
        return loss
    paid = [loss_of_view(loss, view) for view in views]
    epsilon = loss.epsilon - math.fsum(each.epsilon for each in paid)
    return PrivacyLoss(epsilon, loss.delta - math.fsum(each.delta for each in paid))


def noise_of_view(mechanism: ReleaseMechanism, loss: PrivacyLoss, sensitivity: Sensitivity, view: View) -> AnyNoise:
    """Return the noise on every cell of a view, by the theorem above; it does not depend on their number."""
    return noise_of(mechanism, loss_of_view(loss, view), sensitivity, atoms=1, size=1)


def require_viewable(facets: Sequence[AnyFacet], *, selecting: str | None, everyone: bool, reads: bool) -> None:
    """Refuse views where nothing is proven of them; ``selecting`` names a mechanism that chooses its themes."""
    if not facets:
        return
    if selecting is not None:
        raise RequestError(
            f"{selecting} measures only the themes that it chooses, and views are of all: use laplace or gaussian",
            code="request.view-selected",
            field="mechanism",
        )
    if not everyone:
        raise RequestError(
            "views of a random sample share its coins, and nothing is proven of that: leave `records.sampling` out",
            code="request.view-sampled",
            field="records.sampling",
        )
    if reads:
        raise RequestError(
            "a read sample corrects the totals and no view of them: leave `reading.folder` out, or `records.views`",
            code="request.view-read",
            field="records.views",
        )
