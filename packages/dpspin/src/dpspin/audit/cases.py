"""Every trial of an audit: all that is shipped, and everything that is broken on purpose where it must show."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any, ClassVar, Final

from dpspin.audit import phrase_trial, series_trial, view_trial
from dpspin.audit.broken_readers import BROKEN_READERS, BrokenReader
from dpspin.audit.corpora import AUDITED, RECORD, USERS
from dpspin.audit.file_trial import CLAIM, ONE_EACH, as_it_is, file_trial
from dpspin.audit.grounded_mutants import GROUNDED_MUTANTS, GroundedMutant
from dpspin.audit.grounded_trial import LOSS, GroundedPath, grounded_trial
from dpspin.audit.mutants import MUTANTS, Mutant
from dpspin.audit.phrase_trial import PHRASE_MUTANTS, PhraseMutant
from dpspin.audit.readers import READERS, Extra, Reader
from dpspin.audit.series_trial import SERIES_MUTANTS, SeriesMutant
from dpspin.audit.trial import Effort, Outcome, ReleasePath, trial
from dpspin.audit.view_trial import VIEW_MUTANTS, ViewMutant
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, UserUnit

UNITS: Final = (RECORD, USERS)
DRAWS_PER_RELEASE: Final = 62  # a release through the ledger takes as long as so many draws: 64 stand beside 4,000


@dataclass(frozen=True, slots=True)
class Case:
    """A claim of a mechanism that is put to trial; with a mutant, one that must not hold."""

    audited: Audited
    unit: RecordUnit | UserUnit
    adjacency: Adjacency
    mutant: Mutant | None = None

    @property
    def name(self) -> str:
        """What is tried."""
        return self.audited.name

    @property
    def loss(self) -> PrivacyLoss:
        """What is claimed."""
        return self.audited.loss

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.mutant is None else self.mutant.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put it to trial."""
        path = self.mutant.path if self.mutant else ReleasePath()
        return Finding(self, trial(self.audited, self.unit, self.adjacency, path, effort))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        unit = {"unit": self.unit.kind, "bound": self.unit.bound, "adjacency": self.adjacency.value}
        return {
            "mechanism": self.name,
            **unit,
            "fault": self.fault,
            "epsilon": self.loss.epsilon,
            "delta": self.loss.delta,
        }


@dataclass(frozen=True, slots=True)
class Passage:
    """A reader that is put to trial from the file on; with a fault before it, one that must not hold."""

    reader: Reader
    unit: RecordUnit | UserUnit
    broken: BrokenReader | None = None
    with_releases: bool = True  # or exactly only
    loss: ClassVar[PrivacyLoss] = CLAIM

    @property
    def name(self) -> str:
        """What is tried."""
        return self.reader.name

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.broken is None else self.broken.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put it to trial, where what it needs is installed."""
        extra = self.reader.extra
        if extra is not None and extra.is_missing:
            return Finding(self, extra)
        hand, hard = (as_it_is, self.reader.hard) if self.broken is None else (self.broken.hand, self.reader.hard[:1])
        count = effort.releases // DRAWS_PER_RELEASE if self.with_releases else 0
        return Finding(self, file_trial(self.reader.make, hard, self.unit, hand, count=count, failure=effort.failure))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        unit = {"unit": self.unit.kind, "bound": self.unit.bound}
        return {"reader": self.name, **unit, "fault": self.fault, "epsilon": self.loss.epsilon}


@dataclass(frozen=True, slots=True)
class Reading:
    """A read sample that is put to trial; with a mutant, one that must not hold."""

    unit: RecordUnit | UserUnit
    mutant: GroundedMutant | None = None
    loss: ClassVar[PrivacyLoss] = LOSS
    name: ClassVar[str] = "grounding, laplace"

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.mutant is None else self.mutant.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put it to trial: exactly and, of what is shipped, by counting where users are protected."""
        if self.mutant is None:
            path, count = GroundedPath(), isinstance(self.unit, UserUnit)
        else:
            path, count = self.mutant.path, self.mutant.by_counting
        return Finding(self, grounded_trial(self.unit, path, effort, count=count))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        unit = {"unit": self.unit.kind, "bound": self.unit.bound}
        return {"mechanism": self.name, **unit, "fault": self.fault, "epsilon": self.loss.epsilon}


