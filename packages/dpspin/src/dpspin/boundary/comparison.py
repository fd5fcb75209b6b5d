"""What two plans say of a change: shares in the one and in the other, and how far apart they are without the noise.

Pure post-processing of released numbers; anyone can recompute it. It compares two collections as they were measured.
Who is in both, and why a share differs, is in neither plan.

Theorem (as filed). Let X = C + Z be the noisy masses of a plan, D what its shares refer to, and [L, H] the interval of
D. For fixed numbers D, D' the difference C'/D' - C/D lies within t of X'/D' - X/D but with probability
2·P(Z'/D' - Z/D > t), by the exact law of two independent noises, whichever mechanisms drew them. t falls in D and D',
so t at (L, L') serves every D and D' in their intervals; the ends below are the extremes over those. A union over all
compared coordinates, and over the intervals of noisy denominators (a tenth of beta), gives at least 1 - beta for
everything together. A private selection draws its values with fresh noise, so given what was chosen the same holds for
the themes that both plans released. Of the others nothing is said.

Two collections differ by chance in who wrote, even where nothing changed, and the noise is often the smaller part. If
units are independent of each other, a mass C has a variance of at most c·C, where c is the most that a unit adds to it
(0 <= x <= c, so E x² <= c·E x). A difference is beyond chance where its nearer end lies beyond the normal quantile of
that spread, for all compared coordinates together: an approximation, and stated as one.

As read: each plan's intervals hold together with 1 - beta/2, so that their differences do with 1 - beta.
"""

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import TICK
from dpspin.boundary.comparable import Place, released_by_place, require_comparable
from dpspin.boundary.comparison_fields import (
    FINER,
    Change,
    ComparedPlan,
    Comparison,
    Direction,
    Interval,
    ThemeChange,
    WhyFiled,
)
from dpspin.boundary.denominator import PART_OF_BETA, AnyDenominator, PublicNumber
from dpspin.boundary.grounded_shares import GroundedValue, ground_all
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.percentages import COARSE, most_of, outward
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import denominator_at
from dpspin.boundary.privacy import TICKS_PER_MASS, sensitivity_of
from dpspin.boundary.sampling_law import reach_of_difference
from dpspin.boundary.software import SOFTWARE
from dpspin.boundary.statement import PrivacyStatement


def compare_plans(before: SemanticPlan, after: SemanticPlan, universe: AtomUniverse) -> Comparison:
    """Compare two plans that measured the same in the same way; refuse others, and say what differs."""
    require_comparable(before, after)
    beta = max(before.rules.beta, after.rules.beta)
    why = _why_filed(before, after)
    decimals, told = certified_changes(before, after, beta, as_filed=why is not None)
    return Comparison(
        software=SOFTWARE,
        a=_about(before),
        b=_about(after),
        dictionary=after.dictionary,
        told="filed" if why else "read",
        why_filed=why,
        beta=beta,
        decimals=decimals,
        themes=tuple(
            ThemeChange(atom_id=atom.id, label=atom.label, **dict(told[atom.id]))
            for atom in universe.atoms
            if atom.id in told
        ),
        none=told.get("none"),
        not_read=told.get("not_read"),
        not_compared=tuple(atom.id for atom in universe.atoms if atom.id not in told),
    )


def certified_changes(
    before: SemanticPlan, after: SemanticPlan, beta: float, *, as_filed: bool = True
) -> tuple[int, dict[Place, Change]]:
    """Return the changes of everything that both plans released, and with how many decimals their ends are written."""
    filed = _filed_changes(before, after, beta)
    changes = filed if as_filed else {**filed, **_read_changes(before, after, beta)}
    decimals, by_chance = _decimals(changes), _chance_of(before, after, beta / (2 * max(1, len(changes))))
    return decimals, {place: _decided(change, decimals, by_chance(change)) for place, change in changes.items()}


def _about(plan: SemanticPlan) -> ComparedPlan:
    return ComparedPlan(
        digest=digest_of(plan.model_dump(mode="json")),
        title=plan.title,
        about=plan.about,
        denominator=plan.denominator,
        mechanism=plan.statement.mechanism.kind,
        loss=plan.statement.loss,
        randomness=plan.statement.randomness,
    )


def _why_filed(before: SemanticPlan, after: SemanticPlan) -> WhyFiled | None:
    """Say why what the map filed is compared; nothing where one reader read samples of both."""
    read = [plan.statement.grounding for plan in (before, after)]
    readers = [each.reader for each in read if each is not None]
    if len(readers) < len(read):
        return "one_read" if readers else "none_read"
    return "readers_differ" if len({*readers}) > 1 else None


