"""Plans for tests, built the way a release builds them."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from dpspin.boundary.accounting import Cost, Neighbours
from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.certify import ReadingRules, SupportBin, certificates, three_bins
from dpspin.boundary.denominator import PublicNumber
from dpspin.boundary.mechanisms import Laplace, noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import DictionaryRef, NotRead, Uncovered
from dpspin.boundary.postprocess import admitted_positions, entries_of, noisy_sketch_of, read_mass
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.ledger import Charge


def universe_of(atoms: Sequence[Atom], name: str = "test atoms") -> AtomUniverse:
    return AtomUniverse(
        name=name, version="1", provenance=Provenance(source="handwritten", note="for tests"), atoms=tuple(atoms)
    )


class WeightsMap:
    """A map that answers "none of these": a function gives each readable text its weights, none last."""

    def __init__(self, atoms: int, weigh: Callable[[str], Sequence[float]], name: str = "weights") -> None:
        self._coordinates, self._weigh = atoms + 1, weigh
        self.statement = MapStatement(
            name=name, fitted_on="nothing", atoms_per_record=atoms, digest=f"sha256:{name}", answers_none=True
        )

    def __call__(self, texts: pa.StringArray) -> Contributions:
        rows = [[0.0] * self._coordinates if text is None else self._weigh(text) for text in texts.to_pylist()]
        weights = np.array(rows, np.float64).reshape(len(rows), self._coordinates)
        records, coordinates = np.nonzero(weights)
        offsets = np.r_[0, np.cumsum(np.bincount(records, minlength=len(rows)))].astype(np.int64)
        return Contributions.from_weights(
            offsets,
            coordinates,
            weights[records, coordinates],
            universe_size=self._coordinates,
            atoms_per_record=self._coordinates,
        )


OF_RECORDS = Neighbours("record", Adjacency.ADD_DROP)


def price(epsilon: float, delta: float = 0.0, neighbours: Neighbours = OF_RECORDS) -> Cost:
    """Return the cost of a release that is as good as pure, for tests of the ledger."""
    return Cost(PrivacyLoss(epsilon, delta), pure_rho(epsilon), neighbours)


def charge_to(
    dataset: str, fingerprint: str, cost: Cost, request_json: str = '{"mechanism":{"kind":"laplace"}}', **more: object
) -> Charge:
    """Return what a release asks of a ledger."""
    return Charge(dataset, fingerprint, cost, request_json, **more)


def plan_of(
    universe: AtomUniverse,
    masses: Sequence[float],
    *,
    denominator: int = 2000,
    epsilon: float = 1.0,
    size: int = 10,
    admission: str = "threshold",
    bins: tuple[SupportBin, ...] = three_bins(0.05, 0.02),
    beta: float = 0.05,
    unit=None,
    none: float | None = None,
    not_read: float | None = None,
) -> SemanticPlan:
    """Build the Laplace plan of these noisy masses; with ``none`` or ``not_read``, of a map that measures it."""
    unit = unit or RecordUnit()
    loss, mechanism = PrivacyLoss(epsilon), Laplace()
    size = min(size, universe.size)
    shape = {"atoms": universe.size, "size": size, "besides": (none is not None) + (not_read is not None)}
    noise = noise_of(mechanism, loss, sensitivity_of(unit, Adjacency.ADD_DROP), **shape)
    rules = ReadingRules(
        size=size,
        admission=admission,
        beta=beta,
        bins=bins,
        certificates=certificates(mechanism, noise, **shape, beta=beta),
    )
    return SemanticPlan(
        title="a test corpus",
        software="dpspin test",
        dictionary=DictionaryRef(
            name=universe.name, version=universe.version, digest=universe.digest, size=universe.size
        ),
        denominator=PublicNumber(value=denominator),
        statement=PrivacyStatement(
            unit=unit,
            adjacency=Adjacency.ADD_DROP,
            loss=loss,
            mechanism=mechanism,
            noise=noise,
            randomness="os-csprng",
            separation=NO_TEXTS,
            contribution_map=MapStatement(
                name="ngram",
                fitted_on="nothing",
                atoms_per_record=3,
                digest="sha256:0",
                answers_none=none is not None,
                languages=() if not_read is None else ("en",),
            ),
        ),
        rules=rules,
        not_read=None if not_read is None else NotRead(**read_mass(not_read, PublicNumber(value=denominator), rules)),
        uncovered=None if none is None else Uncovered(**read_mass(none, PublicNumber(value=denominator), rules)),
        entries=entries_of(
            [(position, masses[position]) for position in admitted_positions(masses, rules)],
            universe,
            PublicNumber(value=denominator),
            rules,
        ),
        noisy_sketch=noisy_sketch_of(universe, masses),
    )


PAPER_UNIVERSE = universe_of(
    [
        Atom(id=17, label="long wait", description="Guests wait a long time to be seated or served."),
        Atom(id=42, label="friendly staff", description="Staff are kind and welcoming."),
        Atom(id=81, label="food quality", description="How good the food is."),
        Atom(id=99, label="parking problems", description="Parking is hard to find or expensive."),
    ],
    name="restaurant themes",
)
PAPER_BINS = three_bins(0.15, 0.05)
# The running example of the paper's decoder appendix: 318.4 high, 271.9 moderate, 244.7 moderate.
PAPER_PLAN = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], bins=PAPER_BINS, size=3)
# The same with a map that answers "none of these": text of a mass of 248.1 belongs to none of the four themes.
COVERED_PLAN = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], bins=PAPER_BINS, size=3, none=248.1)
