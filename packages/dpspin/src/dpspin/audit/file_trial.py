"""One trial from the file on: what moves in the sums, and what shows in releases, when one unit leaves the file.

It has two parts. *Exactly*: both neighbours are read and mapped several times by the shipped code, and their sketches
compared. With Laplace noise the largest log-likelihood ratio of a plan is ‖x - y‖₁ over the scale, so epsilon times the
change over the sensitivity is the loss of this pair itself, and no bound from counts. It sees every fault of reading,
mapping and clipping on these rows, however small; it cannot see one that other rows would bring out (generated
neighbours of every reader are the tests' business), nor anything after the sketch.

*By counting*: ``dpspin.release`` as everybody calls it, again and again: open, fit the default map, ledger, check,
read, charge, draw, commit. Each release of a neighbour is a new snapshot of one account in a ledger of its own, so that
it is measured, paid for and drawn anew. So few releases see gross faults only (a loss of about twelve), but wherever
they lie between the file and the plan. What lies behind the sketch is counted thousands of times by the other trials.
"""

import itertools
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from dpspin.audit.epsilon_bound import Floats, Witness, epsilon_at_least
from dpspin.audit.hard_rows import DICTIONARY, Hard
from dpspin.audit.readers import TEXT, USER, Make
from dpspin.audit.trial import Event, Outcome
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.aggregate.sketch import Sketch
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.measurement import Measurement
from dpspin.errors import NewLedger
from dpspin.pipeline import release

CLAIM: Final = PrivacyLoss(1.0)
ONE_EACH: Final = UserUnit(bound=1.0, missing=MissingUsers.OWN_UNIT)
READINGS: Final = 4  # of each neighbour: a plan without an order must give the same sums each time
LIKELIER_WITH_THE_UNIT: Final = Event(1e-9, speaks_for_after=True)  # chosen before anything is released

Hand = Callable[[object], object]  # what stands between the file and the shipped reader: nothing, or a fault


def as_it_is(source: object) -> object:
    """Hand over what there is: the shipped reader reads it."""
    return source


def file_trial(
    make: Make, hard: Sequence[Hard], unit: RecordUnit | UserUnit, hand: Hand, *, count: int, failure: float
) -> Outcome:
    """Take neighbours all the way: those of all hard rows exactly, and of the first by so many releases of each."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = [_pair(make, rows, unit, hand, Path(folder) / str(place)) for place, rows in enumerate(hard)]
        loss = max(_loss(before.sketches, after.sketches) for before, after in pairs)
        return Outcome(_counted(*pairs[0], count, failure) if count else 0.0, count, exact_loss=loss)


@dataclass(frozen=True, slots=True)
class _Side:
    """One neighbour: what a release is given each time, and the sketches of several readings."""

    source: object
    unit: RecordUnit | UserUnit
    hand: Hand
    folder: Path
    sketches: tuple[Sketch, ...]

    @property
    def centre(self) -> Floats:
        """The masses around which plans lie; the mean, where readings differ."""
        return np.asarray(np.mean([sketch.ticks for sketch in self.sketches], axis=0) / TICKS_PER_MASS)

    def masses(self, count: int) -> Floats:
        """Release so many times, and keep every noisy mass that was published."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NewLedger)  # of course it is new
            return np.array([_published(self._release(number, count)) for number in range(count)])

    def _release(self, number: int, count: int) -> SemanticPlan:
        return release(
            self.hand(self.source),
            text=TEXT,
            user=_user_column(self.unit),
            atoms=DICTIONARY,
            unit=self.unit,
            loss=CLAIM,
            denominator=100,
            dataset="audit",
            snapshot=f"draw {number}",
            budget=PrivacyLoss(CLAIM.epsilon * count),
            ledger=self.folder / "ledger.db",
        )


def _pair(make: Make, rows: Hard, unit: RecordUnit | UserUnit, hand: Hand, folder: Path) -> tuple[_Side, _Side]:
    def side(name: str, *, complete: bool) -> _Side:
        place = folder / name
        place.mkdir(parents=True)
        source = make(rows.rows(unit, complete=complete), place)
        return _Side(source, unit, hand, place, tuple(_sketch(hand(source), unit) for _ in range(READINGS)))

    return side("without", complete=False), side("with", complete=True)


def _sketch(source: object, unit: RecordUnit | UserUnit) -> Sketch:
    """Read and measure as ``release`` does, up to the ledger."""
    asked = Measurement(data=source, text=TEXT, user=_user_column(unit), unit=unit)
    return asked.records(DICTIONARY, None).measure()[0]


def _user_column(unit: RecordUnit | UserUnit) -> str | None:
    return USER if isinstance(unit, UserUnit) else None


def _published(plan: SemanticPlan) -> list[float]:
    """Return the noisy masses in the order of a sketch: atoms, "none of these", "not read"."""
    beside = (plan.uncovered, plan.not_read)
    return [*(each.noisy_mass for each in plan.noisy_sketch or ()), *(each.noisy_mass for each in beside if each)]


def _loss(before: tuple[Sketch, ...], after: tuple[Sketch, ...]) -> float:
    """Return the exact loss between any reading of one neighbour and any of the other."""
    change = max(_distance(one.ticks, other.ticks) for one, other in itertools.product(before, after))
    return CLAIM.epsilon * change / before[0].sensitivity.l1


def _distance(one: Ints, other: Ints) -> int:
    return int(np.abs(one - other).sum())


def _counted(before: _Side, after: _Side, count: int, failure: float) -> float:
    scale = before.sketches[0].sensitivity.l1 / TICKS_PER_MASS / CLAIM.epsilon
    witness = Witness(before.centre, after.centre, LaplaceNoise(scale=scale), {})
    here, there = LIKELIER_WITH_THE_UNIT.counts(*(witness(side.masses(count)) for side in (before, after)))
    return float(epsilon_at_least(here, there, count, CLAIM.delta, failure))
