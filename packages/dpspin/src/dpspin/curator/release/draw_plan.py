"""Algorithm 2, the one gate: an exact sketch goes in, a differentially private plan comes out."""

from dataclasses import replace

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.calibration import loss_on_sample, rate_of
from dpspin.boundary.certify import require_fitting_size
from dpspin.boundary.denominator import ONE_UNIT, CountShare, count_scale, loss_of_themes, split_for_count
from dpspin.boundary.grounded_shares import NoisyReadings
from dpspin.boundary.grounding import Grounding, SumNoise, loss_of_sketch, require_groundable, sample_noise
from dpspin.boundary.mechanisms import AnyMechanism, Laplace, Mechanism, noise_of
from dpspin.boundary.mechanisms.base import ReleaseMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.planner import WIDEST, Auto, planned, require_drawable, within_floats
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import EVERYONE, MASS, TICKS_PER_MASS, Everyone, PrivacyLoss, Randomness
from dpspin.boundary.read_plan import ReaderChoices, read_noise, reread, rules_of
from dpspin.boundary.series import SeriesPlace, SeriesStep, SeriesTerms, loss_beside_fading, require_in_series
from dpspin.boundary.software import SOFTWARE
from dpspin.boundary.statement import PrivacyStatement
from dpspin.boundary.views import (
    NoisyColumn,
    NoisyView,
    View,
    loss_beside_views,
    loss_of_view,
    noise_of_view,
    require_viewable,
)
from dpspin.curator.aggregate.read_sample import SampleSums
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.errors import BoundViolation, RequestError


class ReleaseSpec(ReaderChoices):
    """What is asked of Stage II: what it may cost, how noise is added, and how the numbers are read. All public."""

    loss: PrivacyLoss
    mechanism: Mechanism = Laplace()
    grounding: Grounding | None = None  # a secret sample is read, and part of the loss pays for it
    views: tuple[View, ...] = ()  # one for each facet that is measured, and what part of the loss pays for it
    series: SeriesStep | None = None  # then the loss is that of a whole life, and a part of it pays for what is wanted

    @property
    def loss_of_sketch(self) -> PrivacyLoss:
        """What the sketch may cost, and a count that is bought with it."""
        beside = loss_beside_fading(loss_beside_views(self.loss, self.views), self.terms)
        return loss_of_sketch(beside, self.grounding)

    @property
    def terms(self) -> SeriesTerms | None:
        """The terms of the series, where this is a period of one."""
        return None if self.series is None else self.series.terms


def statement_of(origin: SketchOrigin, spec: ReleaseSpec, randomness: Randomness) -> PrivacyStatement:
    """State the guarantee of a release before it happens; refuse a request whose parts do not fit together."""
    with within_floats():
        _require_groundable(origin, spec)
        _require_viewable(origin, spec)
        _require_of_a_life(origin, spec)
        statement = _calibrated(origin, spec, randomness)
        rules_of(statement, spec, origin.universe_size)  # so that nothing can fail once the charge is made
    return statement


def _require_groundable(origin: SketchOrigin, spec: ReleaseSpec) -> None:
    """Refuse to ground a release for which there is no proof."""
    if spec.grounding is None:
        return
    require_groundable(origin.adjacency, origin.sampling, spec.mechanism.kind if spec.mechanism.selects else None)
    noise = sample_noise(spec.loss, spec.grounding, origin.sensitivity)
    if not max(noise.corrections.scale, noise.squares.scale) <= WIDEST:
        raise RequestError("the noise on what is read would be wider than any sketch: raise epsilon, or read more")


def _require_viewable(origin: SketchOrigin, spec: ReleaseSpec) -> None:
    """Refuse views for which there is no proof, or that are not of what is measured."""
    if origin.facets != tuple(view.facet for view in spec.views):
        raise BoundViolation("each view is of a facet that was measured, and is paid for")
    selecting = spec.mechanism.kind if spec.mechanism.selects else None
    everyone, reads = isinstance(origin.sampling, Everyone), spec.grounding is not None
    require_viewable(origin.facets, selecting=selecting, everyone=everyone, reads=reads)
    for view in spec.views:
        if not noise_of_view(spec.mechanism, spec.loss, origin.sensitivity, view).width * TICKS_PER_MASS <= WIDEST:
            raise RequestError("the noise on a view would be wider than any sketch: raise epsilon, or its share")


def _require_of_a_life(origin: SketchOrigin, spec: ReleaseSpec) -> None:
    """Refuse a period of a series for which there is no proof."""
    if spec.series is None:
        return
    beside = bool(spec.views) or spec.grounding is not None or isinstance(spec.denominator, CountShare)
    plain = origin.quantity == MASS and origin.sampling == EVERYONE and not beside
    require_in_series(spec.series, origin.unit, origin.adjacency, spec.mechanism.kind, plain=plain)
    if not spec.series.terms.fading.scale <= WIDEST:
        raise RequestError("the noise on what is wanted would be wider than any sketch: raise epsilon")


