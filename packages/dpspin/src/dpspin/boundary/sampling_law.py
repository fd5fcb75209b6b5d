"""How far a grounded mass may lie off: by the noise on the sketch, by the noise on the sample, by who was drawn.

The first two are exact laws. The last has variance Σ (y - x)²·(1-q)/q and is taken as normal: an approximation, whose
coverage against labels is measured (`dpspin lab grounding`) and not proven. All of it in units of mass.
"""

import math
from functools import lru_cache
from typing import Final

from dpspin.boundary.certify import BELOW_SHARE
from dpspin.boundary.denominator import PART_OF_BETA
from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.noise_laws import AnyNoise, GaussianNoise, LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivacyLoss, Sensitivity, sensitivity_of
from dpspin.boundary.statement import PrivacyStatement

FEWEST_SQUARES: Final = 5.0  # in the sample: where fewer are seen, there might still be so many (`lab grounding`)
BESIDES: Final = 1  # "none of these" is always told beside what is listed
ALIKE: Final = 1e-4  # two scales this near are told apart by this much, where a formula divides by their difference
NEXT_TO_NOTHING: Final = 1e-9  # a normal part this narrow, in units of the noise, is none
STEPS, PRECISION = 60, 1e-9  # of the search for a quantile; ten steps are usual
DEALT_OUT: Final = 0.5  # Σ (y - x)² as a part of Σ |y - x|, for maps that deal a record's mass out (`lab grounding`)


class SamplingLaw:
    """The laws of one release: ``coordinates`` were measured, ``size`` themes are listed and "none of these" told.

    Below, a value may stand in the list because chance lifted it, so all coordinates share the error; above, those that
    are told.
    """

    def __init__(
        self,
        loss: PrivacyLoss,
        grounding: Grounding,
        sensitivity: Sensitivity,
        of_sketch: AnyNoise,
        *,
        coordinates: int,
        size: int,
        beta: float,
    ) -> None:
        noise = sample_noise(loss, grounding, sensitivity)
        self.rate, self.beta, self.of_sketch = grounding.rate, beta, of_sketch
        self._most, self._coordinate = sensitivity.l1 / TICKS_PER_MASS, sensitivity.coordinate / TICKS_PER_MASS
        self._of_corrections, self._of_moved = (
            each.scale / TICKS_PER_MASS / self.rate for each in (noise.corrections, noise.moved)
        )
        self._below = BELOW_SHARE * beta / coordinates
        self._above = (1 - BELOW_SHARE) * beta / (size + BESIDES)

    @classmethod
    def of(cls, statement: PrivacyStatement, *, coordinates: int, size: int, beta: float) -> "SamplingLaw":
        """Return the laws of a release that was stated."""
        if statement.grounding is None:
            raise ValueError("no sample was read for this release")
        sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
        read = (statement.loss, statement.grounding, sensitivity, statement.noise)
        return cls(*read, coordinates=coordinates, size=size, beta=beta)

    def drawn_std(self, squares: float) -> float:
        """Return the standard deviation that the draw of the sample gives, from an estimate of Σ (y - x)²/c."""
        at_least = max(squares, FEWEST_SQUARES * self._coordinate / self.rate)
        return math.sqrt(self._coordinate * at_least * (1 - self.rate) / self.rate)

    def std(self, drawn: float) -> float:
        """Return the standard deviation of a grounded mass, given that of the draw."""
        return math.hypot(drawn, math.sqrt(2) * self._of_corrections, self.of_sketch.std)

    def reach(self, drawn: float) -> tuple[float, float]:
        """Return how far below and how far above its value a mass may lie, given the standard deviation of the draw."""
        return self._quantile(drawn, self._below), self._quantile(drawn, self._above)

    def _quantile(self, drawn: float, tail: float) -> float:
        if isinstance(self.of_sketch, GaussianNoise):
            return upper_quantile(math.hypot(drawn, self.of_sketch.std), self._of_corrections, 0.0, tail)
        return upper_quantile(drawn, self._of_corrections, self.of_sketch.scale, tail)

    def moved_reach(self, whole: float) -> float:
        """Return how far off the moved mass may lie, where all mass is at most ``whole``.

        Of a unit no more than half its mass is summed, so the variance is at most a quarter of D times all mass.
        """
        drawn = math.sqrt(self._most * whole / 4 * (1 - self.rate) / self.rate)
        return upper_quantile(drawn, self._of_moved, 0.0, (1 - PART_OF_BETA) * self.beta / 2)

    def half_width(self, mass: float, squares: float) -> float:
        """Forecast half the length of the interval of such a mass, from Σ (y - x)²/c; no interval goes below zero."""
        below, above = self.reach(self.drawn_std(squares))
        return (min(mass, below) + above) / 2


