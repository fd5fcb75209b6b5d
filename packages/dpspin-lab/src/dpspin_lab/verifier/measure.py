"""What the verifier makes of cases: how many true texts it accepts, how many false ones it catches, and how fast."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import process_time

from dpspin.public.narrate.verify import verify
from dpspin_lab.markdown import table_lines
from dpspin_lab.verifier.benchmark import KINDS, Case, CaseSet, benchmark_plans, written_cases


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


def outcomes_of(name: CaseSet) -> list[Outcome]:
    """Verify every text of a set."""
    return list(judged(written_cases(name)))


def may_be_read(name: CaseSet) -> bool:
    """Tell whether a set's texts may be printed: who has read a held-back text cannot help tuning to it."""
    return name is not CaseSet.HELD_BACK


def measured_lines(sets: Sequence[Measured]) -> Iterator[str]:
    """Write one column per set: the recalls first, then each kind, then the times."""
    rows = {
        "**true, accepted**": [_cell(each.accepted) for each in sets],
        "**false, caught**": [_cell(each.caught) for each in sets],
        **{kind: [_cell(each.by_kind[kind]) for each in sets] for kind in KINDS},
        "median ms per text": [_time(each.times.median) for each in sets],
        "99 of 100 texts within, ms": [_time(each.times.slow) for each in sets],
    }
    names = ("texts", *(each.name for each in sets))
    yield from table_lines(names, ((name, *cells) for name, cells in rows.items()), words=1)


def miss_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Write the texts that were judged wrongly, with the rules that refused the true ones."""
    for outcome in outcomes:
        if not outcome.is_right:
            case, rules = outcome.case, ", ".join(outcome.rules)
            wrong = f"refused by {rules}" if case.is_true else f"accepted, though {case.kind}"
            yield f"## {case.id} ({case.plan}, {case.mode}): {wrong}"
            yield from ("", case.text, "")


def _cell(tally: Tally) -> str:
    """Write a recall with its numbers.

    >>> _cell(Tally(59, 60)), _cell(Tally(0, 0))
    ('98.3 % (59/60)', '–')
    """
    return f"{100 * tally.recall:.1f} % ({tally.right}/{tally.total})" if tally.total else "–"


def _time(milliseconds: float) -> str:
    return f"{milliseconds:.1f}" if milliseconds else "–"
