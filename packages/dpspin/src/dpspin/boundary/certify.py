"""What the known noise lets one say: pure functions of the plan's public parameters, free of privacy cost.

Every constant is in units of mass and holds, with probability at least 1 - beta over the noise, for the protected
sketch (records as mapped and clipped), not for a population. One tick is added for the discreteness of the noise.
"More" and "highest" are strict: to set one of two equal masses above the other counts as an error.
"""

import math
from functools import lru_cache
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.mechanisms.base import ReleaseMechanism
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.errors import RequestError

TICK = 1 / TICKS_PER_MASS
BELOW_SHARE = 0.8  # of beta goes to the lower ends: there all m atoms compete, above only the L released ones


class CertifiedMargins(FrozenModel):
    """Order is stated where the noise allows it with probability at least 1 - beta. The default."""

    kind: Literal["certified"] = "certified"


class FixedMargin(FrozenModel):
    """The paper's policy: a public margin, chosen before the release; rank one suffices for "the highest".

    It bounds no error: with margin zero most plans state a false order somewhere (see ``dpspin lab certificates``).
    """

    kind: Literal["fixed"] = "fixed"
    mass: float = Field(ge=0)


Margin = Annotated[CertifiedMargins | FixedMargin, Field(discriminator="kind")]


class Certificates(FrozenModel):
    """The four things one may say, as distances in units of mass."""

    admission_threshold: float
    interval_below: float
    interval_above: float
    comparison_margin: float
    superlative_margin: float


@lru_cache(maxsize=512)  # of public parameters only; a release, its plan and its forecast ask for the same ones
def certificates(
    mechanism: ReleaseMechanism,
    noise: AnyNoise,
    *,
    atoms: int,
    size: int,
    beta: float,
    besides: int = 0,
) -> Certificates:
    """Return what may be said of the released atoms, each statement on its own with error probability ``beta``.

    Full-sketch mechanisms select the top of the very values they publish, so every bound is valid after selection.
    Those that select draw fresh noise after the selection, so only the ``size`` released values compete.
    "None of these" is always released, so it has its part in the intervals that hold together. It is never admitted,
    compared or ranked, so the other three constants are for atoms alone.

    >>> from dpspin.boundary.mechanisms import Laplace
    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> c = certificates(Laplace(), LaplaceNoise(scale=1.0), atoms=46, size=10, beta=0.05)
    >>> round(c.admission_threshold, 2), round(c.comparison_margin, 2), round(c.superlative_margin, 2)
    (6.11, 8.46, 4.18)
    """
    contenders = size if mechanism.selects else atoms
    below = noise.upper_quantile(BELOW_SHARE * beta / (contenders + besides))
    above = noise.upper_quantile((1 - BELOW_SHARE) * beta / (size + besides))
    return Certificates(
        admission_threshold=noise.upper_quantile(-math.expm1(math.log1p(-beta) / contenders)) + TICK,
        interval_below=below + TICK,
        interval_above=above + TICK,
        comparison_margin=comparison_margin(noise, size, beta) + TICK,
        superlative_margin=superlative_margin(noise, contenders, beta) + TICK,
    )


def comparison_margin(noise: AnyNoise, size: int, beta: float) -> float:
    """Return c: all "a has more support than b" with X_a - X_b > c hold together with probability >= 1 - beta.

    Theorem (log-concave noise, S = top L of X, optionally thresholded): P(some asserted pair is false) <=
    C(L,2)·P(|Z1 - Z2| > c), for any m; both signs, because two equal masses may be set apart in either order.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(comparison_margin(LaplaceNoise(scale=1.0), 20, 0.05), 2)
    10.04
    """
    pairs = math.comb(size, 2)
    return noise.difference_quantile(beta / pairs) if pairs else 0.0


def superlative_margin(noise: AnyNoise, contenders: int, beta: float) -> float:
    """Return c: "a has the highest support" holds with probability >= 1 - beta if a leads the second by more than c.

    Laplace (any number of atoms): exp(-c/b)(7/6 + c/2b) = beta. Gaussian: union over the contenders, each of which
    would have to pass an atom that has at least its mass: m·P(Z1 - Z2 > c) = beta. Of a mechanism that
    selects, the contenders are the released atoms.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> round(superlative_margin(LaplaceNoise(scale=1.0), 200, 0.01), 2)
    6.04
    """
    return 0.0 if contenders == 1 else noise.lead_quantile(contenders, beta)


# What no label of a dictionary may hold: a line break in a plan's words could pass for a line of ours.
OneLine = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]


class SupportBin(FrozenModel):
    """A public name for a range of support: from ``at_least`` up to the next bin."""

    name: OneLine
    at_least: float = Field(ge=0)


def three_bins(high: float, moderate: float) -> tuple[SupportBin, ...]:
    """Return the bins high, moderate and low from the two upper floors."""
    return (
        SupportBin(name="high", at_least=high),
        SupportBin(name="moderate", at_least=moderate),
        SupportBin(name="low", at_least=0.0),
    )


def even_share_bins(atoms: int, bound: float) -> tuple[SupportBin, ...]:
    """Return the default bins: high from twice the even share of the dictionary, moderate from the even share.

    Public by construction: if every unit spread its whole bound evenly, each of the m atoms would have bound/m.

    >>> [(support_bin.name, support_bin.at_least) for support_bin in even_share_bins(50, bound=1.0)]
    [('high', 0.04), ('moderate', 0.02), ('low', 0.0)]
    """
    even = bound / atoms
    return three_bins(float(f"{2 * even:.2g}"), float(f"{even:.2g}"))


Admission = Literal["threshold", "fixed"]


class ReadingRules(FrozenModel):
    """The public policy under which a plan is read: it does not depend on the records, and is stated in the plan.

    The certificates hold for rules that were chosen without looking at the noisy numbers.

    ``threshold`` admits at most ``size`` atoms and only those that stand clear of the noise; ``fixed`` is the
    paper's rule and admits exactly ``size`` atoms whatever their mass. ``margin`` decides how far apart two masses must
    be before one is called larger; the certificates are there under either policy.
    """

    size: int = Field(ge=1)
    admission: Admission
    beta: float = Field(gt=0, lt=0.5)
    bins: tuple[SupportBin, ...] = Field(min_length=1)
    margin: Margin = CertifiedMargins()
    certificates: Certificates

    @model_validator(mode="after")
    def _bins_descend_to_zero(self) -> Self:
        floors = [support_bin.at_least for support_bin in self.bins]
        if floors != sorted(floors, reverse=True) or len(set(floors)) != len(floors) or floors[-1] != 0:
            raise ValueError("support bins must be listed from high to low and end at 0")
        if len({support_bin.name for support_bin in self.bins}) != len(floors):
            raise ValueError("support bins must have different names")
        return self

    @property
    def comparison_margin(self) -> float:
        """How far apart two listed masses must be before one is called larger."""
        return self.margin.mass if isinstance(self.margin, FixedMargin) else self.certificates.comparison_margin

    @property
    def superlative_margin(self) -> float:
        """How far the first must lead before it is called the highest; in the paper, rank one is enough."""
        return 0.0 if isinstance(self.margin, FixedMargin) else self.certificates.superlative_margin


def require_fitting_size(size: int, atoms: int) -> None:
    """Refuse a plan size the dictionary cannot fill: OpenDP would silently return fewer atoms."""
    if not 1 <= size <= atoms:
        raise RequestError(f"the plan size must be between 1 and the {atoms} atoms of the dictionary, not {size}")
