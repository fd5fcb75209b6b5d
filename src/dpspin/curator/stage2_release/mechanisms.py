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
    """Noisy ticks of every atom, in dictionary order."""

    ticks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SelectedValues:
    """Noisy ticks of the privately admitted atoms, in the order of admission."""

    positions: tuple[int, ...]
    ticks: tuple[int, ...]


def perturb(
    sketch: Sketch, mechanism: Laplace | Gaussian | PrivateTopL, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> FullSketch | SelectedValues:
    """Apply the mechanism (theorems 1 and 2, proposition 1) with the sketch's own sensitivity."""
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
    return FullSketch(tuple(noise.laplace(sketch.ticks, scale, sketch.sensitivity, loss.epsilon)))


def _gaussian(sketch: Sketch, loss: PrivacyLoss, noise: NoiseSource) -> FullSketch:
    """Add Gaussian noise to all coordinates, calibrated analytically: (eps, delta)-DP (theorem 2)."""
    sigma = gaussian_sigma(sketch.sensitivity.l2, loss, len(sketch.ticks))
    return FullSketch(tuple(noise.gaussian(sketch.ticks, sigma, sketch.sensitivity, loss)))


def _private_top_l(
    sketch: Sketch, mechanism: PrivateTopL, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> SelectedValues:
    """Admit L atoms by exponential-mechanism rounds, then measure only those: composition (proposition 1).

    The restriction to the admitted atoms has the sensitivity of the whole sketch at most.
    """
    paid = split_loss(mechanism, loss)
    scale = selection_scale(sketch.sensitivity.coordinate, paid.selection, size)
    positions = noise.peel(sketch.ticks, size, scale, sketch.sensitivity, paid.selection)
    sigma = gaussian_sigma(sketch.sensitivity.l2, paid.values, size)
    values = noise.gaussian(sketch.ticks[positions], sigma, sketch.sensitivity, paid.values)
    return SelectedValues(tuple(positions), tuple(values))
