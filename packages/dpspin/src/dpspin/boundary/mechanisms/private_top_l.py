"""Private admission, atom by atom, then noisy values on the admitted ones: the paper's private_topL."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from dpspin.boundary.calibration import PAD, gaussian_rho, gaussian_sigma, laplace_scale, rho_for
from dpspin.boundary.mechanisms.base import Audited, Regret, SelectingMechanism, Task
from dpspin.boundary.mechanisms.drawing import NoiseSource, NoisyTicks, Price
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.peeling import Peeling, admitted, selection_range, selection_rho, selection_scale
from dpspin.boundary.model_base import GrownModel
from dpspin.boundary.noise_laws import AnyNoise, GaussianNoise, GumbelNoise, LaplaceNoise
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


class ValueNoise(StrEnum):
    """The noise on the values of admitted atoms: ``gaussian``, the paper's, or ``laplace``, without a delta."""

    GAUSSIAN = "gaussian"
    LAPLACE = "laplace"


def _shares_in_words(value: object) -> object:
    """Let shares be written with commas between, as on the command line."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


Shares = Annotated[tuple[Annotated[float, Field(gt=0, le=1)], ...] | None, BeforeValidator(_shares_in_words)]
OFF_BY = 1e-9  # how far shares may be from one together: they are written with few digits, and taken in proportion


@dataclass(frozen=True, slots=True)
class TopLScales:
    """The draws, in ticks, and what the values may cost."""

    admission: tuple[Peeling, ...]
    noise: LaplaceNoise | GaussianNoise
    value_cost: PrivacyLoss | float

    @property
    def rounds(self) -> list[float]:
        """The scale of each round."""
        return [each.scale for each in self.admission for _ in range(each.rounds)]


class PrivateTopL(GrownModel, SelectingMechanism):
    """L rounds of the exponential mechanism, then noisy values on the admitted atoms (proposition 1).

    Where the map answers "none of these", that coordinate is measured too: L+1 values of one vector.
    ``value_fraction`` is the paper's rho: that part of the budget pays for the values, the rest for the admission.
    ``value_noise`` is on them; Laplace noise at Δ1/eps_val costs no delta: a restriction of the sketch moves by Δ1 of
    the whole at most. ``selection_shares`` are the parts of the admission's epsilon that its rounds pay, first to last;
    without them all pay alike. The proposition adds up any eps_t.
    ``monotone`` drops the factor 2 of the exponent, exp(eps·C_j/Δ). Theorem: if the scores of neighbours differ all in
    one direction, by at most Δ, P'(j)/P(j) = e^{eps·d_j/Δ}·Z/Z' lies between e^-eps and e^eps, in every round. So it is
    for add/drop only, and refused under replacement.
    """

    later: ClassVar = {"value_noise", "selection_shares"}
    parameters: ClassVar[Mapping[str, str]] = {
        **SelectingMechanism.parameters,
        "monotone": "the exponent without the factor 2 (add_drop only)",
        "accounting": "basic (the paper's, default) or zcdp, joint and tighter",
        "value_noise": "gaussian (the paper's, default) or laplace, which needs no delta",
        "selection_shares": "the parts of the admission's epsilon that its rounds pay, one for each (default: equal)",
    }

    kind: Literal["private_topL"] = "private_topL"
    monotone: bool = False
    accounting: Accounting = Accounting.BASIC
    value_noise: ValueNoise = ValueNoise.GAUSSIAN
    selection_shares: Shares = None

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        shares = self.selection_shares
        if self.accounting is Accounting.ZCDP and (self.has_laplace_values or shares is not None):
            raise RequestError(
                "joint accounting is for equal rounds and Gaussian values: leave `mechanism.accounting` out, or "
                "`mechanism.value_noise` and `mechanism.selection_shares`"
            )
        if shares is not None and abs(math.fsum(shares) - 1) > OFF_BY:
            raise RequestError(f"`mechanism.selection_shares` must add up to 1, not to {math.fsum(shares):.6g}")
        return self

    @property
    def has_laplace_values(self) -> bool:
        """Whether the values carry Laplace noise."""
        return self.value_noise is ValueNoise.LAPLACE

    @property
    def needs_delta(self) -> bool:
        """Whether the values need one; the admission never does."""
        return not self.has_laplace_values

    def epsilons(self, selection: float, size: int) -> tuple[tuple[int, float], ...]:
        """Return how many rounds pay which epsilon together; of unequal ones a billionth is kept back for rounding.

        >>> PrivateTopL().epsilons(0.5, 10), PrivateTopL(selection_shares=(0.75, 0.25)).epsilons(1.0, 2)
        (((10, 0.5),), ((1, 0.74999999925), (1, 0.24999999975)))
        """
        shares = self.selection_shares
        if shares is None:
            return ((size, selection),)
        if not self.admits(size):
            raise RequestError(
                f"`mechanism.selection_shares` names {len(shares)} rounds, and {size} themes are admitted: name one "
                "share for each (`size`)"
            )
        whole = math.fsum(shares)
        return tuple((1, selection * share / whole * (1 - PAD)) for share in shares)

    def calibrated(self, task: Task) -> TopLScales:
        """Divide the budget between admission and values, and calibrate both."""
        reach = selection_range(task.sensitivity, monotone=self.monotone)
        if self.accounting is Accounting.BASIC:
            paid = self.split(task.loss)
            admission = tuple(
                Peeling(rounds, self._scale(task, epsilon, rounds), Price(reach, epsilon=epsilon))
                for rounds, epsilon in self.epsilons(paid.selection, task.size)
            )
            return TopLScales(admission, self._noise_on_values(task, paid.values), paid.values)
        rho = rho_for(task.loss.epsilon, task.loss.delta)
        of_values = self.value_fraction * rho
        of_selection = rho - of_values
        selection = reach / math.sqrt(8 * of_selection / task.size) * (1 + PAD)
        sigma = task.sensitivity.l2 / math.sqrt(2 * of_values) * (1 + PAD)
        peeling = Peeling(task.size, selection, Price(reach, rho=of_selection))
        return TopLScales((peeling,), GaussianNoise(sigma=sigma), of_values)

    def _scale(self, task: Task, epsilon: float, rounds: int) -> float:
        return selection_scale(task.sensitivity, epsilon, rounds, monotone=self.monotone)

    def _noise_on_values(self, task: Task, paid: PrivacyLoss) -> LaplaceNoise | GaussianNoise:
        if self.has_laplace_values:
            return LaplaceNoise(scale=laplace_scale(task.sensitivity.l1, paid.epsilon))
        return GaussianNoise(sigma=gaussian_sigma(task.sensitivity.l2, paid, task.values))

    def noise(self, task: Task) -> LaplaceNoise | GaussianNoise:
        """Return the noise on the values; the choice before it has its own."""
        return self.calibrated(task).noise

    def scales(self, task: Task) -> tuple[float, ...]:
        """Return the scales of all draws, the admission first."""
        drawn = self.calibrated(task)
        return *(each.scale for each in drawn.admission), drawn.noise.width

    def draw(self, ticks: "Ints", task: Task, source: NoiseSource) -> NoisyTicks:
        """Admit L atoms by exponential-mechanism rounds, then measure only those: composition (proposition 1).

        Only atoms are admitted; "none of these" and "not read" are measured with those that were. A restriction of the
        sketch has the sensitivity of the whole at most, so the selection over m and the values beside L are paid for
        alike.
        """
        drawn = self.calibrated(task)
        positions = admitted(ticks[: task.atoms], drawn.admission, source)
        chosen = ticks[self.measured(positions, task)]
        match drawn:
            case TopLScales(noise=LaplaceNoise(scale=scale), value_cost=PrivacyLoss(epsilon=epsilon)):
                noisy = source.laplace(chosen, scale, task.sensitivity, epsilon)
            case _:
                noisy = source.gaussian(chosen, drawn.noise.width, task.sensitivity, drawn.value_cost)
        return NoisyTicks.of_chosen(positions, noisy)

    def rho(self, loss: PrivacyLoss, noise: AnyNoise, sensitivity: Sensitivity, size: int) -> float:
        """Add the rounds and the values, or return the one rho that was divided between them."""
        if self.accounting is Accounting.ZCDP:
            return rho_for(loss.epsilon, loss.delta)
        paid = self.split(loss)
        rounds = sum(selection_rho(epsilon, rounds) for rounds, epsilon in self.epsilons(paid.selection, size))
        if self.has_laplace_values:
            return rounds + Laplace().rho(paid.values, noise, sensitivity, size)
        return rounds + gaussian_rho(noise, sensitivity)

    def is_offered_for(self, sensitivity: Sensitivity) -> bool:
        """Tell whether the exponent that was chosen goes with such neighbours."""
        return sensitivity.monotone or not self.monotone

    def admits(self, size: int) -> bool:
        """Tell whether each round has its share, where shares are named."""
        return self.selection_shares is None or len(self.selection_shares) == size

    def ordering_noise(self, task: Task) -> GumbelNoise:
        """Return the noise of its widest round; of equal ones, the first L of scores with Gumbel noise have the law."""
        return GumbelNoise(max(self.calibrated(task).rounds))

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

        Round t chooses among m-t+1 atoms with P(j) ∝ exp(C_j/s_t). Except with probability beta/L it stays within
        s_t·(ln(m-t+1) + ln(L/beta)) of the largest; over all rounds the mass lost is at most the sum.
        """
        scales, union = self.calibrated(task).rounds, math.log(task.size / beta)
        rounds = [scale * (math.log(task.atoms - done) + union) for done, scale in enumerate(scales)]
        return Regret(max(rounds), sum(rounds))

    @property
    def short_name(self) -> str:
        """Its name, and what is not the paper's."""
        added = {
            " zcdp": self.accounting is Accounting.ZCDP,
            " mono": self.monotone,
            " laplace": self.has_laplace_values,
            " shares": self.selection_shares is not None,
        }
        return self.kind + "".join(word for word, is_so in added.items() if is_so)

    def words(self, size: int, besides: str) -> str:
        """Say what is done to the exact sums."""
        exponent = " with monotone scores" if self.monotone else ""
        budget = "epsilon" if self.accounting is Accounting.BASIC else "the joint zCDP budget"
        law = "Laplace" if self.has_laplace_values else "Gaussian"
        return (
            f"a private choice of {size} themes by the exponential mechanism{exponent}{self._rounds_in_words}, then "
            f"discrete {law} noise on their values{besides}; the values take {self.value_percent}% of {budget}"
        )

    @property
    def _rounds_in_words(self) -> str:
        if self.selection_shares is None:
            return ""
        return f" in rounds that pay {', '.join(f'{100 * share:.3g}%' for share in self.selection_shares)} of its part"

    @classmethod
    def audited(cls) -> tuple[Audited, ...]:
        """Put nearly all of epsilon on one of the two payments, so that each is seen by itself."""
        tight = cls(value_fraction=0.02, monotone=True, accounting=Accounting.ZCDP)
        unequal = cls(
            value_fraction=0.02, monotone=True, value_noise=ValueNoise.LAPLACE, selection_shares=(0.1, 0.9)
        )  # the set of both picks is released, so the round that decides it pays most
        return (
            Audited("private_topL, selection", cls(value_fraction=0.02), PrivacyLoss(2.0, 1e-3), 1, crowd=(1, 0, 0)),
            Audited("private_topL, values", cls(value_fraction=0.98), PrivacyLoss(1.0, 0.2), size=2, crowd=(1, 1)),
            Audited(
                "private_topL, laplace values",
                cls(value_fraction=0.98, value_noise=ValueNoise.LAPLACE),
                PrivacyLoss(1.5),
                size=2,
                crowd=(1, 1),
            ),
            Audited(
                "private_topL, unequal rounds",
                unequal,
                PrivacyLoss(2.0),
                size=2,
                crowd=(0, 0, 0),
                adjacencies=(Adjacency.ADD_DROP,),
            ),
            Audited(
                "private_topL, monotone, zcdp",
                tight,
                PrivacyLoss(1.0, 0.2),
                size=1,
                crowd=(0, 0),
                adjacencies=(Adjacency.ADD_DROP,),
            ),
        )
