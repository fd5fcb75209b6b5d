"""The mechanisms a run can name: the paper's three, and what this project adds to them."""

from enum import StrEnum
from typing import Final

from dpspin.boundary.mechanisms import Accounting, AnyMechanism, Gaussian, Laplace, PrivateTopL, SetSelection
from dpspin.boundary.planner import Auto
from dpspin.boundary.privacy import PrivacyLoss


class MechanismName(StrEnum):
    """How a plan comes about. The first three are the paper's and have its names.

    ``private_topL_tight`` is the paper's admission with the monotone exponent and joint zCDP accounting; ``set_em``
    admits a whole set in one draw; ``auto`` lets public numbers choose; ``laplace_eb`` reads the Laplace sketch beside
    the auxiliary shares (empirical Bayes, free); ``public_only`` lists the auxiliary top L and never asks the records.
    """

    LAPLACE = "laplace"
    GAUSSIAN = "gaussian"
    PRIVATE_TOP_L = "private_topL"
    TIGHT_TOP_L = "private_topL_tight"
    SET_EM = "set_em"
    AUTO = "auto"
    LAPLACE_EB = "laplace_eb"
    PUBLIC_ONLY = "public_only"


PAPERS: Final = (MechanismName.LAPLACE, MechanismName.GAUSSIAN, MechanismName.PRIVATE_TOP_L)
BEYOND: Final = tuple(name for name in MechanismName if name not in PAPERS)
WITHOUT_WORDS: Final = frozenset((MechanismName.LAPLACE_EB, MechanismName.PUBLIC_ONLY))

TITLES: Final = {
    MechanismName.LAPLACE: "Laplace sketch + top-L",
    MechanismName.GAUSSIAN: "Gaussian sketch + top-L",
    MechanismName.PRIVATE_TOP_L: "Private top-L admission + Gaussian values",
    MechanismName.TIGHT_TOP_L: "Private top-L, tight accounting",
    MechanismName.SET_EM: "Set selection + Laplace values",
    MechanismName.AUTO: "Chosen by the planner",
    MechanismName.LAPLACE_EB: "Laplace sketch + empirical Bayes",
    MechanismName.PUBLIC_ONLY: "Public-only plan (no records)",
}


def mechanism_of(name: MechanismName, rho: float) -> AnyMechanism | Auto | None:
    """Return what is asked of Stage II; None where nothing is asked.

    >>> mechanism_of(MechanismName.PRIVATE_TOP_L, rho=0.5).value_fraction
    0.5
    """
    asked: dict[MechanismName, AnyMechanism | Auto | None] = {
        MechanismName.LAPLACE: Laplace(),
        MechanismName.GAUSSIAN: Gaussian(),
        MechanismName.PRIVATE_TOP_L: PrivateTopL(value_fraction=rho),
        MechanismName.TIGHT_TOP_L: PrivateTopL(value_fraction=rho, monotone=True, accounting=Accounting.ZCDP),
        MechanismName.SET_EM: SetSelection(value_fraction=rho),
        MechanismName.AUTO: Auto(),
        MechanismName.LAPLACE_EB: Laplace(),
        MechanismName.PUBLIC_ONLY: None,
    }
    return asked[name]


def effective_loss(name: MechanismName, epsilon: float, delta: float) -> PrivacyLoss | None:
    """Return the paper's (eps_eff, delta_eff): pure mechanisms spend no delta, the public-only plan nothing at all.

    >>> effective_loss(MechanismName.LAPLACE, 1.0, 1e-6)
    PrivacyLoss(epsilon=1.0, delta=0.0)
    """
    if name is MechanismName.PUBLIC_ONLY:
        return None
    pure = {MechanismName.LAPLACE, MechanismName.LAPLACE_EB, MechanismName.SET_EM}
    return PrivacyLoss(epsilon) if name in pure else PrivacyLoss(epsilon, delta)
