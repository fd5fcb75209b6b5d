"""What a rehearsal on auxiliary text found: simulated releases of public text, never of the protected records."""

import textwrap
from collections.abc import Iterator

from dpspin.boundary.model_base import FrozenModel
from dpspin.public.preview.public_inputs import Extent, PublicInputs
from dpspin.public.preview.render import WIDTH
from dpspin.public.wording.numbers import plain

LONGEST_LABEL = 34
AS_GOOD = 1.01  # bounds whose limits differ by less are equally good


class Spread(FrozenModel):
    """A figure over all simulated releases: its mean, and the middle 90 % of them."""

    mean: float
    low: float
    high: float


class RehearsedTheme(FrozenModel):
    """A theme of the dictionary: its support by the map on the auxiliary text, and how often it was listed."""

    atom_id: int
    label: str
    support: float
    listed: float


class Clipping(FrozenModel):
    """What a user bound would cost: the mass that clipping takes away, and the noise that comes with the bound.

    ``limit_of_kept`` is the detection limit as a share of the mass that is kept: the bound where it is lowest shows
    the smallest themes.
    """

    bound: float
    lost: float
    admission_threshold: Extent
    limit_of_kept: float


class Rehearsal(FrozenModel):
    """Simulated releases of auxiliary text, rescaled to the public denominator. Nothing here is private or protected.

    ``overlap`` is Overlap@L: of the L truly largest themes, the part that was listed. ``certified_pairs`` counts the
    pairs of which the report may say which has more. ``orders_hold`` and ``intervals_hold`` are the parts of the
    releases in which all such statements, and all intervals together, were true.
    """

    request: PublicInputs
    units: int
    learned_from_it: bool
    uncovered: float | None
    themes: tuple[RehearsedTheme, ...]
    clipping: tuple[Clipping, ...]
    releases: int
    overlap: Spread
    admitted: Spread
    certified_pairs: Spread
    orders_hold: float
    intervals_hold: float


def render_rehearsal(rehearsal: Rehearsal) -> str:
    """Return the rehearsal as lines for a terminal of 80 columns."""
    sections = (_found(rehearsal), _themes(rehearsal), _clipping(rehearsal))
    return "\n\n".join("\n".join(lines) for section in sections if (lines := list(section))) + "\n"


def _found(rehearsal: Rehearsal) -> Iterator[str]:
    request, kind = rehearsal.request, rehearsal.request.unit.kind
    learned = (
        " The map learned from the same text, so it knows it better than others." if rehearsal.learned_from_it else ""
    )
    yield from textwrap.wrap(
        f"Rehearsal: {rehearsal.releases} simulated releases of the auxiliary text ({rehearsal.units:,} {kind}s, "
        f"rescaled to {request.denominator:,}). Its themes are not those of the protected records.{learned}",
        WIDTH,
    )
    pairs = request.size * (request.size - 1) // 2
    yield f"{'':<44}{'mean':>12}{'90% of releases':>22}"
    yield _spread(f"Overlap@{request.size}: largest themes that are listed", rehearsal.overlap, 100, "%")
    yield _spread("themes listed", rehearsal.admitted)
    yield _spread(f"pairs in a certain order, of {pairs}", rehearsal.certified_pairs)
    yield f"{'all stated orders are true':<44}{rehearsal.orders_hold:>12.1%}"
    yield f"{'all intervals hold together':<44}{rehearsal.intervals_hold:>12.1%}"
    if rehearsal.uncovered is not None:
        yield f"{'belongs to none of the themes':<44}{rehearsal.uncovered:>12.1%}"


def _spread(name: str, spread: Spread, per: int = 1, sign: str = "") -> str:
    low, high = (f"{per * value:.0f}{sign}" for value in (spread.low, spread.high))
    return f"{name:<44}{f'{per * spread.mean:.1f}{sign}':>12}{f'{low} to {high}':>22}"


def _themes(rehearsal: Rehearsal) -> Iterator[str]:
    shown = rehearsal.themes[: rehearsal.request.size + 3]
    yield f"{'Largest themes by the map':<44}{'support':>12}{'listed in':>22}"
    for theme in shown:
        label = textwrap.shorten(theme.label, LONGEST_LABEL, placeholder="…")
        yield f"{label:<44}{plain(100 * theme.support) + '%':>12}{f'{theme.listed:.1%} of releases':>22}"


def _clipping(rehearsal: Rehearsal) -> Iterator[str]:
    if not rehearsal.clipping:
        return
    yield f"{'Bound B':>10}{'mass lost':>14}{'detection limit, points':>28}{'as share of what is kept':>28}"
    for row in rehearsal.clipping:
        limit = plain(row.admission_threshold.points)
        yield f"{plain(row.bound):>10}{f'{row.lost:.1%}':>14}{limit:>28}{plain(100 * row.limit_of_kept) + '%':>28}"
    yield from textwrap.wrap(_on_bound(rehearsal), WIDTH)


def _on_bound(rehearsal: Rehearsal) -> str:
    chosen = next(row for row in rehearsal.clipping if row.bound == rehearsal.request.unit.bound)
    best = min(rehearsal.clipping, key=lambda row: row.limit_of_kept)
    now = f"At B = {plain(chosen.bound)}, clipping takes {chosen.lost:.1%} of the mass"
    if chosen.limit_of_kept <= AS_GOOD * best.limit_of_kept:
        return f"{now}; no other bound of the table would show smaller themes."
    weight = "more" if best.bound > chosen.bound else "less"
    return f"{now}. B = {plain(best.bound)} would show the smallest themes; active users would weigh {weight}."
