"""From noisy masses to plan entries, and whether a plan follows from its masses. Pure; anyone can recompute it."""

import math
from collections.abc import Collection, Iterator, Sequence

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.best_guess import BestGuess, best_guess
from dpspin.boundary.card import QuantifiedShare
from dpspin.boundary.certify import ReadingRules, SupportBin
from dpspin.boundary.denominator import (
    AnyDenominator,
    FreeTotal,
    PaidCount,
    PublicNumber,
    certificates_beside,
    free_total,
    loss_of_themes,
    paid_count,
    share_interval,
)
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.plan_fields import NoisyMass, PlanEntry, PlanFields, Uncovered
from dpspin.boundary.privacy import EVERYONE, MASS, Adjacency
from dpspin.boundary.sensitivity import sensitivity_of
from dpspin.boundary.statement import PrivacyStatement


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


def quantified_of(
    masses: Sequence[float], none: float, statement: PrivacyStatement, rules: ReadingRules
) -> tuple[QuantifiedShare, ...]:
    """Undo the map's confusion of everyone's masses, where it is known from real text."""
    card = statement.contribution_map.card
    usual = statement.quantity == MASS and statement.sampling == EVERYONE
    if not usual or card is None or not card.real_text or not card.confusion:
        return ()
    from dpspin.boundary.quantify import quantify  # noqa: PLC0415  slow to import; few maps have such a card

    return quantify(masses, none, card, noise_std=statement.noise.std, beta=rules.beta, bound=statement.unit.bound)


def contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield everything in a plan that does not follow from its noisy masses and rules."""
    if len(plan.entries) > plan.rules.size or plan.rules.size > plan.dictionary.size:
        yield "the plan lists more atoms than its size or its dictionary allows"
    if len({entry.atom_id for entry in plan.entries}) != len(plan.entries):
        yield "an atom is listed twice"
    if [entry.rank for entry in plan.entries] != list(range(1, len(plan.entries) + 1)):
        yield "entries must be listed by rank, from 1"
    if any(a.noisy_mass < b.noisy_mass for a, b in zip(plan.entries, plan.entries[1:], strict=False)):
        yield "ranks must follow the noisy masses"
    for entry in plan.entries:
        yield from _entry_contradictions(entry, plan)
    yield from _denominator_contradictions(plan)
    yield from _beside_contradictions(plan)
    yield from _sketch_contradictions(plan)
    yield from _card_contradictions(plan) or _quantified_contradictions(plan)
    yield from _baseline_contradictions(plan)
    yield from _noise_contradictions(plan)


def _entry_contradictions(entry: PlanEntry, plan: PlanFields) -> Iterator[str]:
    rules, name = plan.rules, f"atom {entry.atom_id}"
    yield from _misread(name, entry, plan)
    if entry.bin != bin_of(entry.support, rules.bins):
        yield f"{name}: the bin does not follow from the support"
    if entry.clears_noise != (entry.noisy_mass > rules.certificates.admission_threshold):
        yield f"{name}: clears_noise does not follow from the threshold"
    if rules.admission == "threshold" and not entry.clears_noise:
        yield f"{name}: is listed but does not clear the admission threshold"


_SAID = {
    "mass": "the mass",
    "support": "the support",
    "low": "the interval",
    "high": "the interval",
    "support_low": "the interval of the support",
    "support_high": "the interval of the support",
}


def _misread(name: str, stated: PlanEntry | Uncovered, plan: PlanFields) -> Iterator[str]:
    for part, value in read_mass(stated.noisy_mass, plan.denominator, plan.rules).items():
        if not _same(getattr(stated, part), value):
            yield f"{name}: {_SAID[part]} does not follow from the noisy mass, the rules and the denominator"


def _same(a: float, b: float) -> bool:
    """Compare two derived numbers: equal up to the rounding of the last float digits."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def _denominator_contradictions(plan: PlanFields) -> Iterator[str]:
    match plan.denominator:
        case PublicNumber():
            return
        case PaidCount() as stated:
            if plan.statement.adjacency is not Adjacency.ADD_DROP:
                yield "a count is bought only where presence is protected"
            read: PaidCount | FreeTotal = paid_count(
                stated.noisy_count, plan.statement.loss, stated.share, plan.rules.beta
            )
        case FreeTotal():
            if not plan.released_masses:
                yield "only a full noisy sketch has a total"
                return
            read = free_total(plan.released_masses, plan.statement.noise, plan.rules.beta)
    if not all(_same(getattr(plan.denominator, name), value) for name, value in read if name != "kind"):
        yield "the denominator does not follow from what was released"


def _beside_contradictions(plan: PlanFields) -> Iterator[str]:
    mapped = plan.statement.contribution_map
    if (plan.uncovered is not None) != mapped.answers_none:
        yield 'what is uncovered goes with a map that answers "none of these", and only with it'
    if (plan.not_read is not None) != bool(mapped.languages):
        yield "what is not read goes with a map that states its languages, and only with it"
    for name, stated in (("what is uncovered", plan.uncovered), ("what is not read", plan.not_read)):
        if stated is not None:
            yield from _misread(name, stated, plan)


