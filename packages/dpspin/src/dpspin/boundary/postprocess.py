"""From noisy masses to plan entries, and whether a plan follows from its masses. Pure; anyone can recompute it."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.baseline import Baseline, BestGuess
from dpspin.boundary.certify import ReadingRules, SupportBin
from dpspin.boundary.denominator import (
    AnyDenominator,
    FreeTotal,
    PaidCount,
    PublicNumber,
    free_total,
    paid_count,
    share_interval,
)
from dpspin.boundary.grounded_shares import GroundedPart, NoisyReadings, ground
from dpspin.boundary.plan_fields import NoisyMass, PlanEntry, PlanFields
from dpspin.boundary.privacy import EVERYONE, MASS
from dpspin.boundary.report_card import QuantifiedShare
from dpspin.boundary.series import SeriesPlace
from dpspin.boundary.statement import PrivacyStatement
from dpspin.boundary.views import NoisyView


@dataclass(frozen=True, slots=True)
class NoisyMasses:
    """Noisy masses of every atom in dictionary order, or of those at the ``positions`` that a private selection chose.

    "None of these" and "not read" need no choice, where they are measured. ``count`` is the noisy number of units,
    where it was paid for.
    """

    masses: Sequence[float]
    none: float | None = None
    count: int | None = None
    not_read: float | None = None
    positions: Sequence[int] | None = None
    readings: NoisyReadings | None = None  # of a sample, where one was read
    views: tuple[NoisyView, ...] = ()
    series: SeriesPlace | None = None

    @property
    def with_besides(self) -> list[float]:
        """All masses, those that are no atoms last."""
        return [*self.masses, *(value for value in (self.none, self.not_read) if value is not None)]


def released_in(plan: PlanFields, ids: Sequence[int] = ()) -> NoisyMasses:
    """Return what a plan was made of; the ids of its dictionary say where the atoms are that a selection chose."""
    none = plan.uncovered.noisy_mass if plan.uncovered else None
    not_read = plan.not_read.noisy_mass if plan.not_read else None
    count = plan.denominator.noisy_count if isinstance(plan.denominator, PaidCount) else None
    if plan.noisy_sketch is not None:
        readings = None if plan.grounded is None else plan.grounded.readings
        masses = [item.noisy_mass for item in plan.noisy_sketch]
        return NoisyMasses(masses, none, count, not_read, readings=readings, views=plan.views, series=plan.series)
    place = {atom_id: position for position, atom_id in enumerate(ids)}
    positions = [place[entry.atom_id] for entry in plan.entries] if ids else []
    return NoisyMasses([entry.noisy_mass for entry in plan.entries], none, count, not_read, positions)


def denominator_at(plan: PlanFields, beta: float) -> AnyDenominator:
    """Return what shares refer to, with the interval that this chance of error leaves it."""
    match plan.denominator:
        case PublicNumber() as number:
            return number
        case PaidCount(noisy_count=count, share=share):
            return paid_count(count, plan.statement.loss_of_sketch, share, beta)
        case FreeTotal():
            return free_total(plan.released_masses, plan.statement.noise, beta)


def bin_of(support: float, bins: Sequence[SupportBin]) -> str:
    """Return the name of the first bin, from high to low, that the support reaches.

    >>> from dpspin.boundary.certify import three_bins
    >>> bins = three_bins(0.05, 0.02)
    >>> bin_of(0.06, bins), bin_of(0.02, bins), bin_of(0.0, bins)
    ('high', 'moderate', 'low')
    """
    return next(support_bin.name for support_bin in bins if support >= support_bin.at_least)


def top(masses: Sequence[float], size: int) -> list[int]:
    """Return the positions of the largest masses; of equal ones the lowest position wins.

    >>> top([1.0, 3.0, 3.0, 2.0], 3)
    [1, 2, 3]
    """
    return sorted(range(len(masses)), key=lambda position: (-masses[position], position))[:size]


def admitted_positions(masses: Sequence[float], rules: ReadingRules) -> list[int]:
    """Admit from the full noisy sketch: its top L and, under ``threshold``, only what stands clear of the noise."""
    leading = top(masses, rules.size)
    if rules.admission == "fixed":
        return leading
    return [position for position in leading if masses[position] > rules.certificates.admission_threshold]


def entries_of(
    masses: Sequence[tuple[int, float]], universe: AtomUniverse, denominator: AnyDenominator, rules: ReadingRules
) -> tuple[PlanEntry, ...]:
    """Turn (position in the dictionary, noisy mass) pairs of the admitted atoms into entries, by rank."""
    by_rank = sorted(masses, key=lambda pair: (-pair[1], pair[0]))
    return tuple(
        _entry(universe.atoms[position], noisy_mass, rank, denominator, rules)
        for rank, (position, noisy_mass) in enumerate(by_rank, start=1)
    )


def noisy_sketch_of(universe: AtomUniverse, masses: Sequence[float]) -> tuple[NoisyMass, ...]:
    """Name every noisy mass of a full sketch by its atom."""
    return tuple(NoisyMass(atom_id=i, noisy_mass=mass) for i, mass in zip(universe.ids, masses, strict=True))


def _entry(atom: Atom, noisy_mass: float, rank: int, denominator: AnyDenominator, rules: ReadingRules) -> PlanEntry:
    read = read_mass(noisy_mass, denominator, rules)
    return PlanEntry(
        atom_id=atom.id,
        label=atom.label,
        description=atom.description,
        parent=atom.parent,
        bin=bin_of(read["support"], rules.bins),
        rank=rank,
        clears_noise=noisy_mass > rules.certificates.admission_threshold,
        **read,
    )


def read_mass(noisy_mass: float, denominator: AnyDenominator, rules: ReadingRules) -> dict[str, float]:
    """Return what follows from one noisy mass, a theme's or another; it and its certified interval are cut at zero."""
    mass = max(0.0, noisy_mass)
    low = max(0.0, noisy_mass - rules.certificates.interval_below)
    high = max(0.0, noisy_mass + rules.certificates.interval_above)
    support_low, support_high = share_interval(low, high, denominator)
    return {
        "noisy_mass": noisy_mass,
        "mass": mass,
        "support": mass / denominator.value,
        "low": low,
        "high": high,
        "support_low": support_low,
        "support_high": support_high,
    }


