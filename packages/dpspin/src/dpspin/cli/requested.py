"""What shared options stand for: their words and numbers as the boundary's types, or a refusal that names the option.

The boundary is imported inside, so that ``dpspin --help`` stays quick.
"""

from typing import TYPE_CHECKING

from dpspin.cli.options import AccountingName, MechanismName, MissingUsersName, QuantityName, Unit
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.boundary.certify import CertifiedMargins, FixedMargin, SupportBin
    from dpspin.boundary.denominator import CountShare, PublicNumber, TotalMass
    from dpspin.boundary.mechanisms import AnyMechanism
    from dpspin.boundary.planner import Auto
    from dpspin.boundary.privacy import Everyone, Mass, PoissonSample, Prevalence, RecordUnit, UserUnit

LONGEST_NUMBER = 100  # digits; Python refuses to read numbers of thousands


def unit_of(unit: Unit, bound: float | None, missing: MissingUsersName | None = None) -> "RecordUnit | UserUnit":
    """Return the protected unit the options describe."""
    from dpspin.boundary.privacy import MissingUsers, RecordUnit, UserUnit

    if unit is Unit.USER:
        return UserUnit(1.0 if bound is None else bound, MissingUsers((missing or MissingUsersName.REFUSE).value))
    if bound is not None or missing is not None:
        raise RequestError("--bound and --missing-users concern users; leave them out with --unit record")
    return RecordUnit()


def size_of(size: int | None, atoms: int) -> int:
    """Return the plan size: ten by default, or the whole of a smaller dictionary."""
    return min(10, atoms) if size is None else size


def mechanism_of(
    name: MechanismName, rho: float | None, *, monotone: bool = False, accounting: AccountingName | None = None
) -> "AnyMechanism | Auto":
    """Return the mechanism the options describe."""
    from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection
    from dpspin.boundary.planner import Auto

    if (monotone or accounting) and name is not MechanismName.PRIVATE_TOP_L:
        raise RequestError("--monotone and --accounting are options of private_topL; leave them out otherwise")
    _require_fitting_rho(name, rho)
    values = 0.5 if rho is None else rho
    match name:
        case MechanismName.LAPLACE:
            return Laplace()
        case MechanismName.GAUSSIAN:
            return Gaussian()
        case MechanismName.PRIVATE_TOP_L:
            added = Accounting((accounting or AccountingName.BASIC).value)
            return PrivateTopL(value_fraction=values, monotone=monotone, accounting=added)
        case MechanismName.SET_EM:
            return SetSelection(value_fraction=values)
        case MechanismName.AUTO:
            return Auto()


def _require_fitting_rho(name: MechanismName, rho: float | None) -> None:
    if rho is not None and name not in {MechanismName.PRIVATE_TOP_L, MechanismName.SET_EM}:
        raise RequestError("--rho splits the budget of private_topL or set_em; leave it out for other mechanisms")
    if rho is not None and not 0 < rho < 1:
        raise RequestError(f"--rho must lie between 0 and 1, not {rho}")


def quantity_of(name: QuantityName, most: int | None) -> "Mass | Prevalence":
    """Return the quantity the options describe."""
    from dpspin.boundary.model_base import explained_as
    from dpspin.boundary.privacy import Mass, Prevalence

    if name is QuantityName.MASS:
        if most is not None:
            raise RequestError("--prevalence-atoms goes with --quantity prevalence")
        return Mass()
    with explained_as(RequestError, "the request"):
        return Prevalence() if most is None else Prevalence(most_atoms=most)


def sampling_of(rate: float | None) -> "Everyone | PoissonSample":
    """Return how units are drawn."""
    from dpspin.boundary.privacy import Everyone, PoissonSample

    if rate is None:
        return Everyone()
    if not 2.0**-30 < rate < 1:
        raise RequestError(f"--sample-rate is a probability between 0 and 1, not {rate}")
    return PoissonSample(rate=rate)


def margin_of(mass: float | None) -> "CertifiedMargins | FixedMargin":
    """Return the policy for statements of order: certified, or the paper's fixed margin."""
    from dpspin.boundary.certify import CertifiedMargins, FixedMargin

    return CertifiedMargins() if mass is None else FixedMargin(mass=mass)


def denominator_of(denominator: str | None, count_share: float | None) -> "PublicNumber | CountShare | TotalMass":
    """Return the denominator the options describe: exactly one of them says what shares refer to."""
    from dpspin.boundary.denominator import CountShare, PublicNumber, TotalMass

    if (denominator is None) == (count_share is None):
        raise RequestError(
            "say what shares refer to: --denominator N (a public number), --denominator total (the total mass), or "
            "--count-share 0.1 (buy a private count); one of them"
        )
    if count_share is not None:
        if not 0 < count_share < 1:
            raise RequestError(
                f"--count-share is the part of epsilon for the count, between 0 and 1, not {count_share}"
            )
        return CountShare(share=count_share)
    if denominator == "total":
        return TotalMass()
    digits = (denominator or "").replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > LONGEST_NUMBER or not 1 <= int(digits) <= 2**53:
        raise RequestError("--denominator takes a whole number from 1 to 2^53, or the word total")
    return PublicNumber(value=int(digits))


def bins_of(floors: str | None) -> "tuple[SupportBin, ...] | None":
    """Read ``0.05,0.02`` as: high from 0.05, moderate from 0.02, low below."""
    from dpspin.boundary.certify import three_bins

    if floors is None:
        return None
    try:
        high, moderate = (float(part) for part in floors.split(","))
    except ValueError:
        raise RequestError(f"--bins takes two supports, for example 0.05,0.02, not {floors!r}") from None
    if not 0 < moderate < high:
        raise RequestError("--bins takes the floor of high, then the smaller floor of moderate, both above 0")
    return three_bins(high, moderate)
