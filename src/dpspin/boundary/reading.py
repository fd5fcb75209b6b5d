"""How noisy numbers are read: plan size, admission, bins, certificates, denominator, title. Free to change afterwards.

Everything here is post-processing of released numbers. The curator uses it once after the noise is drawn; anyone may
use it again on a plan that was released, at no cost to privacy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import certificates
from dpspin.boundary.plan import Admission, DictionaryRef, ReadingRules, SemanticPlan, SupportBin, even_share_bins
from dpspin.boundary.postprocess import (
    admitted_positions,
    entries_of,
    noisy_sketch_of,
    quantified_of,
    require_fitting_size,
    uncovered_of,
)
from dpspin.boundary.privacy import PrivacyStatement, Selecting, largest_share
from dpspin.boundary.quantify import QuantifiedShare
from dpspin.boundary.sealed import Sealed, explained_as
from dpspin.errors import DictionaryError, RequestError


class Reading(Sealed):
    """The public choices of a reader; None means the default that fits the release."""

    denominator: int = Field(ge=1, le=2**53)
    size: int = Field(10, ge=1)
    admission: Admission | None = None  # None: fixed for private_topL, threshold otherwise
    beta: float = Field(0.05, ge=1e-12, lt=0.5)
    bins: tuple[SupportBin, ...] | None = None  # None: by the even share of the dictionary
    title: str = ""


@dataclass(frozen=True, slots=True)
class WholeSketch:
    """A noisy mass for every atom, in dictionary order, and one for "none of these" where the map answers it."""

    masses: Sequence[float]
    none: float | None = None


@dataclass(frozen=True, slots=True)
class ChosenAtoms:
    """Noisy masses of the atoms that a private selection chose, and of "none of these", which needs no choice."""

    positions: Sequence[int]
    masses: Sequence[float]
    none: float | None = None


def rules_of(statement: PrivacyStatement, reading: Reading, atoms: int) -> ReadingRules:
    """Return the rules a plan states; refuse choices that do not fit the mechanism or the dictionary."""
    require_fitting_size(reading.size, atoms)
    selects = isinstance(statement.mechanism, Selecting)
    if selects and reading.admission == "threshold":
        raise RequestError(
            f"{statement.mechanism.kind} admits exactly L atoms by its own selection; a threshold does not apply"
        )
    with explained_as(RequestError, "the request"):
        return ReadingRules(
            size=reading.size,
            admission=reading.admission or ("fixed" if selects else "threshold"),
            beta=reading.beta,
            bins=reading.bins or even_share_bins(atoms, largest_share(statement.quantity, statement.unit)),
            certificates=certificates(
                statement.mechanism,
                statement.noise,
                atoms=atoms,
                size=reading.size,
                beta=reading.beta,
                answers_none=statement.contribution_map.answers_none,
            ),
        )


def read_noise(
    noisy: WholeSketch | ChosenAtoms,
    statement: PrivacyStatement,
    universe: AtomUniverse,
    reading: Reading,
    *,
    software: str,
) -> SemanticPlan:
    """Dress noisy masses as a plan (the last lines of Algorithm 2)."""
    rules = rules_of(statement, reading, universe.size)
    card = statement.contribution_map.card
    if card is not None and [atom.atom_id for atom in card.atoms] != list(universe.ids):
        raise DictionaryError("the map's report card is of another dictionary; fit the map again")
    positions = admitted_positions(noisy.masses, rules) if isinstance(noisy, WholeSketch) else noisy.positions
    masses = [noisy.masses[place] for place in positions] if isinstance(noisy, WholeSketch) else noisy.masses
    return SemanticPlan(
        title=reading.title,
        software=software,
        dictionary=DictionaryRef(
            name=universe.name, version=universe.version, digest=universe.digest, size=universe.size
        ),
        denominator=reading.denominator,
        statement=statement,
        rules=rules,
        uncovered=None if noisy.none is None else uncovered_of(noisy.none, reading.denominator, rules),
        entries=entries_of(list(zip(positions, masses, strict=True)), universe, reading.denominator, rules),
        noisy_sketch=noisy_sketch_of(universe, noisy.masses) if isinstance(noisy, WholeSketch) else None,
        quantified=_quantified(noisy, statement, rules),
    )


def _quantified(
    noisy: WholeSketch | ChosenAtoms, statement: PrivacyStatement, rules: ReadingRules
) -> tuple[QuantifiedShare, ...]:
    if isinstance(noisy, ChosenAtoms) or noisy.none is None:
        return ()
    return quantified_of(noisy.masses, noisy.none, statement, rules)


def reread(plan: SemanticPlan, universe: AtomUniverse, reading: Reading) -> SemanticPlan:
    """Read the numbers of a released plan in another way; the same reading gives the same plan."""
    if plan.dictionary.digest != universe.digest:
        raise DictionaryError("this is not the dictionary the plan was made with")
    if plan.noisy_sketch is None and reading.size != plan.rules.size:
        raise RequestError("the themes were chosen for one plan size; another size needs another release")
    return read_noise(_released(plan, universe), plan.statement, universe, reading, software=plan.software)


def _released(plan: SemanticPlan, universe: AtomUniverse) -> WholeSketch | ChosenAtoms:
    none = plan.uncovered.noisy_mass if plan.uncovered else None
    if plan.noisy_sketch is not None:
        return WholeSketch([item.noisy_mass for item in plan.noisy_sketch], none)
    place = {atom_id: position for position, atom_id in enumerate(universe.ids)}
    return ChosenAtoms([place[entry.atom_id] for entry in plan.entries], [e.noisy_mass for e in plan.entries], none)
