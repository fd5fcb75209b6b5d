"""From noisy masses to plan entries: clipping, support, bins, ranks, intervals. Pure; anyone can recompute it."""

import math
from collections.abc import Collection, Iterator, Sequence

from dpspin.boundary.agreement import baseline_contradictions, denominator_contradictions
from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.card import QuantifiedShare
from dpspin.boundary.certify import Certificates
from dpspin.boundary.denominator import (
    FreeTotal,
    PaidCount,
    PublicNumber,
    certificates_beside,
    loss_of_themes,
    share_interval,
)
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.plan import NoisyMass, NotRead, PlanEntry, ReadingRules, SemanticPlan, SupportBin, Uncovered, same
from dpspin.boundary.privacy import EVERYONE, MASS
from dpspin.boundary.sensitivity import sensitivity_of
from dpspin.boundary.statement import PrivacyStatement
from dpspin.errors import RequestError


def bin_of(support: float, bins: Sequence[SupportBin]) -> str:
    """Return the name of the first bin, from high to low, that the support reaches.

    >>> from dpspin.boundary.plan import three_bins
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
    masses: Sequence[tuple[int, float]],
    universe: AtomUniverse,
    denominator: PublicNumber | PaidCount | FreeTotal,
    rules: ReadingRules,
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


def _entry(
    atom: Atom,
    noisy_mass: float,
    rank: int,
    denominator: PublicNumber | PaidCount | FreeTotal,
    rules: ReadingRules,
) -> PlanEntry:
    support = max(0.0, noisy_mass) / denominator.value
    low, high = interval(noisy_mass, rules.certificates)
    support_low, support_high = share_interval(low, high, denominator)
    return PlanEntry(
        atom_id=atom.id,
        label=atom.label,
        description=atom.description,
        parent=atom.parent,
        noisy_mass=noisy_mass,
        mass=max(0.0, noisy_mass),
        support=support,
        bin=bin_of(support, rules.bins),
        rank=rank,
        low=low,
        high=high,
        support_low=support_low,
        support_high=support_high,
        clears_noise=noisy_mass > rules.certificates.admission_threshold,
    )


def uncovered_of(
    noisy_mass: float, denominator: PublicNumber | PaidCount | FreeTotal, rules: ReadingRules
) -> Uncovered:
    """Read the noisy mass of "none of these" as an entry's is read; it has no rank and no bin, which are for themes."""
    return Uncovered(**_beside(noisy_mass, denominator, rules))


def not_read_of(noisy_mass: float, denominator: PublicNumber | PaidCount | FreeTotal, rules: ReadingRules) -> NotRead:
    """Read the noisy mass of text in other languages, as that of "none of these" is read."""
    return NotRead(**_beside(noisy_mass, denominator, rules))


def _beside(
    noisy_mass: float, denominator: PublicNumber | PaidCount | FreeTotal, rules: ReadingRules
) -> dict[str, float]:
    low, high = interval(noisy_mass, rules.certificates)
    support_low, support_high = share_interval(low, high, denominator)
    mass = max(0.0, noisy_mass)
    return {
        "noisy_mass": noisy_mass,
        "mass": mass,
        "support": mass / denominator.value,
        "low": low,
        "high": high,
        "support_low": support_low,
        "support_high": support_high,
    }


def interval(noisy_mass: float, known: Certificates) -> tuple[float, float]:
    """Return the certified interval of a released mass, cut at zero (a mass cannot be negative)."""
    return (
        max(0.0, noisy_mass - known.interval_below),
        max(0.0, noisy_mass + known.interval_above),
    )


def lead_over_the_rest(plan: SemanticPlan, atom_ids: Collection[int]) -> float:
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

    return quantify(
        masses,
        none,
        card,
        noise_std=statement.noise.std,
        beta=rules.beta,
        bound=statement.unit.bound,
    )


def contradictions(plan: SemanticPlan) -> Iterator[str]:
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
    yield from denominator_contradictions(plan)
    yield from _beside_contradictions(plan)
    yield from _sketch_contradictions(plan)
    yield from _card_contradictions(plan) or _quantified_contradictions(plan)
    yield from baseline_contradictions(plan)
    yield from _noise_contradictions(plan)
    yield from _certificate_contradictions(plan)


