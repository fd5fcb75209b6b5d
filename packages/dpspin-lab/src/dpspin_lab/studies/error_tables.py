"""How much of a release's error is the map's, the clipping's and the noise's, on labelled complaints and tickets."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, ProtectedUnit, RecordUnit, UserUnit, sensitivity_of
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import weights_of
from dpspin.demo.synthetic import SyntheticCorpus, generate_split, public_profile, ticket_pack
from dpspin.errors import RequestError
from dpspin_lab.datasets.cfpb import NEW_ERA, read_complaints
from dpspin_lab.datasets.split import split_by_time
from dpspin_lab.metrics.error_parts import (
    Parts,
    Stages,
    by_atom,
    clipped_by_user,
    of_distance,
    of_overlap,
    public_only,
    sizes,
)
from dpspin_lab.studies.lessons import Lesson, halves, labels_of, lesson_of
from dpspin_lab.studies.simulated_releases import drawn, seeded

SEEDS, SIZE, DRAWS = range(3), 10, 20
EPSILONS = (0.1, 1.0)
ATOMS = 50
TICKETS = 4000
UNITS: tuple[ProtectedUnit, ...] = (RecordUnit(), UserUnit(bound=1.0), UserUnit(bound=4.0))


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """The error of a method's shares against the truth. ``distance`` and ``overlap`` add up, ``alone`` does not.

    All distances are total variation: the part of the mass that lies on the wrong atoms.
    """

    corpus: str
    unit: str
    method: str
    epsilon: float
    distance: Parts[float]
    alone: Parts[float]
    overlap: Parts[float]


@dataclass(frozen=True, slots=True)
class Measured:
    """One corpus by one map: rows are records, columns the atoms, without "none of these"."""

    true: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    users: Sequence[str] | None = field(default=None, repr=False)

    def stages(self, unit: ProtectedUnit, epsilon: float, rng: np.random.Generator) -> Stages:
        """Follow the masses through one simulated release. A record's own mass is at most one as it is mapped."""
        mapped = self.weights.sum(axis=0)
        clipped = clipped_by_user(self.weights, self._owners(), unit.bound) if isinstance(unit, UserUnit) else mapped
        sensitivity = sensitivity_of(unit, Adjacency.ADD_DROP)
        noise = noise_of(Laplace(), PrivacyLoss(epsilon), sensitivity, atoms=len(mapped), size=SIZE)
        return Stages(self.true.sum(axis=0), mapped, clipped, clipped + drawn(noise, mapped.shape, rng))

    def _owners(self) -> Sequence[str]:
        if self.users is None:
            raise RequestError("this corpus names no users: its records are the finest unit that can be protected")
        return self.users


def complaint_errors(folder: Path, seeds: Sequence[int] = SEEDS) -> Iterator[ErrorRow]:
    """Split the error on CFPB, random halves and older to newer; the complaints name no users."""
    complaints = read_complaints(folder)
    lessons = [lesson_of(halves(complaints, seed), ATOMS) for seed in seeds]
    yield from _of_lessons(f"CFPB, m = {ATOMS}, random halves", lessons)
    era = split_by_time(complaints, NEW_ERA)
    yield from _of_lessons(f"CFPB, m = {ATOMS}, older to newer", [lesson_of(era, ATOMS)])


def ticket_errors(tickets: int = TICKETS, seeds: Sequence[int] = SEEDS) -> Iterator[ErrorRow]:
    """Split the error on generated tickets, by record and by user, as they were and after a planted change."""
    maps = _pack_maps(ticket_pack())
    for name, shares in (("as before", None), ("changed", _changed_profile())):
        splits = [generate_split(tickets, tickets, seed, target_shares=shares) for seed in seeds]
        corpus = f"generated tickets, {name}"
        yield _public_row(corpus, [(_true(split.target), _true(split.auxiliary)) for split in splits])
        for method, fitted in maps.items():
            cases = [_ticket_case(split.target, fitted) for split in splits]
            yield from _rows(corpus, method, cases, UNITS)


def error_row(
    corpus: str, unit: str, method: str, epsilon: float, releases: Sequence[Stages], *, size: int = SIZE
) -> ErrorRow:
    """Average the splits of several releases, as shares."""
    stages = [release.as_shares() for release in releases]
    errors = [by_atom(one) for one in stages]
    return ErrorRow(
        corpus,
        unit,
        method,
        epsilon,
        distance=_mean([of_distance(one).times(0.5) for one in errors]),
        alone=_mean([sizes(one).times(0.5) for one in errors]),
        overlap=_mean([of_overlap(one, size) for one in stages]),
    )


def _of_lessons(corpus: str, lessons: Sequence[Lesson]) -> Iterator[ErrorRow]:
    pairs = [(one.target.shares[:, :-1], one.taught.shares[:, :-1]) for one in lessons]
    yield _public_row(corpus, pairs)
    maps: Mapping[str, Callable[[Lesson], ContributionMap]] = {"the paper's": Lesson.paper, "hybrid": Lesson.hybrid}
    for method, fit in maps.items():
        yield from _rows(corpus, method, [_lesson_case(one, fit(one)) for one in lessons], UNITS[:1])


def _public_row(corpus: str, pairs: Sequence[tuple[Floats, Floats]]) -> ErrorRow:
    releases = [public_only(target.sum(axis=0), auxiliary.sum(axis=0)) for target, auxiliary in pairs]
    return error_row(corpus, "any", "public-only", 0.0, releases)


def _rows(corpus: str, method: str, cases: Sequence[Measured], units: Sequence[ProtectedUnit]) -> Iterator[ErrorRow]:
    for unit in units:
        for epsilon in EPSILONS:
            rng = seeded(round(1000 * epsilon))
            releases = [case.stages(unit, epsilon, rng) for case in cases for _ in range(DRAWS)]
            yield error_row(corpus, _named(unit), method, epsilon, releases)


def _named(unit: ProtectedUnit) -> str:
    return f"user, B = {unit.bound:g}" if isinstance(unit, UserUnit) else "record"


def _lesson_case(lesson: Lesson, fitted: ContributionMap) -> Measured:
    weights = weights_of(fitted, lesson.target.texts, lesson.universe.size)
    return Measured(lesson.target.shares[:, :-1], weights[:, :-1])


def _ticket_case(corpus: SyntheticCorpus, fitted: ContributionMap) -> Measured:
    weights = weights_of(fitted, corpus.records["text"].to_pylist(), corpus.universe.size)
    return Measured(_true(corpus), weights[:, :-1], corpus.records["user_id"].to_pylist())


def _true(corpus: SyntheticCorpus) -> Floats:
    """Return the atoms' shares of each ticket, each of its themes counting the same, as labels do."""
    return labels_of(corpus).shares[:, :-1]


def _pack_maps(universe: AtomUniverse) -> dict[str, ContributionMap]:
    return {"the paper's": NgramMap.fit(universe, PublicWordIdf()), "hybrid, pack alone": fit_hybrid(universe, None)}


def _changed_profile() -> dict[AtomId, float]:
    """Let every second theme of the profile double and the others halve: what no auxiliary text can know."""
    factors = (2.0, 0.5)
    return {atom: share * factors[place % 2] for place, (atom, share) in enumerate(public_profile().items())}


def _mean(parts: Sequence[Parts[float]]) -> Parts[float]:
    columns = zip(*(part.steps for part in parts), strict=True)
    return Parts(*(float(np.mean(column)) for column in columns))
