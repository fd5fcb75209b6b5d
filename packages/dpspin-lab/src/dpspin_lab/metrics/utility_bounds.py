"""What the paper's utility certificates promise of one release: bounds on the very metrics that runs report."""

from dataclasses import dataclass

from dpspin.boundary.mechanisms import AnyMechanism, noise_of
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.noise import LaplaceNoise
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, Everyone, PrivacyLoss
from dpspin.boundary.sensitivity import Sensitivity, sensitivity_of
from dpspin.errors import RequestError
from dpspin_lab.metrics.utility_certificates import (
    high_probability_plan_recovery,
    selected_coordinate_gaussian_value_error,
    selected_coordinate_laplace_value_error,
    uniform_coordinate_error,
)


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
