"""A series: one report per period of a calendar, under one loss for a person's whole life in it.

A user has an allowance of B_total mass for all periods together. A period takes from it what the user's records of that
period weigh, at most b, until it is used up: the user's vector is scaled to min(b, what is left), in integer ticks, and
what was really added is taken off. Every coordinate of every period gets discrete Laplace noise of B_total/eps_m.

Theorem (series). What a user adds to period w is a function of that user's own records of that period and own allowance
left, whatever other users do, and over all periods its L1 norms add up to at most B_total, because each is taken off
the allowance before the next. Take two collections that differ in one user. Given what was published before, all other
users add the same, so the outputs of period w have a likelihood ratio of at most exp(‖x_w‖₁·eps_m/B_total) at every
point. Along every sequence of outputs the ratios multiply, so their logarithms add up to at most
(Σ_w ‖x_w‖₁)·eps_m/B_total <= eps_m, also when later records or questions depend on earlier outputs: the bound holds on
each path by itself, and no expectation is taken. A record that is counted in two periods by mistake takes from its
user's allowance twice; that costs use, never privacy.

Theorem (fading). Beside its masses a period releases the mass that was *wanted*: the sum over users of the weight of
their records, at most b each, allowances ignored. One user moves it by at most b, so Laplace(W·b/eps_f) makes the at
most W values of the calendar eps_f-DP together, by sequential composition. With eps = eps_m + eps_f the life of a
person costs eps. How much of what was wanted could be counted is post-processing of both.

Lives follow one another: in the next one allowances are full again, and the losses of all lives add up.
"""

from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.grounding import SumNoise
from dpspin.boundary.model_base import FrozenModel, explained_as
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.privacy import (
    MAX_BOUND,
    TICKS_PER_MASS,
    Adjacency,
    MissingUsers,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
    bound_ticks,
)
from dpspin.boundary.safe_files import read_plain_text
from dpspin.errors import InputError, RequestError

INDEX: Final = "series.json"
FADING_SHARE: Final = 0.1  # of epsilon, for what was wanted in all periods: the masses' noise grows by a ninth


class SeriesTerms(FrozenModel):
    """What one life of a series promises, fixed before its first period; public.

    ``late`` says what happens to a record that is dated in the calendar before the period for which it is handed over:
    ``refuse`` leaves it out, ``next`` counts it there. Either looks at the record's own date alone.
    """

    every: PeriodFacet
    epsilon: float = Field(gt=0)
    lifetime_bound: float = Field(ge=1 / TICKS_PER_MASS, le=MAX_BOUND)
    per_period_bound: float = Field(ge=1 / TICKS_PER_MASS, le=MAX_BOUND)
    fading_share: float = Field(FADING_SHARE, gt=0, lt=1)
    late: Literal["refuse", "next"] = "refuse"

    @model_validator(mode="after")
    def _has_periods_within_a_life(self) -> Self:
        if self.per_period_bound > self.lifetime_bound:
            raise ValueError("a period takes at most what a whole life allows: lower the bound per period")
        return self

    @property
    def lifetime_ticks(self) -> int:
        """The allowance of a user, rounded down."""
        return bound_ticks(UserUnit(bound=self.lifetime_bound))

    @property
    def per_period_ticks(self) -> int:
        """What one period takes of it at most, rounded down."""
        return bound_ticks(UserUnit(bound=self.per_period_bound))

    @property
    def fading(self) -> SumNoise:
        """The noise on what was wanted in one period, in ticks: by the theorem of fading."""
        paid = self.fading_share * self.epsilon / len(self.every.declared)
        return SumNoise(self.per_period_ticks, paid, laplace_scale(self.per_period_ticks, paid))

    @property
    def wanted_noise(self) -> LaplaceNoise:
        """The same noise in units of mass."""
        return LaplaceNoise(scale=self.fading.scale / TICKS_PER_MASS)


class SeriesStep(FrozenModel):
    """One period of one life of a series."""

    period: str
    life: int = Field(ge=1)
    terms: SeriesTerms


class SeriesPlace(SeriesStep):
    """Where a plan stands in its series, and how much mass its period's users would have had under the cap b alone."""

    wanted: float  # noisy, in units of mass
    wanted_noise: LaplaceNoise


class SeriesPeriod(FrozenModel):
    """A released period: its name, its life, and where its plan lies beside the index."""

    name: str
    life: int = Field(ge=1)
    plan: str


class SeriesIndex(FrozenModel):
    """What was released of a series so far: the terms of its newest life, and its periods in calendar order.

    A period of the calendar that is not here was skipped if a later one is, and is to come if none is.
    """

    schema_version: Literal[1] = 1
    title: str = ""
    terms: SeriesTerms
    periods: tuple[SeriesPeriod, ...] = ()

    @model_validator(mode="after")
    def _is_in_order(self) -> Self:
        names = [period.name for period in self.periods]
        if any(later <= earlier for earlier, later in pairwise(names)):
            raise ValueError("periods are listed once each, in the order of the calendar")
        return self

    def to_json(self) -> str:
        """Return the index file's text."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def load(cls, release: str | Path) -> "SeriesIndex":
        """Read the index of the folder in which a series is published."""
        path = Path(release) / INDEX
        try:
            text = read_plain_text(path)
        except (OSError, UnicodeDecodeError):
            raise InputError(f"no series is published at {str(release)!r}: {INDEX} is not there, or no text") from None
        with explained_as(InputError, f"the series {str(path)!r}"):
            return cls.model_validate_json(text)


def loss_beside_fading(loss: PrivacyLoss, terms: SeriesTerms | None) -> PrivacyLoss:
    """Return what is left of a life's loss for the masses of its periods, all of them together.

    >>> week = PeriodFacet(column="date", every="week", first="2026-01-05", last="2026-12-31")
    >>> terms = SeriesTerms(every=week, epsilon=2.0, lifetime_bound=4.0, per_period_bound=1.0)
    >>> loss_beside_fading(PrivacyLoss(2.0), terms).epsilon, round(terms.wanted_noise.scale)
    (1.8, 260)
    """
    return loss if terms is None else PrivacyLoss(loss.epsilon - terms.fading_share * loss.epsilon, loss.delta)


def require_in_series(
    step: SeriesStep, unit: RecordUnit | UserUnit, adjacency: Adjacency, mechanism: str, *, plain: bool
) -> None:
    """Refuse what nothing is proven of in a series; ``plain``: mass of everyone, without views, reading or count."""
    if not isinstance(unit, UserUnit) or adjacency is not Adjacency.ADD_DROP:
        raise RequestError(
            "a series protects users under add/drop: records of a declared partition are released window by window",
            code="request.series-unit",
        )
    if unit.missing is MissingUsers.OWN_UNIT:
        raise RequestError(
            "who wrote a record without a user id has no allowance that could be carried over: leave such records out "
            "(`records.unit.missing: drop`)",
            code="request.series-own-unit",
            field="records.unit.missing",
        )
    if mechanism != "laplace" or not plain:
        raise RequestError(
            "a series is of mass, by laplace, of everyone: leave out other quantities and mechanisms, samples, views, "
            "a reading and a count",
            code="request.series-unproven",
        )
    if step.period not in step.terms.every.declared:
        raise RequestError(
            f"{step.period!r} is no period of the calendar, which goes from {step.terms.every.declared[0]} to "
            f"{step.terms.every.declared[-1]}",
            code="request.unknown-period",
        )
