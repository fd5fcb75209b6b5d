"""The utility certificates of the paper's appendix, one function per proposition, and what they promise of a release.

They bound the loss of a release before it happens, for any sketch: the very metrics that runs report. What may be said
of a release is in ``dpspin.boundary.certify``, whose constants are sharper. Masses and noises are in units of mass.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.mechanisms import AnyMechanism, noise_of
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, Everyone, PrivacyLoss, Sensitivity, sensitivity_of
from dpspin.errors import RequestError


def gaussian_uniform_coordinate_error(noise: GaussianNoise, atoms: int, beta: float) -> float:
    """Gaussian uniform coordinate error: P(‖Z‖∞ <= σ·√(2·ln(2m/β))) >= 1-β for m noises.

    >>> round(gaussian_uniform_coordinate_error(GaussianNoise(sigma=4.225), 46, 0.05), 2)
    16.38
    """
    return noise.sigma * math.sqrt(2 * math.log(2 * atoms / beta))


def laplace_uniform_coordinate_error(noise: LaplaceNoise, atoms: int, beta: float) -> float:
    """Laplace uniform coordinate error: P(‖Z‖∞ <= b·ln(m/β)) >= 1-β for m noises.

    >>> round(laplace_uniform_coordinate_error(LaplaceNoise(scale=1.0), 46, 0.05), 2)
    6.82
    """
    return noise.scale * math.log(atoms / beta)


def uniform_coordinate_error(noise: LaplaceNoise | GaussianNoise, atoms: int, beta: float) -> float:
    """Return tau with P(‖Z‖∞ <= tau) >= 1-β, by whichever of the two propositions fits the noise."""
    if isinstance(noise, LaplaceNoise):
        return laplace_uniform_coordinate_error(noise, atoms, beta)
    return gaussian_uniform_coordinate_error(noise, atoms, beta)


@dataclass(frozen=True, slots=True)
class PlanRecovery:
    """What a uniform error buys: at most ``loss`` of mass, and the exact top L where its margin exceeds ``margin``."""

    loss: float
    margin: float


def plan_recovery_from_uniform_sketch_error(tau: float, size: int) -> PlanRecovery:
    """Plan recovery from uniform sketch error: ‖X-C‖∞ <= tau gives Loss_L <= 2·L·tau.

    Loss_L is the mass of the true top L minus the true mass of the released L. If moreover the top-L margin
    Γ_L = C_(L) - C_(L+1) exceeds 2·tau, the released L are the true ones.

    >>> plan_recovery_from_uniform_sketch_error(6.5, size=10)
    PlanRecovery(loss=130.0, margin=13.0)
    """
    return PlanRecovery(loss=2 * size * tau, margin=2 * tau)


def high_probability_plan_recovery(
    noise: LaplaceNoise | GaussianNoise, atoms: int, size: int, beta: float
) -> PlanRecovery:
    """High-probability plan recovery: both parts of plan recovery at tau of the uniform error, at once, with 1-β.

    >>> found = high_probability_plan_recovery(LaplaceNoise(scale=1.0), atoms=46, size=10, beta=0.05)
    >>> round(found.loss, 1), round(found.margin, 2)
    (136.5, 13.65)
    """
    return plan_recovery_from_uniform_sketch_error(uniform_coordinate_error(noise, atoms, beta), size)


def retained_non_private_mass(tau: float, size: int, top_mass: float) -> float:
    """Retained non-private mass: ‖X-C‖∞ <= tau keeps at least the part 1 - 2·L·tau/M of the top L's mass M > 0.

    >>> retained_non_private_mass(6.5, size=10, top_mass=1300.0)
    0.9
    """
    return 1 - plan_recovery_from_uniform_sketch_error(tau, size).loss / top_mass


@dataclass(frozen=True, slots=True)
class AdmissionRegret:
    """How far each round's choice may be below the best one left; the sum bounds Loss_L."""

    rounds: tuple[float, ...]

    @property
    def loss(self) -> float:
        """The bound on the support-mass loss of all rounds together."""
        return sum(self.rounds)


