"""What each mechanism gets out of the same budget, on sketches shaped like the paper's. Nothing here is private.

Target shares are the auxiliary shares with drift: log-shares move by 0.3 standard deviations. A record has three atoms,
drawn independently, with weights .55, .28 and .17. Methods see the same sketches, and those on Laplace noise the same
noise, so that differences between them are sharper than the standard errors say.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.random import Generator

from dpspin.boundary.estimates import denoised_top, novelty_limit, posterior_means
from dpspin.boundary.mechanisms import AnyMechanism
from dpspin.boundary.mechanisms.base import noise_of
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.private_top_l import Accounting, PrivateTopL
from dpspin.boundary.mechanisms.set_em import SetSelection
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.curator.assign.contribution import Floats
from dpspin_lab.markdown import decimals_of, table_lines
from dpspin_lab.metrics.error_parts import shares
from dpspin_lab.studies.simulated_releases import (
    AUXILIARY,
    RECORD,
    Positions,
    drawn,
    loss_of,
    seeded,
    simulate,
)

RECORDS, SIZE, DRIFT = 2000, 10, 0.3
WEIGHTS = (0.55, 0.28, 0.17)
EPSILONS = (0.1, 0.25, 1.0)
SKETCHES, DRAWS = 25, 40
TAIL, BOOSTED = 100, 4  # an atom beyond this rank emerges, with the share of the fifth
_SCORES = ("shape", "eps", "method", "Overlap@10", "Loss", "value error")


@dataclass(frozen=True)
class Trial:
    """One sketch, to be released ``draws`` times at one epsilon."""

    sketch: Floats
    auxiliary: Floats
    epsilon: float
    draws: int
    seed: tuple[int, ...]
    emerging: int | None = None

    def rng(self) -> Generator:
        """Return the trial's own randomness, from its beginning."""
        return seeded(*self.seed)

    @property
    def noise(self) -> AnyNoise:
        """The noise of the default mechanism."""
        return noise_of(Laplace(), loss_of(Laplace(), self.epsilon), RECORD, atoms=len(self.sketch), size=SIZE)

    @cached_property
    def noisy(self) -> Floats:
        """All noisy masses under the default mechanism, one row per draw."""
        return self.sketch + drawn(self.noise, (self.draws, len(self.sketch)), self.rng())

    @cached_property
    def posterior(self) -> Floats:
        """Their empirical-Bayes means, given the auxiliary shares and the public number of records."""
        shares = self.auxiliary.tolist()
        return np.array([posterior_means(row.tolist(), self.noise, shares, RECORDS) for row in self.noisy])


@dataclass(frozen=True, slots=True)
class Plans:
    """The listed atoms and the values stated for them, one row per draw."""

    positions: Positions
    values: Floats


Method = Callable[[Trial], Plans]


def released(mechanism: AnyMechanism) -> Method:
    """Release by a mechanism, and state its noisy masses."""

    def method(trial: Trial) -> Plans:
        it = simulate(trial.sketch, mechanism, trial.epsilon, size=SIZE, draws=trial.draws, rng=trial.rng())
        return Plans(it.positions, it.values)

    return method


def clear_of_noise(trial: Trial) -> float:
    """Return the limit of a shipped plan, beyond which a theme that the prior hides takes the last slot."""
    return novelty_limit(trial.noise, len(trial.sketch))


def never(_: Trial) -> float:
    """Return the limit that nothing passes."""
    return math.inf


def always(_: Trial) -> float:
    """Return the limit that everything passes: the last slot is for the largest noisy mass of those left."""
    return -math.inf


def denoised(limit: Callable[[Trial], float] = clear_of_noise) -> Method:
    """Release by ``laplace``, list and state by empirical Bayes, with a slot for what the prior does not know."""

    def method(trial: Trial) -> Plans:
        rows, expected = zip(trial.posterior.tolist(), trial.noisy.tolist(), strict=True), RECORDS * trial.auxiliary
        tops = (denoised_top(means, noisy, expected.tolist(), SIZE, limit(trial)) for means, noisy in rows)
        positions = np.array([top.positions for top in tops])
        return Plans(positions, np.take_along_axis(trial.posterior, positions, axis=1))

    return method


def public_only(trial: Trial) -> Plans:
    """List the largest auxiliary shares, at no epsilon at all: what a release has to beat."""
    positions = np.argsort(-trial.auxiliary, kind="stable")[:SIZE]
    rows = np.tile(positions, (trial.draws, 1))
    return Plans(rows, RECORDS * trial.auxiliary[rows])


