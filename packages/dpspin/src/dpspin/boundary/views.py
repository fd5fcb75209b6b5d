"""Views: the mass that records have anyway, in cells of a theme and a facet's value. What they cost, and their noise.

A record puts phi(x) into the cells of its own value, so its L1 norm stays at most one. A user's records are summed over
all cells of the view and clipped together, so that norm is at most B; a user's mentions (prevalence) count in the value
where the user has most of each theme, so there are at most K of them.

Theorem (views): one unit moves the cells of a view, all of them together, by no more than it moves the sketch. So
noise that is calibrated to the sketch's sensitivity and a loss (eps_v, delta_v) makes the view (eps_v, delta_v)-DP,
whatever the number of its cells. Sketch and views together: sequential composition, the losses add up.

Parallel composition over values would be false: a user may have records in all of them.

A facet may look at the coordinate too (which public example of a theme is nearest). Its place is a fixed function of
one record and one coordinate, so what a record has of a coordinate still lies in one cell, and a user is clipped over
all cells as before: the same theorem. Where only some coordinates are measured by place, the others are never drawn.

A facet that stands alone (candidates) deals out a record's mass anew, by another fixed map: again a nonnegative vector
of L1 norm at most one per record, summed and clipped to B per user by itself. So one unit moves it no further than the
sketch, in L1 and in L2, and the theorem is the same; it is one more release of the same unit, and its loss is added.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final

from pydantic import BeforeValidator, Field

from dpspin.boundary.certify import TICK
from dpspin.boundary.facets import AnyFacet, AskedFacet, Facet, RecordFacet
from dpspin.boundary.mechanisms.base import ReleaseMechanism, noise_of
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise, Noise
from dpspin.boundary.privacy import PrivacyLoss, Sensitivity
from dpspin.errors import RequestError

OF_CELLS: Final = 0.45  # of beta: intervals of the cells; totals and differences have the rest
SHARE_OF_ALL: Final = 0.5  # of epsilon, for all views together: the totals' noise is then twice what it would be alone
SHARE_OF_TEXT: Final = 0.1  # of epsilon, for each view by the text itself: it names the first of a few, or few of many
SHARE_OF_CANDIDATES: Final = 0.2  # of epsilon: a missing theme is often one record in a hundred
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


class TextView(FrozenModel):
    """A view by the text itself: the part of epsilon that pays for it."""

    share: float = Field(SHARE_OF_TEXT, gt=0, lt=1)


class ViewChoice(FrozenModel):
    """A view that is asked for; without a share, the views divide half of epsilon evenly."""

    facet: AskedFacet
    share: float | None = Field(None, gt=0, lt=1)


IN_WORDS: Final = "channel=app,web or stars=cut:2,3,4 or date=month:2026-01..2026-06 or language:en,de"
# No list of values looks so on a command line: such a slip would be taken for one, and paid for.
SLIP: Final = re.compile(r"[;=]|\.\.|^(cut|day|week|month|quarter|year)s?\s*:", re.IGNORECASE)


def _in_words(told: str) -> dict[str, object]:
    """Read a facet as it is told on a command line.

    >>> _in_words("channel=app,web"), _in_words("stars=cut:2,3")
    ({'column': 'channel', 'values': ['app', 'web']}, {'column': 'stars', 'cuts': ['2', '3']})
    >>> _in_words("date=month:2026-01..2026-06")
    {'column': 'date', 'every': 'month', 'first': '2026-01', 'last': '2026-06'}
    """
    column, equals, words = (part.strip() for part in told.partition("="))
    how, colon, rest = (part.strip() for part in words.partition(":"))
    first, dots, last = (part.strip() for part in rest.partition(".."))
    if not equals and column.startswith("language:"):
        return {"languages": column.removeprefix("language:").split(",")}
    if colon and how == "cut":
        return {"column": column, "cuts": rest.split(",")}
    if colon and dots:
        return {"column": column, "every": how, "first": first, "last": last}
    if not (equals and column and words) or SLIP.search(words):
        raise RequestError(
            f"say what a view is by like one of these: {IN_WORDS}; values with other signs go into a request file",
            code="request.view-words",
            field="records.views",
        )
    return {"column": column, "values": words.split(",")}


def _facet_and_share(told: object) -> object:
    """Let a view be told in words, or by the fields of its facet and its share beside them.

    >>> _facet_and_share({"column": "channel", "values": ["app", "web"], "share": 0.2})
    {'facet': {'column': 'channel', 'values': ['app', 'web']}, 'share': 0.2}
    """
    if isinstance(told, str):
        return {"facet": _in_words(told)}
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
    even = SHARE_OF_ALL / max(1, len(choices))
    return require_rest(View(facet=choice.facet, share=choice.share or even) for choice in choices)


def require_rest(views: Iterable[View]) -> tuple[View, ...]:
    """Return the views of a release, for whose totals something must be left."""
    every = tuple(views)
    if math.fsum(view.share for view in every) >= 1:
        raise RequestError(
            "the views' shares of epsilon leave nothing for the totals: let them add up to less than 1",
            code="request.view-shares",
            field="records.views",
        )
    titles = [view.facet.title for view in every]
    if len(set(titles)) < len(titles):
        raise RequestError(
            "two views have one name: give each a name of its own, in a request file",
            code="request.view-names",
            field="records.views",
        )
    return every


def views_by_text(views: Iterable[View]) -> tuple[View, ...]:
    """Return the views by the text itself, which later versions of a plan have."""
    return tuple(view for view in views if not isinstance(view.facet, RecordFacet))


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


def cell_threshold(noise: AnyNoise, cells: int, beta: float) -> float:
    """Return the mass above which a cell is more than noise: all cells of a view together, but for ``beta``.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(cell_threshold(LaplaceNoise(scale=1.0), 540, 0.05), 1)
    8.6
    """
    return noise.upper_quantile(-math.expm1(math.log1p(-beta) / cells)) + TICK


def cell_interval(noise: AnyNoise, listed: int, beta: float) -> float:
    """Return how far noise takes a listed cell up or down: all of them together, but for their part of ``beta``."""
    return noise.upper_quantile(OF_CELLS * beta / (2 * listed)) + TICK


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
