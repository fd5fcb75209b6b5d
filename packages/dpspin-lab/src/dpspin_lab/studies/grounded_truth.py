"""Do grounded intervals cover what a reader of everything would find? Simulated, with labels as the reader.

Units are drawn anew with replacement up to the size of a collection, so that the truth is known; samples, noise and
intervals are then those of a release: the terms, scales and intervals come from the product's own functions. Noise is
continuous, which no statement on masses can see.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from dpspin.boundary.calibration import laplace_scale, loss_on_sample
from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.grounded_shares import (
    Corrected,
    GroundedPart,
    GroundedTheme,
    NoisyReadings,
    corrected,
    ground,
)
from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivacyLoss
from dpspin.boundary.sampling_law import SamplingLaw, expected_squares
from dpspin.boundary.statement import PrivacyStatement
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.curator.release.draw_plan import ReleaseSpec, statement_of
from dpspin_lab.metrics.error_parts import shares
from dpspin_lab.metrics.plan import overlap_at, total_variation
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.studies.map_truth import APART, shifted
from dpspin_lab.studies.read_units import ReadUnits
from dpspin_lab.studies.simulated_releases import drawn

TOP, BETA = 10, 0.05
SAMPLES = 20  # of each collection that is drawn
METHODS = ("mapped", "grounded", "best guess", "auxiliary shares", "labels of the sample alone")


@dataclass(frozen=True, slots=True)
class Setting:
    """What is asked for: half of epsilon pays for the sample."""

    readings: int
    epsilon: float = 1.0
    records: int = 20_000
    share: float = 0.5

    @property
    def grounding(self) -> Grounding:
        """The choices about the sample."""
        return Grounding(rate=self.readings / self.records, share=self.share, reader="labels")


class Collection:
    """A collection with known truth, all in masses: how often each of the labelled units stands in it."""

    def __init__(self, units: ReadUnits, copies: Ints) -> None:
        self.copies = copies
        self.truth: Floats = copies @ units.read / TICKS_PER_MASS
        self.mapped: Floats = copies @ units.mapped / TICKS_PER_MASS
        self.squares: Floats = copies @ units.squares / TICKS_PER_MASS + (self.truth + self.mapped) / 2  # Σ (y - x)²/c
        self.agreement = 0.5 - float(copies @ units.moved) / TICKS_PER_MASS / float(self.mapped.sum())


@dataclass(frozen=True)
class Trial:
    """One release of one collection, all in masses."""

    true: Collection
    masses: Floats
    found: Corrected
    plan: GroundedPart
    labels_alone: Floats

    @cached_property
    def grounded(self) -> Floats:
        """The reader's masses, none below zero."""
        return np.maximum(np.add(self.masses, self.found.corrections), 0.0)

    @cached_property
    def best_guess(self) -> Floats:
        """The best guesses."""
        return np.array([self.found.best_guess(place) for place in range(len(self.masses))])