METHODS: Mapping[str, Method] = {
    "gaussian": released(Gaussian()),
    "private_topL (rho .5)": released(PrivateTopL()),
    "private_topL, monotone, zcdp": released(PrivateTopL(monotone=True, accounting=Accounting.ZCDP)),
    "set_em": released(SetSelection()),
    "laplace": released(Laplace()),
    "laplace + EB, no slot": denoised(never),
    "laplace + EB": denoised(),
    "laplace + EB, slot without a limit": denoised(always),
    "public-only (eps = 0)": public_only,
}
ON_EMERGING: Mapping[str, Method] = {name: method for name, method in METHODS.items() if name.startswith("laplace")}


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over trials and its standard error, from the spread between sketches.

    >>> print(Figure(0.9123, 0.0057), Figure(715.2, 9.8))
    0.912 ± 0.006 715 ± 10
    """

    mean: float
    error: float

    def __str__(self) -> str:
        places = decimals_of(self.mean)
        return f"{self.mean:.{places}f} ± {self.error:.{places}f}"


@dataclass(frozen=True, slots=True)
class Score:
    """How close a method's plans come to the exact top L. ``recall`` is of an emerging theme, where there is one."""

    shape: str
    method: str
    epsilon: float
    overlap: Figure
    loss: Figure
    value_error: Figure
    recall: Figure | None = field(default=None)


def mechanisms_table(
    sketches: int = SKETCHES, draws: int = DRAWS, seed: int = 0, methods: Mapping[str, Method] = METHODS
) -> Iterator[Score]:
    """Score every method on every shape at every epsilon."""
    for place, shape in enumerate(AUXILIARY):
        for epsilon in EPSILONS:
            trials = [_trial(shape, epsilon, draws, (seed, place, number)) for number in range(sketches)]
            yield from (score(shape, name, epsilon, trials, method) for name, method in methods.items())


def emerging_table(
    sketches: int = SKETCHES, draws: int = DRAWS, seed: int = 0, methods: Mapping[str, Method] = ON_EMERGING
) -> Iterator[Score]:
    """Score where a theme of the tail has become as large as the fifth, which the auxiliary text does not know."""
    for epsilon in EPSILONS:
        trials = [_trial("cfpb", epsilon, draws, (seed, 99, number), emerges=True) for number in range(sketches)]
        yield from (score("cfpb", name, epsilon, trials, method) for name, method in methods.items())


def score(shape: str, name: str, epsilon: float, trials: list[Trial], method: Method) -> Score:
    """Compare a method's plans with the exact sketches."""
    parts = [_scores(trial, method(trial)) for trial in trials]
    overlap, loss, value_error, recall = (np.array(part) for part in zip(*parts, strict=True))
    found = None if trials[0].emerging is None else _figure(recall)
    return Score(shape, name, epsilon, _figure(overlap), _figure(loss), _figure(value_error), found)


def _scores(trial: Trial, plans: Plans) -> tuple[float, float, float, float]:
    best = np.argsort(-trial.sketch, kind="stable")[:SIZE]
    truth = trial.sketch[plans.positions]
    overlap = np.isin(plans.positions, best).mean()
    loss = trial.sketch[best].sum() - truth.sum(axis=1).mean()
    recall = (plans.positions == trial.emerging).any(axis=1).mean() if trial.emerging is not None else 0.0
    return float(overlap), float(loss), float(np.abs(plans.values - truth).mean()), float(recall)


def _trial(shape: str, epsilon: float, draws: int, seed: tuple[int, ...], *, emerges: bool = False) -> Trial:
    rng, auxiliary = seeded(*seed), AUXILIARY[shape]
    drifted = auxiliary * np.exp(DRIFT * rng.normal(size=len(auxiliary)))
    emerging = int(rng.integers(TAIL, len(auxiliary))) if emerges else None
    if emerging is not None:
        drifted[emerging] = np.sort(drifted)[::-1][BOOSTED]
    return Trial(_sketch(shares(drifted), rng), auxiliary, epsilon, draws, (*seed, round(1000 * epsilon)), emerging)


def _sketch(shares: Floats, rng: Generator) -> Floats:
    masses: Floats = np.sum([weight * rng.multinomial(RECORDS, shares) for weight in WEIGHTS], axis=0)
    return masses


def _figure(values: Floats) -> Figure:
    return Figure(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def score_lines(rows: Iterable[Score]) -> Iterator[str]:
    """Write scores with their standard errors."""
    yield from table_lines(_SCORES, map(_cells, rows), words=3)


def emerging_lines(rows: Iterable[Score]) -> Iterator[str]:
    """Write them with the recall of the theme that emerges."""
    yield from table_lines((*_SCORES, "recall of the theme"), map(_cells, rows), words=3)


def _cells(row: Score) -> tuple[str, ...]:
    figures = (row.overlap, row.loss, row.value_error, *([row.recall] if row.recall else []))
    return row.shape, f"{row.epsilon:g}", row.method, *map(str, figures)
