"""How well a language model writes: acceptance and completeness of both decoders over random plans."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from numpy.random import Generator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.read_plan import ReaderChoices, read_noise
from dpspin.public.atoms import packs
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import Narration
from dpspin.public.narrate.writer import NarrationRecord, Writer
from dpspin_lab.markdown import table_lines
from dpspin_lab.metrics.decoding import themes_by_the_model, themes_in
from dpspin_lab.studies.simulated_releases import drawn, seeded
from dpspin_lab.verifier.benchmark import invented_statement

_DENOMINATOR, _LOSS = 2000, PrivacyLoss(1.0)
_SIZES, _COVERED = (4, 10), (0.3, 1.0)  # themes listed at most, and the part of the denominator that has a theme
_DECODERS = (
    *("decoder", "mode", "plans", "first candidate accepted", "some candidate accepted", "fallback", "attempts"),
    *("themes named by the model", "themes in the text shown", "best bin complete in the text shown"),
    *("claims dropped", "repeats removed", "sentences kept when settled", "tokens written"),
)


@dataclass(frozen=True, slots=True)
class Written:
    """One text: whether the model's first and whether any of its candidates was accepted, and what it named."""

    first_accepted: bool
    accepted: bool
    attempts: int
    named_by_the_model: float  # part of the plan's themes in the model's last candidate, without what code filled in
    named: float  # part of the plan's themes in the text that is shown
    best_bin_complete: bool  # no theme of the best bin is missing in the text that is shown
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
    statement = invented_statement(Laplace(), _LOSS, atoms=universe.size, size=size)
    shares = covered * rng.dirichlet([1.0] * universe.size)
    masses = _DENOMINATOR * shares + drawn(statement.noise, (universe.size,), rng)
    reading = ReaderChoices(denominator=_DENOMINATOR, size=size)
    return read_noise(NoisyMasses([float(mass) for mass in masses]), statement, universe, reading, software="benchmark")


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
    averaged = {each.name: mean(each.name) for each in fields(Written) if each.name != "survived"}
    return Rates(
        decoder=writer.decoder.value,
        mode=mode.value,
        plans=len(texts),
        fallback=1 - averaged["accepted"],
        survived=sum(settled) / len(settled) if settled else None,
        **averaged,
    )


def _written(plan: SemanticPlan, universe: AtomUniverse, narration: Narration, record: NarrationRecord) -> Written:
    listed = {int(entry.atom_id) for entry in plan.entries}
    shown = themes_in(universe, narration.text)
    last, claims = record.attempts[-1], record.attempts[-1].claims
    settled = narration.settled
    return Written(
        first_accepted=record.attempts[0].accepted,
        accepted=not record.used_fallback,
        attempts=len(record.attempts),
        named_by_the_model=len(themes_by_the_model(universe, last) & listed) / len(listed),
        named=len(shown & listed) / len(listed),
        best_bin_complete={entry.atom_id for entry in plan.entries if entry.bin == plan.entries[0].bin} <= shown,
        dropped=len(claims.dropped) + claims.malformed if claims else 0,
        repeats=claims.repeats if claims else 0,
        survived=None if settled is None else settled.survived,
        answer_tokens=record.model.answer_tokens if record.model else 0,
    )


def decoder_lines(rows: Iterable[Rates]) -> Iterator[str]:
    """Write rates in percent, counts per plan."""
    yield from table_lines(_DECODERS, map(_cells, rows), words=2)


def _cells(row: Rates) -> tuple[str, ...]:
    accepted = (row.first_accepted, row.accepted, row.fallback)
    named = (row.named_by_the_model, row.named, row.best_bin_complete)
    kept = "" if row.survived is None else f"{100 * row.survived:.0f} %"
    counts = (f"{row.dropped:.1f}", f"{row.repeats:.1f}", kept, f"{row.answer_tokens:.0f}")
    cells = (*map(_percent, accepted), f"{row.attempts:.1f}", *map(_percent, named), *counts)
    return row.decoder, row.mode, str(row.plans), *cells


def _percent(part: float) -> str:
    return f"{100 * part:.0f} %"
