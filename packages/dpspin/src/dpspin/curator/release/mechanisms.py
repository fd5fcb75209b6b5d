"""The mechanisms: from an exact sketch to noisy ticks. Everything after this is post-processing."""

from dataclasses import dataclass
from typing import assert_never

from dpspin.boundary.calibration import (
    gaussian_sigma,
    laplace_scale,
    loss_on_sample,
    selection_range,
    set_scale,
    split_loss,
    top_l_scales,
)
from dpspin.boundary.postprocess import require_fitting_size
from dpspin.boundary.privacy import (
    Accounting,
    AnyMechanism,
    Gaussian,
    Laplace,
    PrivacyLoss,
    PrivateTopL,
    SetSelection,
    require_fitting_loss,
)
from dpspin.curator.aggregate.sketch import Sketch
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.noise import NoiseSource, Price


@dataclass(frozen=True, slots=True)
class FullSketch:
    """Noisy ticks of every atom, in dictionary order, and of what is measured besides: none, and not read."""

    ticks: tuple[int, ...]
    beside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SelectedValues:
    """Noisy ticks of the privately admitted atoms, in the order of admission, and of what is measured besides."""

    positions: tuple[int, ...]
    ticks: tuple[int, ...]
    beside: tuple[int, ...]


def perturb(
    sketch: Sketch, mechanism: AnyMechanism, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> FullSketch | SelectedValues:
    """Apply the mechanism with the sketch's own sensitivity, and with what a random sample allows to spend on it.

    The theorems are about a vector of any length, so "none of these" and "not read" are paid for like more atoms.
    """
    require_fitting_loss(mechanism, loss)
    require_fitting_size(size, sketch.origin.universe_size)
    paid = loss_on_sample(loss, sketch.origin.sampling, sketch.sensitivity)
    match mechanism:
        case Laplace():
            return _laplace(sketch, paid, noise)
        case Gaussian():
            return _gaussian(sketch, paid, noise)
        case PrivateTopL():
            return _private_top_l(sketch, mechanism, paid, size, noise)
        case SetSelection():
            return _set_selection(sketch, mechanism, paid, size, noise)
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
    return FullSketch(tuple(noisy[:atoms]), tuple(noisy[atoms:]))


def _private_top_l(
    sketch: Sketch, mechanism: PrivateTopL, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> SelectedValues:
    """Admit L atoms by exponential-mechanism rounds, then measure only those: composition (proposition 1).

    Only atoms are admitted; "none of these" and "not read" are measured with those that were. A restriction of the
    sketch has the sensitivity of the whole at most, so the selection over m and the values beside L are paid for alike.
    """
    reach = selection_range(sketch.sensitivity, monotone=mechanism.monotone)
    values = size + sketch.origin.contribution_map.besides
    scales = top_l_scales(mechanism, loss, sketch.sensitivity, rounds=size, values=values)
    match mechanism.accounting:
        case Accounting.BASIC:
            price = Price(reach, epsilon=scales.selection_cost)
        case Accounting.ZCDP:
            price = Price(reach, rho=scales.selection_cost)
        case _:
            assert_never(mechanism.accounting)
    positions = noise.peel(_atoms(sketch), size, scales.selection, price)
    chosen = sketch.ticks[_measured(sketch, positions)]
    return _selected(positions, noise.gaussian(chosen, scales.sigma, sketch.sensitivity, scales.value_cost))


def _set_selection(
    sketch: Sketch, mechanism: SetSelection, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> SelectedValues:
    """Admit a set of L atoms by one draw of set-EM, then measure those with Laplace noise: (eps, 0)-DP."""
    paid = split_loss(mechanism, loss)
    scale = set_scale(sketch.sensitivity, paid.selection, size)
    positions = noise.choose_set(_atoms(sketch), size, scale, sketch.sensitivity, paid.selection)
    chosen = sketch.ticks[_measured(sketch, positions)]
    of_values = laplace_scale(sketch.sensitivity.l1, paid.values.epsilon)
    return _selected(positions, noise.laplace(chosen, of_values, sketch.sensitivity, paid.values.epsilon))


def _atoms(sketch: Sketch) -> Ints:
    return sketch.ticks[: sketch.origin.universe_size]


def _measured(sketch: Sketch, positions: list[int]) -> list[int]:
    """Return the coordinates that are measured: the admitted atoms and all that is no atom."""
    return [*positions, *range(sketch.origin.universe_size, len(sketch.ticks))]


def _selected(positions: list[int], values: list[int]) -> SelectedValues:
    size = len(positions)
    return SelectedValues(tuple(positions), tuple(values[:size]), tuple(values[size:]))
