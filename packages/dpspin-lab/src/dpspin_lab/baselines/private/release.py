"""What a private rival releases, and what it says about its privacy."""

from dataclasses import dataclass
from typing import Literal

from dpspin.boundary.privacy import Adjacency, PrivacyLoss, Randomness, RecordUnit, UserUnit
from dpspin.errors import RequestError
from dpspin_lab.baselines.private.draws import GRID, GaussianDraw, LaplaceDraw

DELTA = 1e-6
RECORD = RecordUnit()
Method = Literal["keyword_histogram", "category_histogram", "urania", "urania_joint", "urania_public"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A public keyword or category with its noisy count."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The entries with the largest positive noisy counts, the largest first."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group that passed the noisy size test: its noisy size, and its keywords by noisy count."""

    size: int
    keywords: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The groups that passed, the largest noisy size first."""

    clusters: tuple[Cluster, ...]


Released = Histogram | Clusters


@dataclass(frozen=True, slots=True)
class Charge:
    """One kind of noisy vector, drawn ``times`` times."""

    draw: LaplaceDraw | GaussianDraw
    times: int = 1

    def described(self) -> dict[str, object]:
        """Return what anyone needs to recompute the cost: law, sensitivity and noise, in ones."""
        draw = self.draw
        head: dict[str, object] = {"what": draw.what, "times": self.times}
        if isinstance(draw, LaplaceDraw):
            return head | {"law": "discrete_laplace", "l1": draw.sensitivity.l1, "scale": draw.scale}
        return head | {"law": "discrete_gaussian", "l2": draw.sensitivity.l2 / GRID, "sigma": draw.std}


@dataclass(frozen=True, slots=True)
class LossStatement:
    """The total privacy loss, computed from the draws by the named composition."""

    total: PrivacyLoss
    composition: Literal["basic", "gaussian"]
    charges: tuple[Charge, ...]

    def described(self) -> dict[str, object]:
        """Return it for a file."""
        return {
            "epsilon": self.total.epsilon,
            "delta": self.total.delta,
            "composition": self.composition,
            "draws": [charge.described() for charge in self.charges],
        }


@dataclass(frozen=True, slots=True)
class BaselineRelease:
    """A released object with its promise. Text about it is post-processing of ``released`` alone."""

    method: Method
    released: Released
    loss: LossStatement
    randomness: Randomness
    unit: RecordUnit = RECORD
    adjacency: Adjacency = Adjacency.ADD_DROP


def require_record_level(unit: RecordUnit | UserUnit) -> None:
    """Refuse users: the paper defines these rivals for records only.

    A user's records would move several clusters and any number of keywords, in every round of the clustering.
    """
    if isinstance(unit, UserUnit):
        raise RequestError(
            "the private rivals are defined for records, not users: no bound on what all records of a user contribute "
            "is part of them. Compare at record level, or release a plan with --user"
        )
