"""The only place where a release draws noise: OpenDP's exact integer samplers, seeded by the operating system."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from types import ModuleType
from typing import Final

import numpy as np
from scipy.special import expit

from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.phrases import PhraseTerms
from dpspin.boundary.privacy import PrivacyLoss, Randomness, Sensitivity
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import BoundViolation

AT_ONCE: Final = 100_000  # counts that are handed over together, so that memory holds few of them twice


class SecureNoise:
    """Noise for releases. It has no seed, and each draw checks its own privacy map against the budget first."""

    randomness: Randomness = "os-csprng"

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add exact discrete Laplace noise; OpenDP's map must confirm (epsilon, 0)-DP at this sensitivity."""
        dp = _opendp()
        measurement = dp.m.make_laplace(_integers(), dp.l1_distance(T="i64"), scale=scale)
        if not measurement.map(sensitivity.l1) <= epsilon:
            raise BoundViolation("the Laplace scale does not meet epsilon")
        return [int(value) for value in measurement(values.tolist())]

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add exact discrete Gaussian noise; the analytic curve must confirm (epsilon, delta)-DP, OpenDP's map zCDP."""
        dp = _opendp()
        measurement = dp.m.make_gaussian(_integers(), dp.l2_distance(T=float), scale=scale)
        if isinstance(cost, PrivacyLoss):
            fits = _gaussian_epsilon(scale / sensitivity.l2, cost.delta) <= cost.epsilon
        else:
            fits = measurement.map(sensitivity.l2) <= cost
        if not fits:
            raise BoundViolation("the Gaussian scale does not meet the privacy loss")
        return [int(value) for value in measurement(values.tolist())]

    def peel(self, scores: Ints, rounds: int, scale: float, price: Price) -> list[int]:
        """Run the peeled exponential mechanism (exact Gumbel top-k).

        OpenDP states this sampler's privacy as zCDP; the proof of pure DP is the paper's proposition 1.
        """
        dp = _opendp()
        if not price.covers(rounds, scale):
            raise BoundViolation("the selection scale does not meet its price")
        measurement = dp.m.make_noisy_top_k(
            _integers(), dp.linf_distance(T="i64"), dp.zero_concentrated_divergence(), k=rounds, scale=scale
        )
        picked = [int(position) for position in measurement(scores.tolist())]
        if len(set(picked)) != rounds:
            raise BoundViolation("the selection did not admit the stated number of distinct atoms")
        return picked

    def choose_set(self, scores: Ints, size: int, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Sample a set of the exponential mechanism over sets, exactly.

        Let each position be in or out by a coin of its own with odds e^{(score - level)/scale}, and try again until
        ``size`` are in. The law given that number is P(S) ∝ exp(Σ_S score/scale): the level cancels, so it may depend
        on the scores; it only decides how often one has to try. A coin is OpenDP's exponential mechanism on two scores.
        """
        if not sensitivity.of_sets(size) / scale <= epsilon:
            raise BoundViolation("the scale of the set does not meet epsilon")
        coin = _coin(scale)
        level = level_for(scores, size, scale)
        while True:
            inside = [place for place, score in enumerate(scores.tolist()) if coin([score, level]) == 0]
            if len(inside) == size:
                return inside

    def above_threshold(self, counts: Mapping[str, int], terms: PhraseTerms) -> dict[str, int]:
        """Add exact discrete Laplace noise to counts, and keep those above the threshold (`boundary.phrases`).

        OpenDP's map must confirm (epsilon, delta)-DP for k counts that move by one. It says of a threshold t what holds
        where only counts *above* t are shown, but its sampler shows those that equal t as well (opendp/opendp#2922,
        version 0.16.0): so these are left out here, and the law is the one that was proven.
        """
        dp, one_unit = _opendp(), (terms.per_unit, terms.per_unit, 1)  # how many counts, by how much in all, and each
        table = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T="i64"))
        distance = dp.l01inf_distance(dp.absolute_distance(T="i64"))
        measurement = dp.m.make_laplace_threshold(table, distance, scale=terms.scale, threshold=terms.threshold)
        epsilon, delta = measurement.map(one_unit)
        if not (epsilon <= terms.loss.epsilon and delta <= terms.loss.delta):
            raise BoundViolation("scale and threshold do not meet the privacy loss")
        drawn = (each for part in _parts(counts) for each in measurement(part).items())
        return {phrase: int(count) for phrase, count in drawn if count > terms.threshold}


def level_for(scores: Ints, size: int, scale: float) -> int:
    """Return the level at which the expected number of positions that beat it is about ``size``.

    >>> import numpy as np
    >>> level_for(np.array([50, 50, 0, 0]), 2, scale=10.0)
    25

    Scores are taken from the one that is last in, as exact integers: floats of large ones would be too coarse there.
    """
    last_in = int(np.sort(scores)[-size])
    from_it = (scores - last_in).astype(np.float64)
    reach = (math.log(len(scores)) + 40) * scale  # the level is that near to the last one in, or to the next one out
    low, high = float(from_it.min()) - reach, reach
    for _ in range(100):
        middle = (low + high) / 2
        expected = float(expit((from_it - middle) / scale).sum())
        low, high = (middle, high) if expected > size else (low, middle)
    return last_in + round((low + high) / 2)


def _parts(counts: Mapping[str, int]) -> Iterator[dict[str, int]]:
    each = iter(counts.items())
    while part := dict(islice(each, AT_ONCE)):
        yield part


@cache  # public parameters only
def _gaussian_epsilon(multiplier: float, delta: float) -> float:
    from dp_accounting import get_epsilon_gaussian  # noqa: PLC0415  slow to import

    with np.errstate(all="ignore"):  # its search passes infinities
        return float(get_epsilon_gaussian(multiplier, delta))


@lru_cache(maxsize=8)
def _coin(scale: float) -> Callable[[list[int]], int]:
    """Return the exponential mechanism on two scores: 0 where the first one wins."""
    dp = _opendp()
    return dp.m.make_noisy_max(  # type: ignore[no-any-return]
        _integers(), dp.linf_distance(T="i64"), dp.zero_concentrated_divergence(), scale=scale
    )


@cache
def _opendp() -> ModuleType:
    import opendp.prelude as dp  # noqa: PLC0415  a large library; only releases need it

    dp.enable_features("contrib")
    return dp  # type: ignore[no-any-return]


@cache
def _integers() -> object:
    dp = _opendp()
    return dp.vector_domain(dp.atom_domain(T="i64"))  # T=int would mean 32 bits
