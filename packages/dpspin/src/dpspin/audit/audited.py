"""What is audited: what each mechanism states of itself, and what changes the records before any of them.

Epsilon near one, and deltas far above those of a release: counting cannot see an event of chance 10^-6. The code that
calibrates and draws is the same for every epsilon and delta.
"""

from typing import Final

from dpspin.boundary.mechanisms import MECHANISMS, Laplace
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.privacy import Adjacency, PoissonSample, Prevalence, PrivacyLoss

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
AUDITED: Final = (*(case for mechanism in MECHANISMS for case in mechanism.audited()), PREVALENCE, SAMPLE)
NAMED: Final = {case.name: case for case in AUDITED}