def lead_over_the_rest(plan: PlanFields, atom_ids: Collection[int]) -> float:
    """Return how far the named entries stand above every other released value; infinite if there is no other."""
    released = plan.noisy_sketch if plan.noisy_sketch is not None else plan.entries
    rest = [item.noisy_mass for item in released if item.atom_id not in atom_ids]
    named = [entry.noisy_mass for entry in plan.entries if entry.atom_id in atom_ids]
    return min(named, default=-math.inf) - max(rest, default=-math.inf)


def quantified_of(noisy: NoisyMasses, statement: PrivacyStatement, rules: ReadingRules) -> tuple[QuantifiedShare, ...]:
    """Correct everyone's shares by the map's error on real text, where it is known; as the card of its time says."""
    card = statement.contribution_map.card
    usual = statement.quantity == MASS and statement.sampling == EVERYONE
    if noisy.positions is not None or noisy.none is None or not usual or card is None or not card.real_text:
        return ()
    spread = {"noise_std": statement.noise.std, "beta": rules.beta, "bound": statement.unit.bound}
    if card.corrections:
        from dpspin.boundary.corrected_shares import corrected_shares  # noqa: PLC0415  slow to import; of few maps

        return corrected_shares(noisy.masses, noisy.none, card, **spread)
    if not card.confusion:
        return ()
    from dpspin.boundary.estimates import quantify  # noqa: PLC0415  slow to import; few maps have such a card

    return quantify(noisy.masses, noisy.none, card, **spread)


def denoised_of(
    noisy: NoisyMasses, statement: PrivacyStatement, rules: ReadingRules, baseline: Baseline | None, labels: list[str]
) -> tuple[BestGuess, ...]:
    """Return the best guess from a full sketch and a baseline, where there are both."""
    if baseline is None or noisy.positions is not None:
        return ()
    from dpspin.boundary.estimates import best_guess  # noqa: PLC0415  slow to import; needed with a baseline only

    return best_guess(noisy.masses, noisy.none, statement.noise, baseline, labels, rules.size)


def grounded_of(
    noisy: NoisyMasses,
    statement: PrivacyStatement,
    rules: ReadingRules,
    denominator: AnyDenominator,
    names: Sequence[tuple[int, str]],
) -> GroundedPart | None:
    """Return what a read sample says, where there is one."""
    if noisy.readings is None:
        return None
    masses = noisy.with_besides
    return ground(masses, noisy.readings, statement, names, denominator, size=rules.size, beta=rules.beta)