@dataclass(frozen=True, slots=True)
class Viewing:
    """Views that are put to trial; with a mutant, some that must not hold."""

    unit: RecordUnit | UserUnit
    adjacency: Adjacency
    mutant: ViewMutant | None = None
    loss: ClassVar[PrivacyLoss] = view_trial.LOSS
    name: ClassVar[str] = "views, laplace"

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.mutant is None else self.mutant.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put them to trial, exactly: nothing is counted."""
        del effort
        path = view_trial.ViewPath() if self.mutant is None else self.mutant.path
        return Finding(self, view_trial.view_trial(self.unit, self.adjacency, path))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        unit = {"unit": self.unit.kind, "bound": self.unit.bound, "adjacency": self.adjacency.value}
        return {"mechanism": self.name, **unit, "fault": self.fault, "epsilon": self.loss.epsilon}


@dataclass(frozen=True, slots=True)
class Life:
    """The life of a series that is put to trial; with a mutant, one that must not hold."""

    mutant: SeriesMutant | None = None
    unit: ClassVar[UserUnit] = series_trial.USER_OF_A_LIFE
    loss: ClassVar[PrivacyLoss] = series_trial.LOSS
    name: ClassVar[str] = "series, laplace"

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.mutant is None else self.mutant.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put it to trial, exactly: nothing is counted."""
        del effort
        path = series_trial.SeriesPath() if self.mutant is None else self.mutant.path
        return Finding(self, series_trial.series_trial(path))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        unit = {"unit": self.unit.kind, "bound": self.unit.bound}
        return {"mechanism": self.name, **unit, "fault": self.fault, "epsilon": self.loss.epsilon}


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Phrases that nobody listed, put to trial; with a mutant, some that must not hold."""

    unit: RecordUnit | UserUnit
    mutant: PhraseMutant | None = None
    loss: ClassVar[PrivacyLoss] = phrase_trial.LOSS
    name: ClassVar[str] = "phrases, laplace above t"

    @property
    def fault(self) -> str | None:
        """What is broken on purpose."""
        return None if self.mutant is None else self.mutant.fault

    def tried(self, effort: Effort) -> "Finding":
        """Put them to trial: exactly and, of what is shipped, by counting."""
        path = phrase_trial.PhrasePath() if self.mutant is None else self.mutant.path
        return Finding(self, phrase_trial.phrase_trial(self.unit, path, effort))

    def as_json(self) -> dict[str, Any]:
        """Return what is claimed, for programs."""
        claimed = {"epsilon": self.loss.epsilon, "delta": self.loss.delta}
        return {"mechanism": self.name, "unit": self.unit.kind, "fault": self.fault, **claimed}


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out of a trial; or which extra it would have needed."""

    case: "AnyCase"
    outcome: Outcome | Extra

    @property
    def refuted(self) -> bool:
        """Whether epsilon is certainly larger than stated."""
        return isinstance(self.outcome, Outcome) and self.outcome.loss > self.case.loss.epsilon

    @property
    def as_it_should_be(self) -> bool | None:
        """Whether what is shipped stands, or what is broken falls; None: nobody knows, it was not tried."""
        return None if isinstance(self.outcome, Extra) else self.refuted == (self.case.fault is not None)

    @property
    def verdict(self) -> str:
        """A word for the table; what should not be is in capitals."""
        if isinstance(self.outcome, Extra):
            return f"not tried, needs dpspin[{self.outcome.name}]"
        if self.case.fault is None:
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


def readings() -> list[Reading]:
    """Return a read sample with every unit, and every fault of one where it must be flagged."""
    broken = [Reading(unit, mutant) for mutant in GROUNDED_MUTANTS for unit in mutant.units]
    return [*(Reading(unit) for unit in UNITS), *broken]


def viewings() -> list[Viewing]:
    """Return views with every unit and adjacency, and every fault of them where it must be flagged."""
    both = [Viewing(unit, adjacency) for unit in UNITS for adjacency in Adjacency]
    broken = [
        Viewing(unit, Adjacency.ADD_DROP, mutant)
        for mutant in VIEW_MUTANTS
        for unit in UNITS
        if isinstance(unit, mutant.units)
    ]
    return [*both, *broken]


def phrasings() -> list[Phrasing]:
    """Return phrases with every unit, and every fault of them where it must be flagged."""
    units: tuple[RecordUnit | UserUnit, ...] = (RECORD, ONE_EACH)
    broken = [Phrasing(unit, each) for each in PHRASE_MUTANTS for unit in units if isinstance(unit, each.units)]
    return [*(Phrasing(unit) for unit in units), *broken]


def lives() -> list[Life]:
    """Return the life of a series, and every fault of one."""
    return [Life(), *map(Life, SERIES_MUTANTS)]


def shipped_passages() -> list[Passage]:
    """Return every reader with every unit; by releases where users are protected, whose way has all steps."""
    return [
        Passage(reader, unit, with_releases=isinstance(unit, UserUnit))
        for reader in READERS
        for unit in (RECORD, ONE_EACH)
    ]


def broken_passages() -> list[Passage]:
    """Return every broken reader at every place where it must be flagged; at its first by releases as well."""
    return [
        Passage(*cell, broken=broken, with_releases=cell is broken.cells[0])
        for broken in BROKEN_READERS
        for cell in broken.cells
    ]


AnyCase = Case | Reading | Viewing | Life | Phrasing | Passage


def findings(cases: Sequence[AnyCase], effort: Effort, jobs: int = 1) -> Iterator[Finding]:
    """Try the cases in order, several at a time; fresh processes, so that none shares a random state."""
    if jobs == 1:
        yield from (case.tried(effort) for case in cases)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(_tried, effort=effort), cases)


def _tried(case: AnyCase, effort: Effort) -> Finding:
    return case.tried(effort)