def _sketch_contradictions(plan: PlanFields) -> Iterator[str]:
    if (plan.noisy_sketch is None) != plan.statement.mechanism.selects:
        yield "a full noisy sketch goes with a mechanism that measures every atom, and only with it"
    if plan.noisy_sketch is None:
        if len(plan.entries) != plan.rules.size:
            yield "a mechanism that selects admits exactly as many atoms as the plan's size"
        return
    released = {item.atom_id: item.noisy_mass for item in plan.noisy_sketch}
    if len(plan.noisy_sketch) != plan.dictionary.size or len(released) != plan.dictionary.size:
        yield "the noisy sketch must list every atom of the dictionary once"
    if any(released.get(entry.atom_id) != entry.noisy_mass for entry in plan.entries):
        yield "an entry disagrees with the noisy sketch"
    admitted = admitted_positions([item.noisy_mass for item in plan.noisy_sketch], plan.rules)
    if [plan.noisy_sketch[place].atom_id for place in admitted] != [entry.atom_id for entry in plan.entries]:
        yield "the entries are not the ones that the rules admit from the noisy sketch"


def _card_contradictions(plan: PlanFields) -> list[str]:
    card = plan.statement.contribution_map.card
    if card is None:
        return []
    ids = [atom.atom_id for atom in card.atoms]
    measured = ids if plan.noisy_sketch is None else [item.atom_id for item in plan.noisy_sketch]
    same_atoms = len(set(ids)) == len(ids) == plan.dictionary.size and ids == measured
    known = same_atoms and all(entry.atom_id in ids for entry in plan.entries)
    return [] if known else ["the map's report card is of another dictionary"]


def _quantified_contradictions(plan: PlanFields) -> Iterator[str]:
    expected: tuple[QuantifiedShare, ...] = ()
    if plan.noisy_sketch is not None and plan.uncovered is not None:
        masses = [item.noisy_mass for item in plan.noisy_sketch]
        expected = quantified_of(masses, plan.uncovered.noisy_mass, plan.statement, plan.rules)
    if [one.atom_id for one in expected] != [one.atom_id for one in plan.quantified] or not all(
        math.isclose(getattr(one, part), getattr(other, part), abs_tol=1e-5)
        for one, other in zip(expected, plan.quantified, strict=False)
        for part in ("share", "low", "high")
    ):
        yield "the quantified shares do not follow from the noisy masses and the report card"


def _baseline_contradictions(plan: PlanFields) -> Iterator[str]:
    if plan.baseline is None or plan.noisy_sketch is None:
        if plan.denoised:
            yield "a best guess needs a public baseline and a full noisy sketch"
        return
    if [each.atom_id for each in plan.baseline.shares] != [item.atom_id for item in plan.noisy_sketch]:
        yield "the baseline is of another dictionary"
    elif plan.baseline.none is not None and plan.uncovered is None:
        yield 'the baseline knows a share of "none of these", which was not measured'
    elif not _same_guess(plan.denoised, _guessed_again(plan, plan.baseline, plan.noisy_sketch)):
        yield "the best guess does not follow from the noisy masses and the baseline"


def _guessed_again(plan: PlanFields, baseline: Baseline, sketch: tuple[NoisyMass, ...]) -> tuple[BestGuess, ...]:
    none = plan.uncovered.noisy_mass if plan.uncovered else None
    masses, labels = [item.noisy_mass for item in sketch], ["?"] * len(sketch)  # labels are the dictionary's
    return best_guess(masses, none, plan.statement.noise, baseline, labels, plan.rules.size)


def _same_guess(stated: tuple[BestGuess, ...], read: tuple[BestGuess, ...]) -> bool:
    """Compare up to the rounding of long sums, which differs between processors."""
    return len(stated) == len(read) and all(
        (one.atom_id, one.novelty) == (other.atom_id, other.novelty)
        and math.isclose(one.mass, other.mass, rel_tol=1e-6, abs_tol=1e-6)
        and math.isclose(one.share, other.share, rel_tol=1e-6, abs_tol=1e-9)
        for one, other in zip(stated, read, strict=True)
    )


def _noise_contradictions(plan: PlanFields) -> Iterator[str]:
    """Find noise and certificates that promise more than they may; less is nobody's harm."""
    statement, rules, atoms = plan.statement, plan.rules, plan.dictionary.size
    needed = noise_of(
        statement.mechanism,
        loss_of_themes(statement.loss, plan.denominator),
        sensitivity_of(statement.unit, statement.adjacency, statement.quantity),
        atoms=atoms,
        size=rules.size,
        besides=statement.contribution_map.besides,
        sampling=statement.sampling,
    )
    if needed.kind != statement.noise.kind or statement.noise.std < needed.std * (1 - 1e-9):
        yield "the stated noise is too small for the stated privacy loss"
    allowed = certificates_beside(plan.denominator, statement, atoms=atoms, size=rules.size, beta=rules.beta)
    if any(getattr(rules.certificates, name) < value * (1 - 1e-9) for name, value in allowed):
        yield "a certificate promises more than the stated noise allows"