def sequential_admission_regret(
    atoms: int, epsilons: Sequence[float], coordinate: float, beta: float
) -> AdmissionRegret:
    """Bound the regret of sequential private atom admission (the paper's utility certificate for it).

    L rounds of the exponential mechanism, round t with its own ε_t (``epsilons``) and Δ (``coordinate``). With 1-β, in
    every round u*_t - C_{J_t} <= (2Δ/ε_t)·(ln M_t + ln(L/β)), where M_t = m-t+1 atoms are left; Loss_L is at most the
    sum over the rounds.

    >>> regret = sequential_admission_regret(46, [0.05] * 10, coordinate=1.0, beta=0.05)
    >>> round(regret.rounds[0], 1), round(regret.loss, 1)
    (365.1, 3608.6)
    """
    size = len(epsilons)
    return AdmissionRegret(
        tuple(
            2 * coordinate / epsilon * (math.log(atoms - passed) + math.log(size / beta))
            for passed, epsilon in enumerate(epsilons)
        )
    )


def selected_coordinate_gaussian_value_error(noise: GaussianNoise, size: int, beta: float) -> float:
    """Selected-coordinate Gaussian value error: all L values are within σ_val·√(2·ln(2L/β)) with 1-β.

    The values carry fresh noise after the choice, so the choice does not matter and only L counts.

    >>> round(selected_coordinate_gaussian_value_error(GaussianNoise(sigma=8.06), 10, 0.05), 2)
    27.9
    """
    return gaussian_uniform_coordinate_error(noise, size, beta)


def selected_coordinate_laplace_value_error(noise: LaplaceNoise, size: int, beta: float) -> float:
    """Selected-coordinate Laplace value error: all L values are within b_val·ln(L/β) with 1-β.

    >>> round(selected_coordinate_laplace_value_error(LaplaceNoise(scale=2.0), 10, 0.05), 2)
    10.6
    """
    return laplace_uniform_coordinate_error(noise, size, beta)


@dataclass(frozen=True, slots=True)
class Promised:
    """Bounds that each hold with 1-β, in units of mass.

    ``value_error`` is the largest error of all released values: full-vector or of selected coordinates, as released.
    A top-L margin above ``recovery_margin`` means exact recovery; where atoms are selected, none is known.
    """

    beta: float
    loss: float
    value_error: float
    recovery_margin: float | None

    def retained(self, top_mass: float) -> float:
        """Return the least MassRetained, where the top L has this mass: what the bound on the loss leaves of it."""
        return 1 - self.loss / top_mass


def promised(
    mechanism: AnyMechanism,
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    beta: float,
    besides: int = 0,
) -> Promised:
    """Bound a release that admits exactly ``size`` atoms.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit
    >>> from dpspin.boundary.mechanisms import Laplace
    >>> record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> found = promised(Laplace(), PrivacyLoss(1.0), record, atoms=46, size=10, beta=0.05)
    >>> round(found.loss, 1), round(found.value_error, 2), round(found.retained(1000.0), 3)
    (136.5, 6.82, 0.864)
    """
    noise = noise_of(mechanism, loss, sensitivity, atoms=atoms, size=size, besides=besides)
    regret = mechanism.regret(Task(loss, sensitivity, atoms, size, besides), beta)
    if regret is None:
        found = high_probability_plan_recovery(noise, atoms, size, beta)
        return Promised(beta, found.loss, uniform_coordinate_error(noise, atoms, beta), found.margin)
    value_error = (
        selected_coordinate_laplace_value_error(noise, size, beta)
        if isinstance(noise, LaplaceNoise)
        else selected_coordinate_gaussian_value_error(noise, size, beta)
    )
    return Promised(beta, regret.all_choices / TICKS_PER_MASS, value_error, None)


def promised_by(plan: SemanticPlan, beta: float) -> Promised:
    """Bound the release that a plan states; there is no certificate for one of fewer atoms, or of a sample."""
    statement, rules = plan.statement, plan.rules
    if not isinstance(statement.sampling, Everyone) or rules.admission != "fixed":
        raise RequestError("the utility certificates are for releases of everyone that admit exactly L atoms")
    return promised(
        statement.mechanism,
        statement.loss,
        sensitivity_of(statement.unit, statement.adjacency, statement.quantity),
        atoms=plan.dictionary.size,
        size=rules.size,
        beta=beta,
        besides=statement.contribution_map.besides,
    )