def _entry_contradictions(entry: PlanEntry, plan: SemanticPlan) -> Iterator[str]:
    rules = plan.rules
    low, high = interval(entry.noisy_mass, rules.certificates)
    if not same(entry.mass, max(0.0, entry.noisy_mass)):
        yield f"atom {entry.atom_id}: mass must be the noisy mass cut at zero"
    if not same(entry.support, entry.mass / plan.denominator.value):
        yield f"atom {entry.atom_id}: support must be mass over the denominator"
    if entry.bin != bin_of(entry.support, rules.bins):
        yield f"atom {entry.atom_id}: the bin does not follow from the support"
    if not (same(entry.low, low) and same(entry.high, high)):
        yield f"atom {entry.atom_id}: the interval does not follow from the noise"
    ends = share_interval(entry.low, entry.high, plan.denominator)
    if not (same(entry.support_low, ends[0]) and same(entry.support_high, ends[1])):
        yield f"atom {entry.atom_id}: the interval of the support does not follow from the denominator's"
    if entry.clears_noise != (entry.noisy_mass > rules.certificates.admission_threshold):
        yield f"atom {entry.atom_id}: clears_noise does not follow from the threshold"
    if rules.admission == "threshold" and not entry.clears_noise:
        yield f"atom {entry.atom_id}: is listed but does not clear the admission threshold"


def _card_contradictions(plan: SemanticPlan) -> list[str]:
    card = plan.statement.contribution_map.card
    if card is None:
        return []
    ids = [atom.atom_id for atom in card.atoms]
    measured = ids if plan.noisy_sketch is None else [item.atom_id for item in plan.noisy_sketch]
    same_atoms = len(set(ids)) == len(ids) == plan.dictionary.size and ids == measured
    known = same_atoms and all(entry.atom_id in ids for entry in plan.entries)
    return [] if known else ["the map's report card is of another dictionary"]


def _quantified_contradictions(plan: SemanticPlan) -> Iterator[str]:
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


def _beside_contradictions(plan: SemanticPlan) -> Iterator[str]:
    mapped = plan.statement.contribution_map
    if (plan.uncovered is not None) != mapped.answers_none:
        yield 'what is uncovered goes with a map that answers "none of these", and only with it'
    if (plan.not_read is not None) != bool(mapped.languages):
        yield "what is not read goes with a map that states its languages, and only with it"
    for name, stated in (("uncovered", plan.uncovered), ("not read", plan.not_read)):
        read = {} if stated is None else _beside(stated.noisy_mass, plan.denominator, plan.rules)
        if not all(same(getattr(stated, part), value) for part, value in read.items()):
            yield f"what is {name} does not follow from its noisy mass"


def _sketch_contradictions(plan: SemanticPlan) -> Iterator[str]:
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


def _noise_contradictions(plan: SemanticPlan) -> Iterator[str]:
    statement = plan.statement
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    needed = noise_of(
        statement.mechanism,
        loss_of_themes(statement.loss, plan.denominator),
        sensitivity,
        atoms=plan.dictionary.size,
        size=plan.rules.size,
        besides=statement.contribution_map.besides,
        sampling=statement.sampling,
    )
    if needed.kind != statement.noise.kind or statement.noise.std < needed.std * (1 - 1e-9):
        yield "the stated noise is too small for the stated privacy loss"


def _certificate_contradictions(plan: SemanticPlan) -> Iterator[str]:
    rules = plan.rules
    needed = certificates_beside(
        plan.denominator, plan.statement, atoms=plan.dictionary.size, size=rules.size, beta=rules.beta
    )
    if any(getattr(rules.certificates, name) < value * (1 - 1e-9) for name, value in needed):
        yield "a certificate promises more than the stated noise allows"


def require_fitting_size(size: int, atoms: int) -> None:
    """Refuse a plan size the dictionary cannot fill: OpenDP would silently return fewer atoms."""
    if not 1 <= size <= atoms:
        raise RequestError(f"the plan size must be between 1 and the {atoms} atoms of the dictionary, not {size}")
