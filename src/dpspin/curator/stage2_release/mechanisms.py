"""The paper's three mechanisms: from an exact sketch to noisy ticks. Everything after this is post-processing."""

from dataclasses import dataclass
from typing import assert_never

from dpspin.boundary.calibration import gaussian_sigma, laplace_scale, selection_scale, split_loss
from dpspin.boundary.postprocess import require_fitting_size
from dpspin.boundary.privacy import Gaussian, Laplace, PrivacyLoss, PrivateTopL, require_fitting_loss
from dpspin.curator.stage2_release.noise import NoiseSource
from dpspin.curator.stage2_release.sketch import Sketch


@dataclass(frozen=True, slots=True)
class FullSketch:
    """Noisy ticks of every atom, in dictionary order, and of "none of these" where the map answers it."""

    ticks: tuple[int, ...]
    none: int | None


@dataclass(frozen=True, slots=True)
class SelectedValues:
    """Noisy ticks of the privately admitted atoms, in the order of admission, and of "none of these"."""

    positions: tuple[int, ...]
    ticks: tuple[int, ...]
    none: int | None


def perturb(
    sketch: Sketch, mechanism: Laplace | Gaussian | PrivateTopL, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> FullSketch | SelectedValues:
    """Apply the mechanism (theorems 1 and 2, proposition 1) with the sketch's own sensitivity.

    The theorems are about a vector of any length, so "none of these" is paid for like one more atom.
    """
    require_fitting_loss(mechanism, loss)
    require_fitting_size(size, sketch.origin.universe_size)
    match mechanism:
        case Laplace():
            return _laplace(sketch, loss, noise)
        case Gaussian():
            return _gaussian(sketch, loss, noise)
        case PrivateTopL():
            return _private_top_l(sketch, mechanism, loss, size, noise)
        case _:
            assert_never(mechanism)


def _laplace(sketch: Sketch, loss: PrivacyLoss, noise: NoiseSource) -> FullSketch:
    """Add Laplace(Δ1/eps) to all coordinates: (eps, 0)-DP (theorem 1)."""
    scale = laplace_scale(sketch.sensitivity.l1, loss.epsilon)
    return _full(noise.laplace(sketch.ticks, scale, sketch.sensitivity, loss.epsilon), sketch)


def _gaussian(sketch: Sketch, loss: PrivacyLoss, noise: NoiseSource) -> FullSketch:
    """Add Gaussian noise to all coordinates, calibrated analytically: (eps, delta)-DP (theorem 2)."""
    sigma = gaussian_sigma(sketch.sensitivity.l2, loss, len(sketch.ticks))
    return _full(noise.gaussian(sketch.ticks, sigma, sketch.sensitivity, loss), sketch)


def _full(noisy: list[int], sketch: Sketch) -> FullSketch:
    atoms = sketch.origin.universe_size
    return FullSketch(tuple(noisy[:atoms]), next(iter(noisy[atoms:]), None))


def _private_top_l(
    sketch: Sketch, mechanism: PrivateTopL, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> SelectedValues:
    """Admit L atoms by exponential-mechanism rounds, then measure only those: composition (proposition 1).

    Only atoms are admitted; "none of these" is measured with those that were. A restriction of the sketch has the
    sensitivity of the whole at most, so the selection over m and the L+1 values are paid for as m and L are.
    """
    atoms = sketch.origin.universe_size
    paid = split_loss(mechanism, loss)
    scale = selection_scale(sketch.sensitivity.coordinate, paid.selection, size)
    positions = noise.peel(sketch.ticks[:atoms], size, scale, sketch.sensitivity, paid.selection)
    measured = [*positions, *range(atoms, len(sketch.ticks))]
    sigma = gaussian_sigma(sketch.sensitivity.l2, paid.values, len(measured))
    values = noise.gaussian(sketch.ticks[measured], sigma, sketch.sensitivity, paid.values)
    return SelectedValues(tuple(positions), tuple(values[:size]), next(iter(values[size:]), None))
