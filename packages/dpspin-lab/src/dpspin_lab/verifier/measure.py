"""What the verifier makes of cases: how many true texts it accepts, how many false ones it catches, and how fast."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import process_time

from dpspin.public.narrate.verify import verify
from dpspin_lab.verifier.cases import Case
from dpspin_lab.verifier.kinds import KINDS
from dpspin_lab.verifier.plans import benchmark_plans


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verifier's answer to one case."""

    case: Case
    accepted: bool
    rules: tuple[str, ...]
    milliseconds: float

    @property
    def is_right(self) -> bool:
        """Compare the answer with the verdict that the contract asks for."""
        return self.accepted == self.case.is_true


@dataclass(frozen=True, slots=True)
class Tally:
    """Right answers among all."""

    right: int
    total: int

    @property
    def recall(self) -> float:
        """Return the part that is right; of nothing, all is.

        >>> Tally(3, 4).recall, Tally(0, 0).recall
        (0.75, 1.0)
        """
        return self.right / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of processor time per text."""

    median: float
    slow: float  # 99 of 100 texts take less
    worst: float


@dataclass(frozen=True, slots=True)
class Measured:
    """One set of cases."""

    name: str
    accepted: Tally  # of the true texts
    caught: Tally  # of the false texts
    by_kind: dict[str, Tally]
    times: Times


def judged(cases: Iterable[Case]) -> Iterator[Outcome]:
    """Verify each text against its plan and dictionary."""
    for case in cases:
        plan, atoms = benchmark_plans()[case.plan]
        began = process_time()
        verdict = verify(plan, case.text, case.mode, atoms)
        yield Outcome(case, verdict.accepted, verdict.rules(), 1000 * (process_time() - began))


def measured(name: str, outcomes: Sequence[Outcome]) -> Measured:
    """Count the answers of a set."""
    true, false = ([each for each in outcomes if each.case.is_true is wanted] for wanted in (True, False))
    by_kind = {kind: _tally([each for each in false if each.case.kind == kind]) for kind in KINDS}
    return Measured(name, _tally(true), _tally(false), by_kind, _times([each.milliseconds for each in outcomes]))


def _tally(outcomes: Sequence[Outcome]) -> Tally:
    return Tally(sum(each.is_right for each in outcomes), len(outcomes))


def _times(milliseconds: Sequence[float]) -> Times:
    if len(milliseconds) < 2:  # noqa: PLR2004  quantiles need two
        return Times(*[sum(milliseconds)] * 3)
    return Times(median(milliseconds), quantiles(milliseconds, n=100)[-1], max(milliseconds))
