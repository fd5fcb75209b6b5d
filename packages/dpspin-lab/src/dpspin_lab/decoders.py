"""How well a language model writes: acceptance and completeness of both decoders over random plans."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from numpy.random import Generator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit
from dpspin.boundary.reading import Reading, WholeSketch, read_noise
from dpspin.boundary.separation import NO_TEXTS
from dpspin.boundary.statement import MapStatement, PrivacyStatement
from dpspin.public.atoms import packs
from dpspin.public.narrate.contract.mentions import Prose
from dpspin.public.narrate.narrate import Narration
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.record import AttemptRecord, NarrationRecord
from dpspin.public.narrate.writer import Writer
from dpspin_lab.simulated import RECORD, drawn, seeded

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
    survived: float | None  # part of the sentences that stand as they were written; None where nothing was settled
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
    survived: float | None
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
        yield _written(plan, universe, narration, record)


def rates_of(writer: Writer, mode: Mode, texts: list[Written]) -> Rates:
    """Average what was written."""

    def mean(name: str) -> float:
        return sum(float(getattr(text, name)) for text in texts) / len(texts)

    settled = [text.survived for text in texts if text.survived is not None]
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
        survived=sum(settled) / len(settled) if settled else None,
        answer_tokens=mean("answer_tokens"),
    )


def _written(plan: SemanticPlan, universe: AtomUniverse, narration: Narration, record: NarrationRecord) -> Written:
    listed = {int(entry.atom_id) for entry in plan.entries}
    shown = _named(universe, narration.text)
    last, claims = record.attempts[-1], record.attempts[-1].claims
    settled = narration.settled
    return Written(
        first_accepted=record.attempts[0].accepted,
        accepted=not record.used_fallback,
        attempts=len(record.attempts),
        named_by_the_model=len(_by_the_model(universe, last) & listed) / len(listed),
        named=len(shown & listed) / len(listed),
        best_bin_named={entry.atom_id for entry in plan.entries if entry.bin == plan.entries[0].bin} <= shown,
        dropped=len(claims.dropped) + claims.malformed if claims else 0,
        repeats=claims.repeats if claims else 0,
        survived=None if settled is None else settled.survived,
        answer_tokens=record.model.answer_tokens if record.model else 0,
    )


def _by_the_model(universe: AtomUniverse, attempt: AttemptRecord) -> set[int]:
    """Return the themes that the model's own choice names, without what code filled in."""
    if attempt.claims is None:
        return _named(universe, attempt.text)
    lists = [claim.get(key, []) for claim in attempt.claims.kept for key in ("themes", "items")]
    single = [claim[key] for claim in attempt.claims.kept for key in ("theme", "other") if key in claim]
    return {*(atom for atoms in lists for atom in atoms), *single}


def _named(universe: AtomUniverse, text: str) -> set[int]:
    return {mention.atom for mention in Prose(text, universe).mentions}