def expected_squares(mass: float, agreement: float) -> float:
    """Guess Σ (y - x)² of a theme: what the reader gave it and the map did not, and as much the other way round."""
    return DEALT_OUT * 2 * mass * (1 - agreement)


def upper_quantile(std: float, scale: float, other: float, tail: float) -> float:
    """Return t with P(N + Z + Z' > t) = tail for normal N and Laplace Z, Z'; a scale may be zero.

    The logarithm of the tail is smooth and concave, so that secants find t in a few steps.

    >>> round(upper_quantile(1.0, 1e-9, 0.0, 0.025), 3), round(upper_quantile(1e-9, 1.0, 0.0, 0.025), 3)
    (1.96, 2.996)
    """

    def excess(distance: float) -> float:
        return math.log(upper_tail(std, scale, other, distance) / tail)

    whole = math.hypot(std, math.sqrt(2) * scale, math.sqrt(2) * other)
    far, near = 2.0 * whole, whole
    for _ in range(STEPS):
        slope = (excess(far) - excess(near)) / (far - near)
        far, near = far - excess(far) / slope, far
        if abs(far - near) <= PRECISION * whole:
            break
    return far


def upper_tail(std: float, scale: float, other: float, distance: float) -> float:
    """Return P(N + Z + Z' > t): by partial fractions Z + Z' is b²/(b² - b'²) of Z less b'²/(b² - b'²) of Z'.

    >>> round(upper_tail(1e-9, 1.0, 1.0, 2.0), 4), round(upper_tail(1.0, 1.0, 0.0, 2.0), 4)
    (0.1353, 0.1084)
    """
    if other == 0:
        return normal_laplace_tail(std, scale, distance)
    if abs(scale - other) < ALIKE * scale:
        other = scale * (1 - ALIKE)
    of_one, of_other = (each * each * normal_laplace_tail(std, each, distance) for each in (scale, other))
    return (of_one - of_other) / (scale * scale - other * other)


def normal_laplace_tail(std: float, scale: float, distance: float) -> float:
    """Return P(N + Z > t) = Phi(-t/s) + (e^(s²/2b² - t/b)·Phi(t/s - s/b) - e^(s²/2b² + t/b)·Phi(-t/s - s/b))/2.

    >>> round(normal_laplace_tail(1.0, 1.0, 2.0), 4)
    0.1084
    """
    if std > 25 * scale:  # the exponentials would overflow, and the noise is next to nothing
        return _beyond(distance / math.hypot(std, math.sqrt(2) * scale))
    far, ratio = distance / std, std / scale
    lift = ratio * ratio / 2
    right = math.exp(lift - distance / scale) * _beyond(ratio - far)
    left = math.exp(min(700.0, lift + distance / scale)) * _beyond(far + ratio)
    return _beyond(far) + (right - left) / 2


def _beyond(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2


@lru_cache(maxsize=512)  # of public parameters only; a simulation asks for the same ones
def reach_of_difference(one: AnyNoise, other: AnyNoise, tail: float) -> float:
    """Return t with P(Z' - Z > t) <= tail for independent noises of any two laws; both are symmetric.

    Scales that are next to equal are taken as a little larger, where a formula divides by their difference.

    >>> equal, wide = LaplaceNoise(scale=1.0), LaplaceNoise(scale=4.0)
    >>> round(reach_of_difference(equal, equal, 0.025), 3), round(equal.difference_quantile(0.05), 3)
    (4.113, 4.113)
    >>> round(reach_of_difference(equal, wide, 0.025), 2), round(wide.upper_quantile(0.025), 2)
    (12.24, 11.98)
    """
    noises = (one, other)
    std = math.hypot(*(noise.sigma for noise in noises if isinstance(noise, GaussianNoise)))
    scales = sorted((noise.scale for noise in noises if isinstance(noise, LaplaceNoise)), reverse=True)
    if not scales:
        return GaussianNoise(sigma=std).upper_quantile(tail)
    wide, narrow = scales[0], scales[1] if len(scales) > 1 else 0.0
    if wide - narrow < ALIKE * wide:
        wide *= 1 + ALIKE
    return upper_quantile(max(std, NEXT_TO_NOTHING * wide), wide, narrow, tail)
