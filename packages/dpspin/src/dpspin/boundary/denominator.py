"""What shares refer to: a number that is public, a count of units that was paid for, or the free total of the masses.

The true number of units is private. So it is declared from public knowledge, or measured under the same guarantee as
everything else; it is never just counted. A measured denominator is noisy, and its interval enters every share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.certify import Certificates, certificates
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.privacy import Adjacency, Everyone, Mass, PrivacyLoss, Sensitivity
from dpspin.boundary.statement import PrivacyStatement
from dpspin.errors import RequestError

PART_OF_BETA = 0.1  # a noisy denominator's part of beta; the masses' intervals keep the rest (union bound)
LEAST = 1  # a noisy denominator is cut here: where its interval reaches down to it, it may be noise alone
ONE_UNIT = Sensitivity(1, 1.0, 1)  # adding or dropping one unit changes the number of units by exactly one


class PublicNumber(FrozenModel):
    """A number that everybody may know, declared by the curator; it has no noise."""

    kind: Literal["public"] = "public"
    value: int = Field(ge=1, le=2**53)

    @property
    def is_known(self) -> bool:
        """Always."""
        return True

    @property
    def low(self) -> int:
        """The number itself."""
        return self.value

    @property
    def high(self) -> int:
        """The number itself."""
        return self.value


class CountShare(FrozenModel):
    """Buy the number of protected units with this part of epsilon; the rest of epsilon pays for the themes."""

    kind: Literal["count"] = "count"
    share: float = Field(0.1, gt=0, lt=1)


class TotalMass(FrozenModel):
    """Divide by the sum of all released masses: free, and at most the number of records."""

    kind: Literal["total"] = "total"


class PaidCount(FrozenModel):
    """A noisy count of the protected units, differentially private by discrete Laplace noise on integers.

    ``share`` of the release's epsilon paid for it. ``value`` is the noisy count, at least 1. The interval is for the
    true count, and at least 1 as well.
    """

    kind: Literal["count"] = "count"
    noisy_count: int
    value: int = Field(ge=1)
    share: float = Field(gt=0, lt=1)
    epsilon: float = Field(gt=0)
    noise_std: float = Field(ge=0)
    low: int = Field(ge=1)
    high: int = Field(ge=1)

    @property
    def is_known(self) -> bool:
        """Whether it stands clear of the noise, so that a share of it says anything."""
        return self.low > LEAST


class FreeTotal(FrozenModel):
    """The sum of all released noisy masses, at least 1: the mass that records gave to themes and to none of them.

    It is at most the number of records, since a record gives a mass of one at most.
    """

    kind: Literal["total"] = "total"
    value: float = Field(ge=1)
    noise_std: float = Field(gt=0)
    low: float = Field(ge=1)
    high: float = Field(ge=1)

    @property
    def is_known(self) -> bool:
        """Whether it stands clear of the noise, so that a share of it says anything."""
        return self.low > LEAST


def _number(value: object) -> object:
    return PublicNumber(value=value) if isinstance(value, int) else value


AnyDenominator = PublicNumber | PaidCount | FreeTotal
AnyChoice = PublicNumber | CountShare | TotalMass
Denominator = Annotated[AnyDenominator, Field(discriminator="kind")]
DenominatorChoice = Annotated[Annotated[AnyChoice, Field(discriminator="kind")], BeforeValidator(_number)]


@dataclass(frozen=True, slots=True)
class CountSplit:
    """The two payments of a release that buys its denominator."""

    count: float
    themes: PrivacyLoss


def split_for_count(loss: PrivacyLoss, share: float) -> CountSplit:
    """Split epsilon into eps_c = share·eps for the count and eps - eps_c for the themes; delta goes to the themes.

    Sequential composition: a count that is (eps_c, 0)-DP and themes that are (eps - eps_c, delta)-DP are together
    (eps, delta)-DP. For Laplace noise this is one more coordinate of the sketch, of weight w = eps_c/(eps - eps_c).

    >>> split_for_count(PrivacyLoss(2.0), 0.25)
    CountSplit(count=0.5, themes=PrivacyLoss(epsilon=1.5, delta=0.0))
    """
    count = share * loss.epsilon
    return CountSplit(count, PrivacyLoss(loss.epsilon - count, loss.delta))


def loss_of_themes(loss: PrivacyLoss, denominator: AnyChoice | AnyDenominator) -> PrivacyLoss:
    """Return what is left of a release's loss for the themes: all of it, unless a count is bought."""
    match denominator:
        case CountShare() | PaidCount():
            return split_for_count(loss, denominator.share).themes
        case PublicNumber() | TotalMass() | FreeTotal():
            return loss


