"""How well a language model writes: acceptance and completeness of both decoders over random plans."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from numpy.random import Generator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.calibration import noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import (
    Adjacency,
    Laplace,
    MapStatement,
    PrivacyLoss,
    PrivacyStatement,
    RecordUnit,
)
from dpspin.boundary.reading import Reading, WholeSketch, read_noise
from dpspin.boundary.separation import NO_TEXTS
from dpspin.lab.simulated import RECORD, drawn, seeded
from dpspin.public.stage0_atoms import packs
from dpspin.public.stage3_narrate.decoders.choice import Writer
from dpspin.public.stage3_narrate.narrate import Narration
from dpspin.public.stage3_narrate.policy import Mode
from dpspin.public.stage3_narrate.record import AttemptRecord, NarrationRecord
from dpspin.public.stage3_narrate.verify.text import parse

_DENOMINATOR, _LOSS = 2000, PrivacyLoss(1.0)
_SIZES, _COVERED = (4, 10), (0.3, 1.0)  # themes listed at most, and the part of the denominator that has a theme


@dataclass(frozen=True, slots=True)
class Written:
    """One text: whether the model's first and whether any of its candidates was accepted, and what it named."""

    first_accepted: bool
    accepted: bool
    attempts: int
    named_by_the_model: float  # part of the plan's themes in the model's last candidate, without what code filled in
    named: float  # part of the plan's themes in the text that is shown
    best_bin_named: bool  # no theme of the best bin is missing in the text that is shown
    dropped: int
    repeats: int
    answer_tokens: int


@dataclass(frozen=True, slots=True)
class Rates:
    """Averages over plans."""

    decoder: str
    mode: str
    plans: int
    first_accepted: float
    accepted: float
    fallback: float
    attempts: float
    named_by_the_model: float
    named: float
    best_bin_complete: float
    dropped: float
    repeats: float
    answer_tokens: float


def random_plans(count: int, seed: int) -> Iterator[tuple[SemanticPlan, AtomUniverse]]:
    """Draw plans over the ready dictionaries in turn. They state a release, for that is what decoders write about."""
    names = packs.names()
    for number in range(count):
        universe = packs.load(names[number % len(names)])
        yield _random_plan(universe, seeded(seed, number)), universe


def _random_plan(universe: AtomUniverse, rng: Generator) -> SemanticPlan:
    size, covered = int(rng.integers(*_SIZES, endpoint=True)), rng.uniform(*_COVERED)
    noise = noise_of(Laplace(), _LOSS, RECORD, atoms=universe.size, size=size)
    shares = covered * rng.dirichlet([1.0] * universe.size)
    masses = _DENOMINATOR * shares + drawn(noise, (universe.size,), rng)
    statement = PrivacyStatement(
        unit=RecordUnit(),
        adjacency=Adjacency.ADD_DROP,
        loss=_LOSS,
        mechanism=Laplace(),
        noise=noise,
        randomness="os-csprng",
        separation=NO_TEXTS,
        contribution_map=MapStatement(name="invented", fitted_on="nothing", atoms_per_record=3, digest="sha256:0"),
    )
    reading = Reading(denominator=_DENOMINATOR, size=size)
    return read_noise(WholeSketch([float(mass) for mass in masses]), statement, universe, reading, software="benchmark")


def write_all(writer: Writer, mode: Mode, plans: Iterable[tuple[SemanticPlan, AtomUniverse]]) -> Iterator[Written]:
    """Let a model write about each plan."""
    for plan, universe in plans:
        narration, record = writer(plan, mode, universe)
        yield _written(plan, narration, record)


def rates_of(writer: Writer, mode: Mode, texts: list[Written]) -> Rates:
    """Average what was written."""

    def mean(name: str) -> float:
        return sum(float(getattr(text, name)) for text in texts) / len(texts)

    return Rates(
        decoder=writer.writing.value,
        mode=mode.value,
        plans=len(texts),
        first_accepted=mean("first_accepted"),
        accepted=mean("accepted"),
        fallback=1 - mean("accepted"),
        attempts=mean("attempts"),
        named_by_the_model=mean("named_by_the_model"),
        named=mean("named"),
        best_bin_complete=mean("best_bin_named"),
        dropped=mean("dropped"),
        repeats=mean("repeats"),
        answer_tokens=mean("answer_tokens"),
    )


def _written(plan: SemanticPlan, narration: Narration, record: NarrationRecord) -> Written:
    listed = {entry.atom_id for entry in plan.entries}
    shown = _named(plan, narration.text, narration.mode)
    last, claims = record.attempts[-1], record.attempts[-1].claims
    return Written(
        first_accepted=record.attempts[0].verdict.accepted,
        accepted=not record.used_fallback,
        attempts=len(record.attempts),
        named_by_the_model=len(_by_the_model(plan, last, narration.mode) & listed) / len(listed),
        named=len(shown & listed) / len(listed),
        best_bin_named={entry.atom_id for entry in plan.entries if entry.bin == plan.entries[0].bin} <= shown,
        dropped=len(claims.dropped) + claims.malformed if claims else 0,
        repeats=claims.repeats if claims else 0,
        answer_tokens=record.model.answer_tokens if record.model else 0,
    )


def _by_the_model(plan: SemanticPlan, attempt: AttemptRecord, mode: Mode) -> set[int]:
    if attempt.claims is None:
        return _named(plan, attempt.text, mode)
    kept, groups = attempt.claims.kept, {claim["bin"] for claim in attempt.claims.kept if claim["claim"] == "bin_group"}
    lists = [
        *(claim.get("atoms", []) for claim in kept),
        [claim[key] for claim in kept for key in _ONE if key in claim],
    ]
    in_groups = [entry.atom_id for entry in plan.entries if entry.bin in groups]
    return {*in_groups, *(atom for atoms in lists for atom in atoms)}


_ONE = ("atom", "higher", "lower")


def _named(plan: SemanticPlan, text: str, mode: Mode) -> set[int]:
    return {atom for sentence in parse(text, plan, mode).sentences for atom in sentence.atom_ids}
