"""Estimates beside the released masses: at no cost to privacy, never certified, slow to import, needed by few plans.

``best_guess`` is empirical Bayes: noisy masses shrunk towards public auxiliary shares. The prior says that an atom's
mass is near its auxiliary share, or else anywhere; how far it is believed is read off the noisy masses themselves.

``quantify`` says what the true shares would be, given how the map confuses atoms on labelled text. A map leans towards
what it was taught; undoing the confusion on held-out text lets the shares follow a change. The price is variance, so
the raw masses stay beside it, and the intervals are wider.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from dpspin.boundary.baseline import Baseline, BestGuess, spoken_of
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.report_card import QuantifiedShare, ReportCard

Floats = NDArray[np.float64]

SHAPES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)  # kappa: how closely masses follow the auxiliary shares
DOUBTS = (0.02, 0.1, 0.3, 1.0)  # w: the part of the atoms of which the auxiliary text says nothing
DIFFUSE_SHAPE = 0.3  # the prior of those: most have little mass, a few have much
FIRST = 1e-3  # the grid of masses starts here, in units of the noise; what the prior has below is one lump
FROM_ZERO, AROUND = 256, 301  # points spaced by ratio, to resolve the prior; points about the noisy mass
REACH = 40.0  # in units of the noise: beyond it neither noise distribution matters
FALSE_NOVELTY = 0.2  # how often noise alone may take the slot of an emerging theme


def posterior_means(noisy: Sequence[float], noise: AnyNoise, shares: Sequence[float], total: float) -> list[float]:
    """Return the posterior mean of every mass, given all noisy masses of a full sketch.

    Prior: C_j ~ (1-w)·Gamma(kappa, mean N·p_j) + w·Gamma(0.3, mean N/m), independent, with N = ``total`` and p =
    ``shares``, both public. The pair (kappa, w) has the largest marginal likelihood of the m noisy masses. Where the
    shares are useless, w = 1 wins and the masses keep their raw order.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> noise = LaplaceNoise(scale=10.0)
    >>> [round(mean) for mean in posterior_means([130.0, 35.0, 22.0, -9.0], noise, [0.6, 0.2, 0.15, 0.05], 200.0)]
    [126, 38, 29, 10]
    """
    observed = np.asarray(noisy, np.float64)
    near = total * np.asarray(shares, np.float64)
    anywhere = np.full(len(observed), total / len(observed))
    seen = _seen(observed, noise, largest=max(near.max(), anywhere[0]))
    diffuse = _explained(seen, anywhere, DIFFUSE_SHAPE)
    informed = (_explained(seen, near, shape) for shape in SHAPES)
    mixtures = [_mixture(explained, diffuse, doubt) for explained in informed for doubt in DOUBTS]
    means: list[float] = max(mixtures, key=lambda mixture: float(mixture.log_evidence.sum())).means.tolist()
    return means


@dataclass(frozen=True, slots=True)
class DenoisedTop:
    """The positions of a denoised plan; ``novelty`` is the last of them where the slot was taken."""

    positions: tuple[int, ...]
    novelty: int | None = None


def denoised_top(
    posterior: Sequence[float], noisy: Sequence[float], expected: Sequence[float], size: int, limit: float
) -> DenoisedTop:
    """Return the largest posterior means; the last gives way to an emerging theme that stands clear of the noise.

    A theme that the auxiliary text does not know is shrunk away. Yet a slot kept for the best raw theme in every plan
    is filled with noise in most. So a newcomer must exceed by more than ``limit`` what is ``expected`` of it from
    the auxiliary shares, and have a larger noisy mass than the theme whose place it takes. It never takes the whole
    plan. Measured by ``dpspin lab mechanisms``. Of equal values the lowest position wins.

    >>> denoised_top([9.0, 8.0, 7.0, 1.0], [9.0, 8.0, 5.0, 7.0], [9.0, 8.0, 7.0, 0.0], size=3, limit=6.0)
    DenoisedTop(positions=(0, 1, 3), novelty=3)
    """
    chosen = _largest(posterior, range(len(noisy)), size)
    clear = [place for place in range(len(noisy)) if noisy[place] - expected[place] > limit and place not in chosen]
    newcomers = [place for place in clear if noisy[place] > noisy[chosen[-1]]]
    if size == 1 or not newcomers:
        return DenoisedTop(tuple(chosen))
    novelty = _largest(noisy, newcomers, 1)[0]
    return DenoisedTop((*chosen[:-1], novelty), novelty)


def novelty_limit(noise: AnyNoise, atoms: int) -> float:
    """Return the excess beyond which a theme counts as new; noise alone takes some atom there in one plan of five.

    It is not a plan's beta because nothing is certified here. At 0.05 the slot finds few of the emerging themes that a
    plan without it misses; at 0.3 it costs .01 of the overlap with 200 atoms where nothing is new.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(novelty_limit(LaplaceNoise(scale=1.0), atoms=200), 1)
    6.1
    """
    return noise.upper_quantile(-math.expm1(math.log1p(-FALSE_NOVELTY) / atoms))


def _largest(values: Sequence[float], positions: Sequence[int], count: int) -> list[int]:
    return sorted(positions, key=lambda position: (-values[position], position))[:count]


@dataclass(frozen=True, slots=True)
class _Seen:
    """Possible masses of each atom, one row per atom, and how likely its noisy mass is under each of them."""

    masses: Floats
    weights: Floats  # of the trapezoidal rule in log mass, where a gamma density has no pole
    log_noise: Floats
    log_noise_at_zero: Floats


@dataclass(frozen=True, slots=True)
class _Explained:
    """How likely each noisy mass is under a prior, and the posterior mean of the mass behind it."""

    log_evidence: Floats
    means: Floats


def _seen(observed: Floats, noise: AnyNoise, largest: float) -> _Seen:
    masses = _grid(observed, noise.width, largest)
    logs = np.log(masses)
    gaps = np.diff(logs, axis=1, prepend=logs[:, :1], append=logs[:, -1:])
    weights = (gaps[:, 1:] + gaps[:, :-1]) / 2
    return _Seen(masses, weights, noise.log_density(observed[:, None] - masses), noise.log_density(observed))


def _grid(observed: Floats, unit: float, largest: float) -> Floats:
    first, last = FIRST * unit, max(float(observed.max()), largest) + REACH * unit
    by_ratio = np.broadcast_to(np.geomspace(first, last, FROM_ZERO), (len(observed), FROM_ZERO))
    far = math.asinh(2 * (last - min(0.0, float(observed.min()))) / unit)
    about = observed[:, None] + unit * np.sinh(far * np.linspace(-1, 1, AROUND)) / 2
    return np.sort(np.concatenate([by_ratio, np.clip(about, first, last)], axis=1), axis=1)


def _explained(seen: _Seen, expected: Floats, shape: float) -> _Explained:
    """Integrate gamma prior times noise over the grid, and over the lump that the prior has below it."""
    first = seen.masses[:, 0]
    mean = np.maximum(expected, FIRST * first)[:, None]  # a share of zero is a prior at zero
    ratio = seen.masses / mean
    log_prior = shape * (np.log(shape * ratio) - ratio) - math.lgamma(shape)
    logs = log_prior + seen.log_noise
    lump = gammainc(shape, shape * first / mean[:, 0])
    log_lump = np.log(np.maximum(lump, np.finfo(np.float64).tiny)) + seen.log_noise_at_zero
    peak = np.maximum(logs.max(axis=1), log_lump)
    parts, below = np.exp(logs - peak[:, None]) * seen.weights, np.exp(log_lump - peak)
    evidence = parts.sum(axis=1) + below
    moment = (parts * seen.masses).sum(axis=1) + below * np.minimum(mean[:, 0], first / 2)
    return _Explained(peak + np.log(evidence), moment / evidence)


def _mixture(informed: _Explained, diffuse: _Explained, doubt: float) -> _Explained:
    trusted = np.log1p(-doubt) if doubt < 1 else -np.inf
    log_informed = informed.log_evidence + trusted
    log_evidence = np.logaddexp(log_informed, diffuse.log_evidence + math.log(doubt))
    part = np.exp(log_informed - log_evidence)
    return _Explained(log_evidence, part * informed.means + (1 - part) * diffuse.means)


def best_guess(  # noqa: PLR0917  a pure function of a plan's parts
    masses: Sequence[float],
    none: float | None,
    noise: AnyNoise,
    baseline: Baseline,
    labels: Sequence[str],
    size: int,
) -> tuple[BestGuess, ...]:
    """Return the themes with the largest posterior means, the baseline as prior, and room for a novelty.

    Empirical Bayes as in ``posterior_means``, with the free total for N. The last place is for an emerging theme,
    which the prior would shrink away, where one stands clear of the noise.
    """
    known = spoken_of(masses, none, baseline)
    total = max(1.0, math.fsum(known))
    means = posterior_means(known, noise, baseline.values, total)[: len(masses)]
    expected = [total * public.share for public in baseline.shares]
    listed = denoised_top(means, masses, expected, size, novelty_limit(noise, len(masses)))
    return tuple(
        BestGuess(
            atom_id=baseline.shares[place].atom_id,
            label=labels[place],
            mass=means[place],
            share=means[place] / total,
            novelty=place == listed.novelty,
        )
        for place in listed.positions
    )


ROUNDS = 30  # more rounds undo more confusion, and amplify more noise
TRUSTED_AFTER = 10.0  # held-out texts of a class after which its row of the confusion is believed by half


def quantify(
    masses: Sequence[float], uncovered: float, card: ReportCard, *, noise_std: float, beta: float, bound: float = 1.0
) -> tuple[QuantifiedShare, ...]:
    """Estimate the true shares of all atoms from noisy masses (iterated Bayes unfolding, from the raw shares).

    The intervals cover, together and approximately, the noise, the chance of which records were written, and the
    uncertainty of the confusion itself; not a map whose confusion is another one on the records than on the card.
    """
    observed = np.maximum([*masses, uncovered], 0.0)
    total = observed.sum()
    if total <= 0:
        return ()
    observed /= total
    confusion, texts = np.array(card.confusion), _texts(card)
    shares = unfold(observed, confusion, texts)
    spread = _spread(observed, shares, confusion, texts, noise=noise_std / total, units=total / max(1.0, bound))
    reach = NormalDist().inv_cdf(1 - beta / (2 * len(observed))) * spread
    return tuple(
        QuantifiedShare(
            atom_id=atom.atom_id,
            share=_rounded(share),
            low=_rounded(max(0.0, share - width)),
            high=_rounded(min(1.0, share + width)),
        )
        for atom, share, width in zip(card.atoms, shares, reach, strict=False)  # the last class is none of these
    )


def unfold(observed: Floats, confusion: Floats, texts: Floats) -> Floats:
    """Return the shares whose confused image is nearest to what was observed.

    Each round is one step of expectation-maximisation; a class that the card knows from few texts moves slowly.

    >>> unfold(np.array([0.6, 0.4]), np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([1e6, 1e6])).round(3)
    array([0.5, 0.5])
    """
    shares, pace = observed.copy(), texts / (texts + TRUSTED_AFTER)
    for _ in range(ROUNDS):
        image = shares @ confusion
        step = shares * (confusion @ (observed / np.maximum(image, 1e-12)))
        shares = pace * step + (1 - pace) * shares
        shares /= shares.sum()
    return shares


def _spread(
    observed: Floats, shares: Floats, confusion: Floats, texts: Floats, *, noise: float, units: float
) -> Floats:
    """Return the standard deviation of each estimated share, to first order."""
    slope = _slope(observed, confusion, texts)
    of_observed = noise**2 + observed * (1 - observed) / units
    known = texts[:, None]
    believed = (known * confusion + 1 / len(texts)) / (known + 1)  # a cell of zero from one text is not certain
    of_confusion = (shares[:, None] ** 2 * believed * (1 - believed) / (known + 2)).sum(axis=0)
    spread: Floats = np.sqrt(slope**2 @ (of_observed + of_confusion))
    return spread


def _slope(observed: Floats, confusion: Floats, texts: Floats) -> Floats:
    """Return how each estimated share moves with each observed one (by differences)."""
    step = 1e-4
    moved = [unfold((observed + step * unit) / (1 + step), confusion, texts) for unit in np.eye(len(observed))]
    slope: Floats = (np.array(moved).T - unfold(observed, confusion, texts)[:, None]) / step
    return slope


def _texts(card: ReportCard) -> Floats:
    return np.array(card.shares_in_truth) * card.texts


def _rounded(value: float) -> float:
    return min(1.0, max(0.0, round(float(value), 6)))
