"""The public inputs of a release, and what they settle before any record is read: noise and certificates."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import BeforeValidator, Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.calibration import loss_on_sample, rate_of
from dpspin.boundary.certify import Certificates, SupportBin, certificates, require_fitting_size
from dpspin.boundary.denominator import PART_OF_BETA, CountShare, PublicNumber, TotalMass, split_for_count
from dpspin.boundary.mechanisms import Mechanism, noise_of
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import Noise
from dpspin.boundary.planner import require_drawable
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    TICKS_PER_MASS,
    Adjacency,
    Everyone,
    PrivacyLoss,
    ProtectedUnit,
    Quantity,
    Sampling,
    Sensitivity,
    require_fitting_quantity,
    sensitivity_of,
)
from dpspin.boundary.request_terms import Protection, Terms, number_in_words
from dpspin.boundary.views import View, loss_beside_views, require_viewable
from dpspin.errors import RequestError
from dpspin.public.wording.quantities import Amount

RELIABLY = 0.95  # the chance with which a theme of the size "reliably seen" is listed


class Extent(Amount):
    """An amount of mass, in points of the denominator, and as a number of whole units.

    A unit (record or user) gives at most its bound, so this many units reach the mass if each gives all to one theme.
    """

    points: float
    units: float


class Selection(FrozenModel):
    """Bounds that hold together with probability 1 - beta, whatever the data are.

    ``one_choice``: no round takes a theme that is smaller than the largest one left by more. ``all_choices``: the
    chosen themes together have less mass than the L largest by no more.
    """

    one_choice: Extent
    all_choices: Extent


class PublicInputs(FrozenModel):
    """The public inputs of a release."""

    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    atoms: int
    size: int
    denominator: int
    beta: float
    bins: tuple[SupportBin, ...]
    besides: int
    quantity: Quantity = MASS
    sampling: Sampling = EVERYONE
    views: tuple[View, ...] = ()
    count_share: float | None = Field(
        None, gt=0, lt=1
    )  # of epsilon, for a count; ``denominator`` is then a guess at it

    @property
    def themes_loss(self) -> PrivacyLoss:
        """What is left for the themes once a count is bought."""
        left = loss_beside_views(self.loss, self.views)
        return left if self.count_share is None else split_for_count(left, self.count_share).themes

    @property
    def chooses_at_random(self) -> bool:
        """Whether the themes are chosen by a mechanism of their own, so that only the data decide the chances."""
        return self.mechanism.selects

    @property
    def largest_mass(self) -> float:
        """The mass of a theme to which every unit gives all it may."""
        return self.unit.bound * self.denominator

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one protected unit can move the sketch."""
        return sensitivity_of(self.unit, self.adjacency, self.quantity)

    @property
    def paid(self) -> PrivacyLoss:
        """What may be spent on the units that are measured."""
        return loss_on_sample(self.themes_loss, self.sampling, self.sensitivity)

    @property
    def selection(self) -> Selection | None:
        """What a private choice may miss: not which themes it takes, but how much mass; never more than there is."""
        task = Task(self.paid, self.sensitivity, self.atoms, self.size, self.besides)
        regret = self.mechanism.regret(task, self.beta)
        if regret is None:
            return None
        one, together = (
            min(ticks / TICKS_PER_MASS / rate_of(self.sampling), self.largest_mass)
            for ticks in (regret.one_choice, regret.all_choices)
        )
        return Selection(one_choice=self.extent(one), all_choices=self.extent(together))

    def extent(self, mass: float) -> Extent:
        """Give a mass its points and its number of units."""
        return Extent(mass=mass, points=100 * mass / self.denominator, units=mass / self.unit.bound)

    def share(self, support: float) -> Extent:
        """Give a share of the denominator its mass."""
        return self.extent(support * self.denominator)

    def asking(self, **changes: object) -> "PublicInputs":
        """Return the same request with something else asked for."""
        return PublicInputs.model_validate({**dict(self), **changes})

    def require_fitting(self) -> None:
        """Refuse inputs that no release would take."""
        require_viewable(
            [view.facet for view in self.views],
            selecting=self.mechanism.kind if self.mechanism.selects else None,
            everyone=isinstance(self.sampling, Everyone),
            reads=False,
        )
        require_fitting_size(self.size, self.atoms)
        require_fitting_quantity(self.quantity, self.unit)
        if self.count_share is not None and (
            self.adjacency is Adjacency.REPLACE or not isinstance(self.sampling, Everyone)
        ):
            raise RequestError(
                "a count is bought under add_drop, and of everyone: under replacement it is no secret, and of a sample "
                "it tells nothing; leave `denominator.share` out"
            )
        if self.denominator < 1:
            raise RequestError(f"the public denominator must be at least 1, not {self.denominator}")
        if not 0 < self.beta < 0.5:  # noqa: PLR2004  the range that a plan's rules accept
            raise RequestError(f"beta, the error probability, must lie between 0 and 0.5, not {self.beta}")
        require_drawable(
            self.mechanism,
            loss_beside_views(self.loss, self.views),
            TotalMass() if self.count_share is None else CountShare(share=self.count_share),
            self.sensitivity,
            size=self.size,
            coordinates=self.atoms + self.besides,
            besides=self.besides,
            sampling=self.sampling,
        )


class PreviewRequest(Terms):
    """What is told of a release before there are records: whom it would protect, and its terms."""

    records: Protection
    denominator: Annotated[PublicNumber, BeforeValidator(number_in_words)]


def besides_usual(atoms: AtomUniverse) -> int:
    """Count what the usual map measures besides the themes: none of these, and other languages."""
    return 1 + bool(atoms.languages)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a release beforehand, exactly: its noise, and what that lets one say."""

    noise: Noise
    certificates: Certificates

    @property
    def threshold(self) -> float:
        """What a noisy mass must exceed to be listed."""
        return self.certificates.admission_threshold

    @property
    def reliably_seen(self) -> float:
        """The smallest true mass that exceeds the threshold with 95 % probability."""
        return self.threshold + self.noise.upper_quantile(1 - RELIABLY)


@lru_cache(maxsize=512)  # a curve asks often, and Gaussian calibration is slow
def known_of(request: PublicInputs) -> Known:
    """Calibrate the noise as the release will, and derive its certificates as the plan will."""
    atoms, size, besides = request.atoms, request.size, request.besides
    noise = noise_of(
        request.mechanism,
        request.themes_loss,
        request.sensitivity,
        atoms=atoms,
        size=size,
        besides=besides,
        sampling=request.sampling,
    )
    full, rest = (
        certificates(request.mechanism, noise, atoms=atoms, size=size, beta=beta, besides=besides)
        for beta in (request.beta, (1 - PART_OF_BETA) * request.beta)
    )
    if request.count_share is None:
        return Known(noise, full)
    narrowed = {"interval_below": rest.interval_below, "interval_above": rest.interval_above}
    return Known(noise, full.model_copy(update=narrowed))
