"""How often does a comparison of two plans tell a change that is not there, and how often one that is? Simulated.

The rivals need no certificate. ``signs`` believes every difference of noisy shares; ``overlap`` tells two shares apart
where the separate intervals of the two plans, each of them simultaneous over all themes, do not overlap.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.random import Generator

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.certify import TICK
from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.denominator import PART_OF_BETA, AnyChoice, PublicNumber, TotalMass, share_interval
from dpspin.boundary.mechanisms import AnyMechanism, Gaussian, Laplace, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import Adjacency, RecordUnit
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.curator.assign.contribution import Floats
from dpspin_lab.markdown import table_lines
from dpspin_lab.studies.simulated_releases import RECORD, SHARES, drawn, loss_of, seeded, zipf

EPSILONS: Final = (0.1, 0.25, 1.0)
UNITS: Final = (2000, 3000)  # of A and of B, with the same shares
BETA: Final = 0.05
MECHANISMS: Final[Mapping[str, tuple[AnyMechanism, AnyMechanism]]] = {
    "laplace, laplace": (Laplace(), Laplace()),
    "laplace, gaussian": (Laplace(), Gaussian()),
}
THEMES, NONE = 54, 0.2  # of the planted change: themes as 1/rank, and a part that fits none, from which a rise is taken
PLANTED: Final = 7  # the rank of the theme that rises
CHANGES: Final = (0.1, 0.2, 0.5, 1.0, 2.0)  # in points
_ALARMS = ("shares of", "mechanisms", "shape", "eps", "certified", "overlap", "signs")
_POWER = ("units", "eps", "change, points", "told", "told, and only it", "overlap: told", "signs: told, and only it")


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """In how many pairs of plans, of equal shares, some theme was told apart; None where no plan had shares."""

    shares_of: str
    mechanisms: str
    shape: str
    epsilon: float
    draws: int
    certified: float | None
    overlap: float | None
    signs: float | None


@dataclass(frozen=True, slots=True)
class Power:
    """In how many pairs the theme that rose was told apart, and how often it was and no other theme."""

    units: int
    epsilon: float
    change: float
    draws: int
    told: float
    only_it: float
    overlap_told: float
    signs_only_it: float


def false_alarms(draws: int, seed: int) -> Iterator[FalseAlarms]:
    """Simulate pairs of plans of the same shares, of every shape at every epsilon."""
    for total, mechanisms in (("a number", "laplace, laplace"), ("the total", "laplace, gaussian")):
        for place, (shape, epsilon) in enumerate(product(SHARES, EPSILONS)):
            rng = seeded(seed, place, total == "the total")
            pairs = [_pair(shape, epsilon, rng, total=total, mechanisms=mechanisms) for _ in range(draws)]
            known = [pair for pair in pairs if all(plan.has_shares for plan in pair)]
            told = [_told(pair) for pair in known]
            rates = [float(np.mean([bool(each[way]) for each in told])) if told else None for way in range(3)]
            yield FalseAlarms(total, mechanisms, shape, epsilon, len(known), *rates)


def _pair(shape: str, epsilon: float, rng: Generator, *, total: str, mechanisms: str) -> tuple[SemanticPlan, ...]:
    return tuple(
        released(
            units * SHARES[shape],
            rng,
            whole=PublicNumber(value=units) if total == "a number" else TotalMass(),
            mechanism=mechanism,
            epsilon=epsilon,
        )
        for units, mechanism in zip(UNITS, MECHANISMS[mechanisms], strict=True)
    )


def power_table(
    draws: int,
    seed: int,
    units: Iterable[int] = (2000, 10_000, 50_000),
    epsilons: Iterable[float] = EPSILONS,
    changes: Iterable[float] = CHANGES,
) -> Iterator[Power]:
    """Simulate a rise of one theme, at the cost of what fits none."""
    for place, (count, epsilon, change) in enumerate(product(units, epsilons, changes)):
        rng = seeded(seed, place)
        told = [_told(_planted(count, change / 100, epsilon, rng), none=THEMES) for _ in range(draws)]
        yield Power(
            count,
            epsilon,
            change,
            draws,
            *(
                float(np.mean(each))
                for each in (
                    [PLANTED in certified for certified, _, _ in told],
                    [certified == {PLANTED} for certified, _, _ in told],
                    [PLANTED in overlap for _, overlap, _ in told],
                    [signs == {PLANTED} for _, _, signs in told],
                )
            ),
        )


def _planted(units: int, rise: float, epsilon: float, rng: Generator) -> tuple[SemanticPlan, ...]:
    before = np.append((1 - NONE) * zipf(THEMES), NONE)
    after = before.copy()
    after[[PLANTED, THEMES]] += rise, -rise
    return tuple(
        released(units * shares, rng, whole=PublicNumber(value=units), mechanism=Laplace(), epsilon=epsilon)
        for shares in (before, after)
    )


def released(
    masses: Floats, rng: Generator, *, whole: AnyChoice, mechanism: AnyMechanism, epsilon: float
) -> SemanticPlan:
    """Release a sketch with simulated noise."""
    statement = _statement(mechanism, epsilon, len(masses))
    noisy = masses + drawn(statement.noise, masses.shape, rng)
    reading = ReaderChoices(denominator=whole, beta=BETA)
    return read_noise(NoisyMasses(noisy.tolist()), statement, _universe(len(masses)), reading, software="lab")


@cache
def _statement(mechanism: AnyMechanism, epsilon: float, atoms: int) -> PrivacyStatement:
    loss = loss_of(mechanism, epsilon)
    return PrivacyStatement(
        unit=RecordUnit(),
        adjacency=Adjacency.ADD_DROP,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, loss, RECORD, atoms=atoms, size=10),
        randomness="SIMULATED-NOT-PRIVATE",
        contribution_map=MapStatement(name="given", fitted_on="nothing", atoms_per_record=3, digest="sha256:0"),
        separation=NO_TEXTS,
    )


@cache
def _universe(atoms: int) -> AtomUniverse:
    made = Provenance(source="handwritten", note="simulated")
    themes = tuple(Atom(id=place, label=f"theme {place}") for place in range(atoms))
    return AtomUniverse(name="simulated", version="1", provenance=made, atoms=themes)


def _told(pair: Sequence[SemanticPlan], none: int | None = None) -> tuple[set[object], ...]:
    """Return what is told apart: by the certificate, by intervals that do not overlap, by every difference."""
    before, after = pair
    _, changes = certified_changes(before, after, BETA)
    certified = {place for place, change in changes.items() if change.direction != "not_apart"}
    one, other = _intervals(before), _intervals(after)
    overlap = {place for place in one if one[place][1] < other[place][0] or other[place][1] < one[place][0]}
    signs = {place for place, change in changes.items() if change.share_a != change.share_b}
    return tuple({*told} - {none} for told in (certified, overlap, signs))


def _intervals(plan: SemanticPlan) -> dict[int, tuple[float, float]]:
    """Return the shares' intervals of one plan, for all themes together."""
    assert plan.noisy_sketch is not None  # noqa: S101  a full sketch
    beta = BETA if isinstance(plan.denominator, PublicNumber) else (1 - PART_OF_BETA) * BETA
    reach = plan.statement.noise.upper_quantile(beta / (2 * len(plan.noisy_sketch))) + TICK
    values = {int(each.atom_id): each.noisy_mass for each in plan.noisy_sketch}
    ends = ((atom, max(0.0, mass - reach), max(0.0, mass + reach)) for atom, mass in values.items())
    return {atom: share_interval(low, high, plan.denominator) for atom, low, high in ends}


def alarm_lines(rows: Iterable[FalseAlarms]) -> Iterator[str]:
    """Write false alarms in percent of the pairs."""
    yield from table_lines(_ALARMS, map(_alarm_cells, rows), words=3)


def power_lines(rows: Iterable[Power]) -> Iterator[str]:
    """Write chances in percent of the pairs."""
    yield from table_lines(_POWER, map(_power_cells, rows), words=0)


def _alarm_cells(row: FalseAlarms) -> tuple[str, ...]:
    rates = (row.certified, row.overlap, row.signs)
    cells = ("refused" if rate is None else f"{100 * rate:.1f}" for rate in rates)
    return row.shares_of, row.mechanisms, row.shape, f"{row.epsilon:g}", *cells


def _power_cells(row: Power) -> tuple[str, ...]:
    rates = (row.told, row.only_it, row.overlap_told, row.signs_only_it)
    return f"{row.units:,}", f"{row.epsilon:g}", f"{row.change:g}", *(f"{100 * rate:.1f}" for rate in rates)