def _calibrated(origin: SketchOrigin, spec: ReleaseSpec, randomness: Randomness) -> PrivacyStatement:
    return PrivacyStatement(
        unit=origin.unit,
        adjacency=origin.adjacency,
        loss=spec.loss,
        mechanism=spec.mechanism,
        noise=noise_of(
            spec.mechanism,
            loss_of_themes(spec.loss_of_sketch, spec.denominator),
            origin.sensitivity,
            atoms=origin.universe_size,
            size=spec.size,
            besides=origin.contribution_map.besides,
            sampling=origin.sampling,
        ),
        randomness=randomness,
        contribution_map=origin.contribution_map,
        separation=origin.separation,
        quantity=origin.quantity,
        sampling=origin.sampling,
        grounding=spec.grounding,
        views=spec.views,
        series=spec.terms,
    )


def release_plan(
    sketch: Sketch, universe: AtomUniverse, spec: ReleaseSpec, noise: NoiseSource, sample: SampleSums | None = None
) -> SemanticPlan:
    """Perturb the sketch, and what was read of a sample, and dress the noisy numbers as a plan."""
    if sketch.origin.universe_digest != universe.digest:
        raise RequestError("the sketch was made with another dictionary")
    statement = statement_of(sketch.origin, spec, noise.randomness)
    noisy = perturb(sketch, spec.mechanism, loss_of_themes(spec.loss_of_sketch, spec.denominator), spec.size, noise)
    count = _noisy_count(sketch, spec, noise)
    masses = _in_mass(noisy, count, sketch.origin)
    if (sample is None) != (spec.grounding is None):
        raise BoundViolation("a sample is read where it is paid for, and only there")
    if sample is not None:
        masses = replace(masses, readings=noisy_readings(sample, spec, sketch.origin, noise))
    masses = replace(masses, views=noisy_views(sketch, spec, noise), series=placed_in_series(sketch, spec, noise))
    return read_noise(masses, statement, universe, spec, software=SOFTWARE)


def dry_run(origin: SketchOrigin, universe: AtomUniverse, spec: ReleaseSpec) -> None:
    """Do all that a release does, on a sketch of nobody: draw, dress as a plan, write, read again; keep nothing.

    So whatever public parameters make impossible fails before it is charged. It depends on these alone, and nothing of
    it is shown: it costs no privacy. The real draw has the same shape and the same scales, and those fit 64 bits around
    any sketch: so it cannot fail where this did not.
    """
    with within_floats():
        require_drawable(
            spec.mechanism,
            spec.loss_of_sketch,
            spec.denominator,
            origin.sensitivity,
            size=spec.size,
            coordinates=origin.coordinates,
            besides=origin.contribution_map.besides,
            sampling=origin.sampling,
        )
    totals, *views = (np.zeros(marginal.size, np.int64) for marginal in origin.marginals)
    nobody = Sketch(totals, origin, units=0, views=tuple(views), wanted=None if spec.series is None else 0)
    nobody_read = None if spec.grounding is None else SampleSums.of_nobody(origin)
    try:
        plan = release_plan(nobody, universe, spec, SecureNoise(), nobody_read)
        reread(SemanticPlan.from_json(plan.to_json()), universe, spec)
    except RequestError:
        raise
    except Exception as failure:  # of a library, or of our own check on it: whatever it is, it comes before the charge
        raise RequestError(
            "these parameters were rehearsed on an empty collection, and no release came of it: epsilon, delta or a "
            "fraction of them is too extreme for this mechanism. Choose it nearer to 1; nothing was charged"
        ) from failure


def perturb(
    sketch: Sketch, mechanism: ReleaseMechanism, loss: PrivacyLoss, size: int, noise: NoiseSource
) -> NoisyTicks:
    """Apply the mechanism with the sketch's own sensitivity, and with what a random sample allows to spend on it.

    The theorems are about a vector of any length, so "none of these" and "not read" are paid for like more atoms.
    """
    origin = sketch.origin
    mechanism.require_fitting_loss(loss)
    require_fitting_size(size, origin.universe_size)
    paid = loss_on_sample(loss, origin.sampling, sketch.sensitivity)
    besides = origin.contribution_map.besides
    return mechanism.draw(sketch.ticks, Task(paid, sketch.sensitivity, origin.universe_size, size, besides), noise)