def _filed_changes(before: SemanticPlan, after: SemanticPlan, beta: float) -> dict[Place, Change]:
    """Compare everything that both plans released, as the map filed it."""
    one, other = released_by_place(before), released_by_place(after)
    places = [place for place in one if place in other]
    of, to = (denominator_at(plan, beta / 2) for plan in (before, after))
    public = isinstance(of, PublicNumber) and isinstance(to, PublicNumber)
    tail = beta / (2 * max(1, len(places)))
    noises = before.statement.noise, after.statement.noise
    in_shares = noises[0].scaled(1 / of.low), noises[1].scaled(1 / to.low)
    reach = reach_of_difference(*in_shares, tail if public else (1 - PART_OF_BETA) * tail)
    reach += TICK / of.low + TICK / to.low
    of_values = reach_of_difference(*noises, tail) + 2 * TICK
    return {
        place: _change(
            (max(0.0, one[place]) / of.value, max(0.0, other[place]) / to.value),
            _least(other[place], to) + _least(-one[place], of) - reach,
            -_least(-other[place], to) - _least(one[place], of) + reach,
            (most_of(before), most_of(after)),
            _around(other[place] - one[place], of_values) if public else None,
        )
        for place in places
    }


def _least(mass: float, denominator: AnyDenominator) -> float:
    """Return the least that a mass can be as a share of what lies in the denominator's interval."""
    return mass / (denominator.high if mass >= 0 else denominator.low)


def _around(value: float, reach: float) -> Interval:
    return Interval(low=value - reach, high=value + reach)


def _read_changes(before: SemanticPlan, after: SemanticPlan, beta: float) -> dict[Place, Change]:
    """Compare what a reader would file, by the intervals of both plans for everything that was measured."""
    read = [_as_read(plan, beta / 2) for plan in (before, after)]
    return {
        place: _change(
            (one.support, other.support),
            other.support_low - one.support_high,
            other.support_high - one.support_low,
            (math.inf, math.inf),
        )
        for (place, one), other in zip(read[0].items(), read[1].values(), strict=True)
    }


def _as_read(plan: SemanticPlan, beta: float) -> dict[Place, GroundedValue]:
    assert plan.grounded is not None  # noqa: S101  asked for where a sample was read only
    masses, whole = plan.released_masses, denominator_at(plan, beta)
    values = ground_all(masses, plan.grounded.readings, plan.statement, whole, beta=beta)
    places: list[Place] = [int(each.atom_id) for each in plan.noisy_sketch or ()]
    none: list[Place] = [] if plan.uncovered is None else ["none"]
    return dict(zip([*places, *none], values, strict=False))


def _change(
    shares: tuple[float, float], low: float, high: float, most: tuple[float, float], values: Interval | None = None
) -> Change:
    """Cut what no difference can be, and keep the one that is shown between the ends: a share is never below zero."""
    before, after = (min(share, limit) for share, limit in zip(shares, most, strict=True))
    ends = max(-most[0], min(low, after - before)), min(most[1], max(high, after - before))
    return Change(
        share_a=before, share_b=after, low=ends[0], high=ends[1], direction="not_apart", chance=0.0, values=values
    )


def _decimals(changes: Mapping[Place, Change]) -> int:
    """Return the decimals of points: the last one is at most a fifth of what the narrowest interval leaves open."""
    error = min((50 * (each.high - each.low) for each in changes.values()), default=COARSE)
    return max(0 if error >= COARSE else 1, math.ceil(-math.log10(error / 5)))


def _decided(change: Change, decimals: int, by_chance: float) -> Change:
    low, high = outward(change.low, change.high, decimals + FINER)
    direction: Direction = "up" if low > 0 else "down" if high < 0 else "not_apart"
    return change.model_copy(update={"direction": direction, "chance": by_chance})


def _chance_of(before: SemanticPlan, after: SemanticPlan, tail: float) -> Callable[[Change], float]:
    """Return how far apart chance would set two shares that are as large as they may be."""
    most = _most_of_a_unit(after.statement)
    reach = -NormalDist().inv_cdf(tail)

    def by_chance(change: Change) -> float:
        noise = (change.high - change.low) / 2
        shares = (change.share_a + noise) / before.denominator.low + (change.share_b + noise) / after.denominator.low
        return reach * math.sqrt(most * shares)

    return by_chance


def _most_of_a_unit(stated: PrivacyStatement) -> float:
    """Return the most that one unit adds to a mass: in a period of a series no more than that period may take."""
    if stated.series is not None:
        return stated.series.per_period_bound
    return sensitivity_of(stated.unit, stated.adjacency, stated.quantity).coordinate / TICKS_PER_MASS
