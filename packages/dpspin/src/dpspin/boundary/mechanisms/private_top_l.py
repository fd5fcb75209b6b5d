"""Private admission, atom by atom, then Gaussian values on the admitted ones: the paper's private_topL."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Literal

from dpspin.boundary.calibration import PAD, gaussian_rho, gaussian_sigma, laplace_scale, rho_for
from dpspin.boundary.mechanisms.base import Audited, Regret, SelectingMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks, Price
from dpspin.boundary.noise_laws import AnyNoise, GaussianNoise, GumbelNoise
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, Sensitivity
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.mechanisms.drawing import Ints


class Accounting(StrEnum):
    """How ``private_topL`` adds up what its admission and its values cost.

    ``basic`` is the paper's: epsilons add. ``zcdp`` adds rho = L·eps0²/8 + Δ2²/2sigma² and converts once: each round is
    eps0-bounded-range, hence eps0²/8-zCDP (Cesar and Rogers 2021), and rho adds up under adaptive composition.
    """

    BASIC = "basic"
    ZCDP = "zcdp"


@dataclass(frozen=True, slots=True)
class TopLScales:
    """The two draws, in ticks, and what each may cost."""

    selection: float
    sigma: float
    price: Price
    value_cost: PrivacyLoss | float


class PrivateTopL(SelectingMechanism):
    """L rounds of the exponential mechanism, then Gaussian values on the admitted atoms (proposition 1).

    Where the map answers "none of these", that coordinate is measured too: L+1 values of one vector.
    ``value_fraction`` is the paper's rho: that part of the budget pays for the values, the rest for the admission.
    ``monotone`` drops the factor 2 of the exponent, exp(eps·C_j/Δ). Theorem: if the scores of neighbours differ all in
    one direction, by at most Δ, P'(j)/P(j) = e^{eps·d_j/Δ}·Z/Z' lies between e^-eps and e^eps, in every round. So it is
    for add/drop only, and refused under replacement.
    """

    needs_delta: ClassVar[bool] = True
    parameters: ClassVar[Mapping[str, str]] = {
        **SelectingMechanism.parameters,
        "monotone": "the exponent without the factor 2 (add_drop only)",
        "accounting": "basic (the paper's, default) or zcdp, joint and tighter",
    }

    kind: Literal["private_topL"] = "private_topL"
    monotone: bool = False
    accounting: Accounting = Accounting.BASIC

    def calibrated(self, task: Task) -> TopLScales:
        """Divide the budget between admission and values, and calibrate both."""
        reach = selection_range(task.sensitivity, monotone=self.monotone)
        if self.accounting is Accounting.BASIC:
            paid = self.split(task.loss)
            selection = selection_scale(task.sensitivity, paid.selection, task.size, monotone=self.monotone)
            sigma = gaussian_sigma(task.sensitivity.l2, paid.values, task.values)
            return TopLScales(selection, sigma, Price(reach, epsilon=paid.selection), paid.values)
        rho = rho_for(task.loss.epsilon, task.loss.delta)
        of_values = self.value_fraction * rho
        of_selection = rho - of_values
        selection = reach / math.sqrt(8 * of_selection / task.size) * (1 + PAD)
        sigma = task.sensitivity.l2 / math.sqrt(2 * of_values) * (1 + PAD)
        return TopLScales(selection, sigma, Price(reach, rho=of_selection), of_values)

    def noise(self, task: Task) -> GaussianNoise:
        """Return the noise on the values; the choice before it has its own."""
        return GaussianNoise(sigma=self.calibrated(task).sigma)

    def scales(self, task: Task) -> tuple[float, ...]:
        """Return the scales of both draws."""
        drawn = self.calibrated(task)
        return drawn.selection, drawn.sigma

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Admit L atoms by exponential-mechanism rounds, then measure only those: composition (proposition 1).

        Only atoms are admitted; "none of these" and "not read" are measured with those that were. A restriction of the
        sketch has the sensitivity of the whole at most, so the selection over m and the values beside L are paid for
        alike.
        """
        drawn = self.calibrated(task)
        positions = source.peel(ticks[: task.atoms], task.size, drawn.selection, drawn.price)
        chosen = ticks[self.measured(positions, task)]
        return NoisyTicks.of_chosen(positions, source.gaussian(chosen, drawn.sigma, task.sensitivity, drawn.value_cost))

    def rho(self, loss: PrivacyLoss, noise: AnyNoise, sensitivity: Sensitivity, size: int) -> float:
        """Add the rounds and the values, or return the one rho that was divided between them."""
        if self.accounting is Accounting.ZCDP:
            return rho_for(loss.epsilon, loss.delta)
        return selection_rho(self.split(loss).selection, size) + gaussian_rho(noise, sensitivity)

    def is_offered_for(self, sensitivity: Sensitivity) -> bool:
        """Tell whether the exponent that was chosen goes with such neighbours."""
        return sensitivity.monotone or not self.monotone

    def ordering_noise(self, task: Task) -> GumbelNoise:
        """Return the noise of its rounds: the first L of scores with Gumbel noise have their law."""
        return GumbelNoise(self.calibrated(task).selection)

    @classmethod
    def planned_for(cls, sensitivity: Sensitivity) -> "PrivateTopL":
        """Return the variant with the least noise that such neighbours allow."""
        return cls(monotone=sensitivity.monotone, accounting=Accounting.ZCDP)

    @classmethod
    def compared(cls) -> tuple["PrivateTopL", ...]:
        """Return the paper's variant and the two tighter ones."""
        return cls(), cls(accounting=Accounting.ZCDP), cls(monotone=True, accounting=Accounting.ZCDP)

    def regret(self, task: Task, beta: float) -> Regret:
        """Bound the mass that the rounds may miss (the paper's certificate for sequential private atom admission).

        Round t chooses among m-t+1 atoms with P(j) ∝ exp(C_j/s). Except with probability beta/L it stays within
        s·(ln(m-t+1) + ln(L/beta)) of the largest; over all rounds the mass lost is at most the sum.
        """
        scale, union = self.calibrated(task).selection, math.log(task.size / beta)
        rounds = [scale * (math.log(task.atoms - done) + union) for done in range(task.size)]
        return Regret(max(rounds), sum(rounds))

    @property
    def short_name(self) -> str:
        """Its name, and what is not the paper's."""
        added = "" if self.accounting is Accounting.BASIC else " zcdp"
        return f"{self.kind}{added}{' mono' if self.monotone else ''}"

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        exponent = " with monotone scores" if self.monotone else ""
        budget = "epsilon" if self.accounting is Accounting.BASIC else "the joint zCDP budget"
        return (
            f"a private choice of {size} themes by the exponential mechanism{exponent}, then discrete Gaussian "
            f"noise on their values{besides}; the values take {self.value_percent}% of {budget}"
        )

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Put nearly all of epsilon on one of the two payments, so that each is seen by itself."""
        tight = cls(value_fraction=0.02, monotone=True, accounting=Accounting.ZCDP)
        return (
            Audited("private_topL, selection", cls(value_fraction=0.02), PrivacyLoss(2.0, 1e-3), 1, crowd=(1, 0, 0)),
            Audited("private_topL, values", cls(value_fraction=0.98), PrivacyLoss(1.0, 0.2), size=2, crowd=(1, 1)),
            Audited(
                "private_topL, monotone, zcdp",
                tight,
                PrivacyLoss(1.0, 0.2),
                size=1,
                crowd=(0, 0),
                adjacencies=(Adjacency.ADD_DROP,),
            ),
        )


def selection_scale(sensitivity: Sensitivity, epsilon: float, rounds: int, *, monotone: bool = False) -> float:
    """Return the scale s of each exponential-mechanism round, P(j) ∝ exp(C_j/s), s = 2·Δ·L/eps_sel (proposition 1).

    Monotone scores need Δ·L/eps_sel only.

    >>> from dpspin.boundary.privacy import TICKS_PER_MASS, RecordUnit, sensitivity_of
    >>> record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> selection_scale(record, epsilon=0.5, rounds=10) / TICKS_PER_MASS
    40.00000000000001
    """
    return laplace_scale(selection_range(sensitivity, monotone=monotone) * rounds, epsilon)


def selection_range(sensitivity: Sensitivity, *, monotone: bool) -> int:
    """Return how far the gap between two scores can move, which is what a round of selection pays for."""
    if monotone and not sensitivity.monotone:
        raise RequestError(
            "the monotone exponent is for add/drop neighbours: under replacement one score rises while another falls, "
            "and its proof fails; leave it out, or use add_drop"
        )
    return sensitivity.coordinate if monotone else 2 * sensitivity.coordinate


def selection_rho(epsilon: float, rounds: int) -> float:
    """Return L·eps0²/8 for L rounds of the exponential mechanism at eps0 = eps/L each.

    With the paper's exponent a round has a log-ratio of range eps0 at most, under both adjacencies: it is
    eps0-bounded-range, hence (eps0²/8)-zCDP (Durfee and Rogers 2019; Cesar and Rogers 2021).

    >>> round(selection_rho(0.5, rounds=10), 9)
    0.003125
    """
    return rounds * (epsilon / rounds) ** 2 / 8