def _noisy_count(sketch: Sketch, spec: ReleaseSpec, noise: NoiseSource) -> int | None:
    """Add Laplace(1/eps_c) on integers to the number of units, where that is bought: (eps_c, 0)-DP (theorem 1).

    Under add/drop one unit changes the number by one. With the themes, at the rest of epsilon, this is sequential
    composition; the charge is for both.
    """
    if not isinstance(spec.denominator, CountShare):
        return None
    if sketch.units is None:
        raise BoundViolation("this sketch was made without counting its units")
    epsilon = split_for_count(spec.loss_of_sketch, spec.denominator.share).count
    [noisy] = noise.laplace(np.array([sketch.units], np.int64), count_scale(epsilon), ONE_UNIT, epsilon)
    return noisy


def noisy_views(sketch: Sketch, spec: ReleaseSpec, noise: NoiseSource) -> tuple[NoisyView, ...]:
    """Add noise to every measured cell of each view: the theorem of views (`boundary.views`)."""
    return tuple(
        _noisy_view(cells, view, sketch, spec, noise) for cells, view in zip(sketch.views, spec.views, strict=True)
    )


def _noisy_view(cells: Ints, view: View, sketch: Sketch, spec: ReleaseSpec, noise: NoiseSource) -> NoisyView:
    places = len(view.facet.places)
    measured = cells.reshape(-1, places)[view.facet.measured(sketch.origin.universe_size)].ravel()
    task = Task(loss_of_view(spec.loss, view), sketch.sensitivity, len(measured), size=1)
    ticks = np.array(spec.mechanism.draw(measured, task, noise).ticks, object).reshape(-1, places)
    columns = (
        NoisyColumn(value=value, noisy_masses=tuple(each / TICKS_PER_MASS for each in ticks[:, place]))
        for place, value in enumerate(view.facet.places)
    )
    law = noise_of_view(spec.mechanism, spec.loss, sketch.sensitivity, view)
    return NoisyView(noise=law, columns=tuple(columns))


def placed_in_series(sketch: Sketch, spec: ReleaseSpec, noise: NoiseSource) -> SeriesPlace | None:
    """Add noise to what was wanted in a period: the theorem of fading (`boundary.series`)."""
    if (sketch.wanted is None) != (spec.series is None):
        raise BoundViolation("what was wanted is counted in a series, and only there")
    if sketch.wanted is None or spec.series is None:
        return None
    law = spec.series.terms.fading
    [noisy] = noise.laplace(np.array([sketch.wanted], np.int64), law.scale, law.sensitivity, law.epsilon)
    wanted = {"wanted": noisy / TICKS_PER_MASS, "wanted_noise": spec.series.terms.wanted_noise}
    return SeriesPlace(**dict(spec.series), **wanted)


def noisy_readings(sample: SampleSums, spec: ReleaseSpec, origin: SketchOrigin, noise: NoiseSource) -> NoisyReadings:
    """Add noise to the three sums over a sample: the theorem of grounding (`boundary.grounding`)."""
    assert spec.grounding is not None  # noqa: S101  the caller asked
    calibrated = sample_noise(spec.loss, spec.grounding, origin.sensitivity)

    def drawn(values: Ints, law: SumNoise) -> tuple[float, ...]:
        noisy = noise.laplace(values, law.scale, law.sensitivity, law.epsilon)
        return tuple(ticks / TICKS_PER_MASS for ticks in noisy)

    [moved] = drawn(np.array([sample.moved], np.int64), calibrated.moved)
    return NoisyReadings(
        corrections=drawn(sample.corrections, calibrated.corrections),
        squares=drawn(sample.squares, calibrated.squares),
        moved=moved,
    )


def _in_mass(noisy: NoisyTicks, count: int | None, origin: SketchOrigin) -> NoisyMasses:
    """Return noisy values in units of mass; those of a sample are scaled up to the collection."""
    one = TICKS_PER_MASS * rate_of(origin.sampling)
    masses = [ticks / one for ticks in noisy.ticks]
    none = noisy.beside[0] / one if origin.contribution_map.answers_none else None
    not_read = noisy.beside[-1] / one if origin.contribution_map.languages else None
    return NoisyMasses(masses, none, count, not_read, noisy.positions)


def with_mechanism(spec: ReleaseSpec, choice: AnyMechanism | Auto, origin: SketchOrigin) -> ReleaseSpec:
    """Name the mechanism of a release; ``Auto`` lets public numbers decide, and leaves out a delta it does not need."""
    if not isinstance(choice, Auto):
        return spec.model_copy(update={"mechanism": choice})
    with within_floats():
        found = planned(
            spec.loss_of_sketch,
            origin.sensitivity,
            atoms=origin.universe_size,
            size=spec.size,
            besides=origin.contribution_map.besides,
            sampling=origin.sampling,
            every_theme=spec.grounding is not None or bool(spec.views),
        )
    needed = PrivacyLoss(spec.loss.epsilon, spec.loss.delta if found.loss.delta else 0.0)
    return spec.model_copy(update={"mechanism": found.mechanism, "loss": needed})
