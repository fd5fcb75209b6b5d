"""Every trial of an audit: all that is shipped, for every unit and adjacency, and every mutant where it must show."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final, Protocol, TypeVar

from dpspin.audit.audited import AUDITED
from dpspin.audit.corpora import RECORD, USERS
from dpspin.audit.mutants import MUTANTS, Mutant
from dpspin.audit.path import Path
from dpspin.audit.trial import Effort, Outcome, trial
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit

UNITS: Final = (RECORD, USERS)
Result_co = TypeVar("Result_co", covariant=True)


class Trial(Protocol[Result_co]):
    """Something that can be put to trial."""

    def tried(self, effort: Effort) -> Result_co:
        """Put it to trial."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """A claim that is put to trial; with a mutant, one that must not hold."""

    audited: Audited
    unit: RecordUnit | UserUnit
    adjacency: Adjacency
    mutant: Mutant | None = None

    def tried(self, effort: Effort) -> "Finding":
        """Put it to trial."""
        path = self.mutant.path if self.mutant else Path()
        return Finding(self, trial(self.audited, self.unit, self.adjacency, path, effort))


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out of a case."""

    case: Case
    outcome: Outcome

    @property
    def refuted(self) -> bool:
        """Whether the claim is refuted: epsilon is certainly larger than stated."""
        return self.outcome.bound > self.case.audited.loss.epsilon

    @property
    def as_it_should_be(self) -> bool:
        """Whether a shipped mechanism stands, or a mutant falls."""
        return self.refuted == (self.case.mutant is not None)

    @property
    def verdict(self) -> str:
        """One word for the table; what should not be is in capitals."""
        if self.case.mutant is None:
            return "REFUTED" if self.refuted else "stands"
        return "flagged" if self.refuted else "MISSED"


def shipped_cases() -> list[Case]:
    """Return every mechanism with every unit and every adjacency for which it is offered."""
    return [
        Case(audited, unit, adjacency) for audited in AUDITED for unit in UNITS for adjacency in audited.adjacencies
    ]


def mutant_cases() -> list[Case]:
    """Return every mutant at every place where it must be flagged."""
    return [Case(*cell, mutant=mutant) for mutant in MUTANTS for cell in mutant.cells]


def findings(cases: Sequence[Trial[Result_co]], effort: Effort, jobs: int = 1) -> Iterator[Result_co]:
    """Try the cases in order, several at a time; fresh processes, so that none shares a random state."""
    if jobs == 1:
        yield from (case.tried(effort) for case in cases)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(_tried, effort=effort), cases)


def _tried(case: Trial[Result_co], effort: Effort) -> Result_co:
    return case.tried(effort)