def require_fitting_denominator(choice: AnyChoice, statement: PrivacyStatement) -> None:
    """Refuse a count where it cannot differ between neighbours, and a total that is not one of mass."""
    if not isinstance(choice, PublicNumber) and not isinstance(statement.sampling, Everyone):
        raise RequestError("a random sample tells neither count nor total of the collection: declare a `denominator`")
    if isinstance(choice, TotalMass) and not isinstance(statement.quantity, Mass):
        raise RequestError(
            "a unit counts for several themes, so a sum of prevalences is no number of units: declare a "
            "`denominator`, or buy a count (`denominator.share`)"
        )
    if isinstance(choice, CountShare) and statement.adjacency is Adjacency.REPLACE:
        raise RequestError(
            "under replacement the number of units is the same in all neighbours, so it is not protected: declare it "
            "as the `denominator` and pay nothing, or protect presence (`records.adjacency: add_drop`)"
        )
    if isinstance(choice, TotalMass) and statement.mechanism.selects:
        raise RequestError(
            f"{statement.mechanism.kind} releases the masses of its L themes only, so there is no total: declare a "
            "number (`denominator`), buy a count (`denominator.share`), or use laplace or gaussian"
        )


def certificates_beside(
    denominator: AnyChoice | AnyDenominator,
    statement: PrivacyStatement,
    *,
    atoms: int,
    size: int,
    beta: float,
) -> Certificates:
    """Return what may be said of the masses; a noisy denominator takes its part of the intervals' beta."""
    besides = statement.contribution_map.besides
    known = partial(certificates, statement.mechanism, statement.noise, atoms=atoms, size=size, besides=besides)
    full = known(beta=beta)
    if isinstance(denominator, PublicNumber):
        return full
    rest = known(beta=(1 - PART_OF_BETA) * beta)
    return full.model_copy(update={"interval_below": rest.interval_below, "interval_above": rest.interval_above})


def count_scale(epsilon: float) -> float:
    """Return the scale of the discrete Laplace noise on a count: one unit changes it by one."""
    return laplace_scale(ONE_UNIT.l1, epsilon)


def paid_count(noisy_count: int, loss: PrivacyLoss, share: float, beta: float) -> PaidCount:
    """Read a noisy count: P(|Z| > c) = 2·p^(c+1)/(1+p) with p = e^(-1/scale), for integers c >= 0.

    >>> count = paid_count(19_980, PrivacyLoss(1.0), share=0.1, beta=0.05)
    >>> count.value, round(count.noise_std, 1), count.low, count.high
    (19980, 14.1, 19927, 20033)
    """
    epsilon = split_for_count(loss, share).count
    scale = count_scale(epsilon)
    decay = math.exp(-1 / scale)
    reach = max(0, math.ceil(-scale * math.log(PART_OF_BETA * beta * (1 + decay) / 2)) - 1)
    return PaidCount(
        noisy_count=noisy_count,
        value=max(1, noisy_count),
        share=share,
        epsilon=epsilon,
        noise_std=math.sqrt(2 * decay) / -math.expm1(-1 / scale),
        low=max(1, noisy_count - reach),
        high=max(1, noisy_count + reach),
    )


def free_total(masses: Sequence[float], noise: AnyNoise, beta: float) -> FreeTotal:
    """Sum all released masses; k independent noises of standard deviation s make one of s·√k.

    >>> from dpspin.boundary.noise_laws import LaplaceNoise
    >>> total = free_total([500.0] * 46, LaplaceNoise(scale=1.0), beta=0.05)
    >>> total.value, round(total.noise_std, 1), round(total.high - total.value, 1)
    (23000.0, 9.6, 27.3)
    """
    total = math.fsum(masses)
    reach = noise.sum_quantile(len(masses), PART_OF_BETA * beta / 2)
    return FreeTotal(
        value=max(1.0, total),
        noise_std=noise.std * math.sqrt(len(masses)),
        low=max(1.0, total - reach),
        high=max(1.0, total + reach),
    )


def share_interval(low: float, high: float, denominator: AnyDenominator) -> tuple[float, float]:
    """Divide an interval of mass by the denominator's own (the box of Fieller's problem).

    If the mass and the denominator lie in their intervals, their ratio lies in this one; so all shares hold together
    where all intervals do (a union bound, for which a noisy denominator has its part of beta).
    """
    return low / denominator.high, high / denominator.low
