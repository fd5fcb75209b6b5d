"""The mechanisms, one file each. A new one is registered by its place in this union, and named in `cli/flags.toml`."""

from typing import Annotated, Final, get_args

from pydantic import Field

from dpspin.boundary.mechanisms.base import noise_of
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.private_top_l import Accounting, PrivateTopL, ValueNoise
from dpspin.boundary.mechanisms.set_em import SetSelection

AnyMechanism = Laplace | Gaussian | PrivateTopL | SetSelection
Mechanism = Annotated[AnyMechanism, Field(discriminator="kind")]
MECHANISMS: Final[tuple[type[AnyMechanism], ...]] = get_args(AnyMechanism)

__all__ = [
    "MECHANISMS",
    "Accounting",
    "AnyMechanism",
    "Gaussian",
    "Laplace",
    "Mechanism",
    "PrivateTopL",
    "SetSelection",
    "ValueNoise",
    "noise_of",
]
