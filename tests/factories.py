"""Plans for tests, built the way a release builds them."""

from collections.abc import Sequence

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.calibration import noise_of, sensitivity_of
from dpspin.boundary.certify import certificates
from dpspin.boundary.plan import DictionaryRef, ReadingRules, SemanticPlan, SupportBin, three_bins
from dpspin.boundary.postprocess import admitted_positions, entries_of, noisy_sketch_of
from dpspin.boundary.privacy import (
    Adjacency,
    Laplace,
    MapStatement,
    PrivacyLoss,
    PrivacyStatement,
    RecordUnit,
)


def universe_of(atoms: Sequence[Atom], name: str = "test atoms") -> AtomUniverse:
    return AtomUniverse(
        name=name, version="1", provenance=Provenance(source="handwritten", note="for tests"), atoms=tuple(atoms)
    )


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
) -> SemanticPlan:
    """Build the Laplace plan whose noisy masses happen to be ``masses``."""
    unit = unit or RecordUnit()
    loss, mechanism = PrivacyLoss(epsilon), Laplace()
    size = min(size, universe.size)
    noise = noise_of(mechanism, loss, sensitivity_of(unit, Adjacency.ADD_DROP), atoms=universe.size, size=size)
    rules = ReadingRules(
        size=size,
        admission=admission,
        beta=beta,
        bins=bins,
        certificates=certificates(mechanism, noise, atoms=universe.size, size=size, beta=beta),
    )
    return SemanticPlan(
        title="a test corpus",
        software="dpspin test",
        dictionary=DictionaryRef(
            name=universe.name, version=universe.version, digest=universe.digest, size=universe.size
        ),
        denominator=denominator,
        statement=PrivacyStatement(
            unit=unit,
            adjacency=Adjacency.ADD_DROP,
            loss=loss,
            mechanism=mechanism,
            noise=noise,
            randomness="os-csprng",
            contribution_map=MapStatement(name="ngram", fitted_on="nothing", atoms_per_record=3, digest="sha256:0"),
        ),
        rules=rules,
        entries=entries_of(
            [(position, masses[position]) for position in admitted_positions(masses, rules)],
            universe,
            denominator,
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
