"""What is audited: one line per mechanism, at parameters where a fault shows after few releases.

Epsilon near one, and deltas far above those of a release: counting cannot see an event of chance 10^-6. The code that
calibrates and draws is the same for every epsilon and delta.
"""

from dataclasses import dataclass
from typing import Final

from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Accounting,
    Adjacency,
    AnyQuantity,
    AnySampling,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    PrivateTopL,
    SetSelection,
)
from dpspin.curator.release.draw_plan import ReleaseSpec

BOTH: Final = (Adjacency.ADD_DROP, Adjacency.REPLACE)


@dataclass(frozen=True, slots=True)
class Audited:
    """A mechanism, its claim, and the crowd of other units in which one unit shows best: so many on each atom.

    The crowd also says how many atoms the dictionary has.
    """

    name: str
    mechanism: Mechanism
    loss: PrivacyLoss
    size: int
    crowd: tuple[int, ...]
    adjacencies: tuple[Adjacency, ...] = BOTH  # where the mechanism is offered
    quantity: AnyQuantity = MASS
    sampling: AnySampling = EVERYONE

    @property
    def spec(self) -> ReleaseSpec:
        """The request as a release gets it."""
        return ReleaseSpec(loss=self.loss, mechanism=self.mechanism, size=self.size, denominator=1000)


LAPLACE = Audited("laplace", Laplace(), PrivacyLoss(1.5), size=2, crowd=(1, 1, 1))
GAUSSIAN = Audited("gaussian", Gaussian(), PrivacyLoss(1.0, 0.2), size=2, crowd=(1, 1, 1))
# Nearly all of epsilon on one of the two payments, so that each is seen by itself.
SELECTION = Audited(
    "private_topL, selection", PrivateTopL(value_fraction=0.02), PrivacyLoss(2.0, 1e-3), size=1, crowd=(1, 0, 0)
)
VALUES = Audited("private_topL, values", PrivateTopL(value_fraction=0.98), PrivacyLoss(1.0, 0.2), size=2, crowd=(1, 1))

TIGHT = Audited(
    "private_topL, monotone, zcdp",
    PrivateTopL(value_fraction=0.02, monotone=True, accounting=Accounting.ZCDP),
    PrivacyLoss(1.0, 0.2),
    size=1,
    crowd=(0, 0),
    adjacencies=(Adjacency.ADD_DROP,),
)
SET = Audited("set_em, selection", SetSelection(value_fraction=0.02), PrivacyLoss(1.5), size=1, crowd=(1, 0))
SET_VALUES = Audited("set_em, values", SetSelection(value_fraction=0.98), PrivacyLoss(1.5), size=2, crowd=(1, 1))
PREVALENCE = Audited(
    "prevalence, laplace", Laplace(), PrivacyLoss(1.5), size=2, crowd=(1, 1, 1, 1), quantity=Prevalence(most_atoms=2)
)
SAMPLE = Audited(
    "random sample, laplace",
    Laplace(),
    PrivacyLoss(1.5),
    size=2,
    crowd=(0, 0),
    adjacencies=(Adjacency.ADD_DROP,),
    sampling=PoissonSample(rate=0.2),
)

AUDITED: Final = (LAPLACE, GAUSSIAN, SELECTION, VALUES, TIGHT, SET, SET_VALUES, PREVALENCE, SAMPLE)