class Released:
    """Many releases of collections that are drawn from labelled units."""

    def __init__(self, units: ReadUnits, setting: Setting, chance: Generator) -> None:
        self.units, self.setting, self._chance = units, setting, chance
        spec = ReleaseSpec(
            loss=PrivacyLoss(setting.epsilon), denominator=setting.records, size=TOP, grounding=setting.grounding
        )
        self.statement: PrivacyStatement = statement_of(units.origin, spec, RANDOMNESS)
        self.denominator = PublicNumber(value=setting.records)
        self.law = SamplingLaw.of(self.statement, coordinates=units.origin.coordinates, size=TOP, beta=BETA)
        self._noise = sample_noise(spec.loss, setting.grounding, units.origin.sensitivity)
        reach = units.origin.sensitivity
        alone = loss_on_sample(spec.loss, setting.grounding.sampling, reach)  # all of epsilon is theirs
        self._alone = laplace_scale(reach.l1, alone.epsilon)

    def trials(self, draws: int, likely: Sequence[Floats] = ()) -> Iterator[Trial]:
        """Draw collections, and several samples of each; units are equally likely, or as is said, in turn."""
        number = len(self.units.read)
        for each in range(draws):
            if each % SAMPLES == 0:
                weights = likely[each // SAMPLES % len(likely)] if likely else np.full(number, 1 / number)
                true = Collection(self.units, self._chance.multinomial(self.setting.records, weights))
            yield self._trial(true)

    def _trial(self, true: Collection) -> Trial:
        units, rate = self.units, self.setting.grounding.rate
        sample = self._chance.binomial(true.copies, rate).astype(np.float64)  # how often each unit is drawn
        read = sample @ units.read
        masses = true.mapped + drawn(self.statement.noise, true.mapped.shape, self._chance)
        readings = NoisyReadings(
            corrections=self._noisy(read - sample @ units.mapped, self._noise.corrections.scale),
            squares=self._noisy(sample @ units.squares, self._noise.squares.scale),
            moved=self._noisy(np.array([sample @ units.moved]), self._noise.moved.scale)[0],
        )
        return Trial(
            true,
            masses,
            found=corrected(masses.tolist(), readings, self.law),
            plan=ground(masses.tolist(), readings, self.statement, units.names, self.denominator, size=TOP, beta=BETA),
            labels_alone=np.maximum(self._noisy(read, self._alone), 0.0) / rate,
        )

    def _noisy(self, ticks: Floats, scale: float) -> tuple[float, ...]:
        noise = self._chance.laplace(0.0, scale, ticks.shape)
        return tuple(((ticks + noise) / TICKS_PER_MASS).tolist())


@dataclass(frozen=True, slots=True)
class Grounded:
    """How one row of the table came out; errors, distances and overlaps in the order of METHODS.

    ``covered`` is how often all ten listed intervals contain the labels' shares, ``with_none`` the one of "none of
    these" too, ``card_covered`` the one of the map's card. Widths and errors are in points. ``forecast`` is the mean
    half-width that is forecast from the true squares, and ``by_agreement`` from shares and agreement alone, both as
    parts of the real one.
    """

    collection: str
    unit: str
    readings: int
    epsilon: float
    rate: float
    draws: int
    covered: float
    with_none: float
    card_covered: float | None
    agreement: float
    half_width: float
    forecast: float
    by_agreement: float
    errors: tuple[float, ...]
    distances: tuple[float, ...]
    overlaps: tuple[float, ...]


def grounded(
    collection: str, units: ReadUnits, setting: Setting, *, draws: int, seed: int, likely: Sequence[Floats] = ()
) -> Grounded:
    """Simulate one row."""
    released = Released(units, setting, np.random.default_rng(seed))
    trials = list(released.trials(draws, likely))
    held = [_held(units, trial) for trial in trials]
    alike = [flag for *_, flag in held if flag is not None]
    half_width = _mean([_points(released, each.high - each.low) / 2 for trial in trials for each in trial.plan.themes])
    exact, guessed = _forecasts(released, trials[::SAMPLES])
    scores = np.array([_scores(units, trial, setting.records) for trial in trials]).mean(axis=0)
    return Grounded(
        collection,
        f"{units.origin.unit.kind}s, {units.origin.quantity.kind}",
        setting.readings,
        setting.epsilon,
        setting.grounding.rate,
        len(trials),
        covered=_mean([themes for themes, _, _ in held]),
        with_none=_mean([themes and none for themes, none, _ in held]),
        card_covered=_mean(alike) if alike else None,
        agreement=_mean([trial.true.agreement for trial in trials]),
        half_width=half_width,
        forecast=exact / half_width,
        by_agreement=guessed / half_width,
        errors=tuple(scores[0].tolist()),
        distances=tuple(scores[1].tolist()),
        overlaps=tuple(scores[2].tolist()),
    )


def _held(units: ReadUnits, trial: Trial) -> tuple[bool, bool, bool | None]:
    """Tell whether all listed intervals hold, that of "none of these", and that of the map's card."""
    none, alike = trial.plan.none, trial.plan.sorted_alike
    return (
        all(theme.low <= trial.true.truth[place] <= theme.high for theme, place in _listed(units, trial)),
        none is None or none.low <= trial.true.truth[len(units.names)] <= none.high,
        None if alike is None else alike.low <= trial.true.agreement <= alike.high,
    )


def _listed(units: ReadUnits, trial: Trial) -> Iterator[tuple[GroundedTheme, int]]:
    places = {atom: place for place, (atom, _) in enumerate(units.names)}
    return ((theme, places[theme.atom_id]) for theme in trial.plan.themes)


def _forecasts(released: Released, trials: Sequence[Trial]) -> tuple[float, float]:
    """Forecast the half-widths of what was listed, in points: from the true squares, and from shares and agreement."""
    exact, guessed = [], []
    for trial in trials:
        for _, place in _listed(released.units, trial):
            mass = float(trial.true.truth[place])
            exact.append(released.law.half_width(mass, float(trial.true.squares[place])))
            guessed.append(released.law.half_width(mass, expected_squares(mass, trial.true.agreement)))
    return _points(released, _mean(exact)), _points(released, _mean(guessed))


def _scores(units: ReadUnits, trial: Trial, records: int) -> list[list[float]]:
    """Return the mean error of the ten largest in points, total variation and Overlap@10, each for all methods."""
    themes = len(units.names)
    truth = trial.true.truth[:themes]
    largest = np.argsort(-truth, kind="stable")[:TOP]
    auxiliary = units.auxiliary * truth.sum()  # whatever is none of the themes, it knows as well as the labels do
    methods = (trial.masses, trial.grounded, trial.best_guess, auxiliary, trial.labels_alone)
    estimates = [np.maximum(each[:themes], 0.0) for each in methods]
    return [
        [100 / records * float(np.abs(each - truth)[largest].mean()) for each in estimates],
        [total_variation(shares(each), shares(truth)) for each in estimates],
        [overlap_at(truth, each, min(TOP, themes)) for each in estimates],
    ]


def _points(released: Released, mass: float) -> float:
    return 100 * mass / released.setting.records


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))


