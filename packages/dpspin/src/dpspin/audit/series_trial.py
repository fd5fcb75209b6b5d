"""One trial of a series: how far one user moves all periods of a life, over the scales of their noises, exactly.

Both neighbours are read from tables, dated, summed and taken off allowances by the shipped code. The user in question
writes more than the bound in every period, so that the whole allowance is used. The loss of a life is the sum of all
changes, each over the scale of its noise (the theorems of `boundary.series`): no bound from counts is needed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.audit.corpora import dictionary, neighbours, paper_map
from dpspin.audit.trial import Outcome
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, UserUnit, sensitivity_of
from dpspin.boundary.series import SeriesTerms, loss_beside_fading
from dpspin.curator.aggregate.allowances import Allowances, Taken, take
from dpspin.curator.aggregate.local import read_into
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.aggregate.totals import UserTotals
from dpspin.curator.aggregate.user_sums import MemorySums
from dpspin.curator.records.columns import TEXT, USER, Columns, Dated
from dpspin.curator.records.corpus import open_corpus

SIZE: Final = 2
CALENDAR: Final = PeriodFacet(column="date", every="month", first="2026-01", last="2026-06")
TERMS: Final = SeriesTerms(every=CALENDAR, epsilon=1.5, lifetime_bound=2.5, per_period_bound=1.0)
LOSS: Final = PrivacyLoss(TERMS.epsilon)
USER_OF_A_LIFE: Final = UserUnit(bound=TERMS.lifetime_bound)

Carry = Callable[[Allowances], Allowances]


def carried(left: Allowances) -> Allowances:
    """Go on with what a period left, as a series does."""
    return left


def forgotten(left: Allowances) -> Allowances:
    """Begin every period with full allowances."""
    del left
    return Allowances.full()


@dataclass(frozen=True, slots=True)
class SeriesPath:
    """What is done with allowances, how often a period is released, and among how many what is wanted is paid."""

    bounds: SeriesTerms = TERMS
    carry: Carry = carried
    releases: int = 1
    shared_among: int = len(CALENDAR.declared)


@dataclass(frozen=True, slots=True)
class SeriesMutant:
    """A fault of a series."""

    fault: str
    path: SeriesPath


SERIES_MUTANTS: Final = (
    SeriesMutant("allowance not carried over", SeriesPath(carry=forgotten)),
    SeriesMutant("a bound per period only", SeriesPath(bounds=TERMS.model_copy(update={"lifetime_bound": 1000.0}))),
    SeriesMutant("every period released twice", SeriesPath(releases=2)),
    SeriesMutant("what is wanted paid once for all", SeriesPath(shared_among=1)),
)


def series_trial(path: SeriesPath) -> Outcome:
    """Compare the lives of neighbours exactly."""
    pair = neighbours(USER_OF_A_LIFE, Adjacency.ADD_DROP, (3, 2))
    lives = [list(life_of(_in_every_period(table), path)) for table in (pair.before, pair.after)]
    masses = noise_of(
        Laplace(),
        loss_beside_fading(LOSS, TERMS),
        sensitivity_of(USER_OF_A_LIFE, Adjacency.ADD_DROP),
        atoms=SIZE,
        size=SIZE,
    )
    wanted = TERMS.wanted_noise.scale * path.shared_among / len(CALENDAR.declared)
    lost = 0.0
    for before, after in zip(*lives, strict=True):
        lost += float(np.abs(before.ticks - after.ticks).sum()) / TICKS_PER_MASS / masses.width
        lost += abs(before.wanted - after.wanted) / TICKS_PER_MASS / wanted
    return Outcome(0.0, 0, exact_loss=lost * path.releases)


def life_of(table: pa.Table, path: SeriesPath) -> Iterator[Taken]:
    """Count every period of a life, as a series does."""
    mapped = paper_map(SIZE)
    origin = SketchOrigin.of(dictionary(SIZE), mapped.statement, USER_OF_A_LIFE, Adjacency.ADD_DROP)
    allowances = Allowances.full()
    for period in CALENDAR.declared:
        sums = MemorySums()
        columns = Columns(TEXT, USER, dated=Dated(CALENDAR, frozenset([period])))
        read_into(UserTotals(origin, sums=sums), open_corpus(table, columns), mapped)
        taken = take(sums, origin.coordinates, allowances, path.bounds)
        yield taken
        allowances = path.carry(taken.left)


def _in_every_period(table: pa.Table) -> pa.Table:
    """Let everybody write all of their records once in each period."""
    dated = [table.append_column("date", pa.array([f"{period}-15"] * table.num_rows)) for period in CALENDAR.declared]
    return pa.concat_tables(dated)
