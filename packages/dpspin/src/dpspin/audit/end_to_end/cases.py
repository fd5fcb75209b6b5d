"""Every trial from the file on: each reader for each unit, and each broken reader where it must show."""

from dataclasses import dataclass

from dpspin.audit.end_to_end.broken_readers import BROKEN_READERS, BrokenReader
from dpspin.audit.end_to_end.readers import READERS, Extra, Reader
from dpspin.audit.end_to_end.trip import CLAIM, RECORD, USERS, Outcome, as_it_is, trip
from dpspin.audit.trial import Effort
from dpspin.boundary.privacy import RecordUnit, UserUnit

DRAWS_PER_RELEASE = 62  # a release through the ledger takes as long as so many draws: 64 stand beside 4,000


@dataclass(frozen=True, slots=True)
class Passage:
    """A reader that is put to trial from the file on; with a fault before it, one that must not hold."""

    reader: Reader
    unit: RecordUnit | UserUnit
    broken: BrokenReader | None = None
    with_releases: bool = True  # or exactly only

    def tried(self, effort: Effort) -> "Found":
        """Put it to trial, where what it needs is installed."""
        extra = self.reader.extra
        if extra is not None and extra.is_missing:
            return Found(self, extra)
        hand, hard = (as_it_is, self.reader.hard) if self.broken is None else (self.broken.hand, self.reader.hard[:1])
        count = effort.releases // DRAWS_PER_RELEASE if self.with_releases else 0
        return Found(self, trip(self.reader.make, hard, self.unit, hand, count=count, failure=effort.failure))


@dataclass(frozen=True, slots=True)
class Found:
    """What came out of a trial from the file on; or which extra it would have needed."""

    passage: Passage
    outcome: Outcome | Extra

    @property
    def refuted(self) -> bool:
        """Whether one unit moves the sums by more than the bound, or releases lose certainly more than stated."""
        return isinstance(self.outcome, Outcome) and max(self.outcome.loss, self.outcome.bound) > CLAIM.epsilon

    @property
    def as_it_should_be(self) -> bool | None:
        """Whether a shipped reader stands, or a broken one falls; None: nobody knows, it was not tried."""
        if isinstance(self.outcome, Extra):
            return None
        return self.refuted == (self.passage.broken is not None)

    @property
    def verdict(self) -> str:
        """A word for the table; what should not be is in capitals."""
        if isinstance(self.outcome, Extra):
            return f"not tried, needs dpspin[{self.outcome.name}]"
        if self.passage.broken is None:
            return "REFUTED" if self.refuted else "stands"
        return "flagged" if self.refuted else "MISSED"


def shipped_passages() -> list[Passage]:
    """Return every reader with every unit; by releases where users are protected, whose way has all steps."""
    return [Passage(reader, unit, with_releases=unit is USERS) for reader in READERS for unit in (RECORD, USERS)]


def broken_passages() -> list[Passage]:
    """Return every broken reader at every place where it must be flagged; at its first by releases as well."""
    return [
        Passage(*cell, broken=broken, with_releases=cell is broken.cells[0])
        for broken in BROKEN_READERS
        for cell in broken.cells
    ]