@dataclass(frozen=True, slots=True)
class Rise:
    """How much of a doubled theme's rise each method reports, on average; one is all of it."""

    collection: str
    readings: int
    draws: int
    reported: dict[str, float]


def rise(collection: str, units: ReadUnits, setting: Setting, *, draws: int, seed: int) -> Rise:
    """Release a collection and one in which a theme is doubled and another halved, the ten largest in turn."""
    released = Released(units, setting, np.random.default_rng(seed))
    ways: dict[str, list[float]] = {"mapped": [], "grounded": [], "best guess": []}
    for up, likely in shifts(units):
        pairs = zip(released.trials(draws // TOP), released.trials(draws // TOP, [likely]), strict=True)
        for before, after in pairs:
            true = after.true.truth[up] - before.true.truth[up]
            ways["mapped"].append(float(after.masses[up] - before.masses[up]) / true)
            ways["grounded"].append(float(after.found.noisy(up) - before.found.noisy(up)) / true)
            ways["best guess"].append((after.found.best_guess(up) - before.found.best_guess(up)) / true)
    return Rise(collection, setting.readings, draws, {method: _mean(each) for method, each in ways.items()})


def shifts(units: ReadUnits) -> Iterator[tuple[int, Floats]]:
    """Double each of the ten largest themes once and halve another: how likely each unit then is."""
    truth = units.read / TICKS_PER_MASS
    largest = np.argsort(-truth[:, : len(units.names)].sum(axis=0), kind="stable")[:TOP]
    for place, up in enumerate(largest.tolist()):
        yield up, shifted(truth, up, int(largest[(place + APART) % len(largest)]))
