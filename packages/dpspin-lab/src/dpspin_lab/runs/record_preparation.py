"""How records become prepared ones: a map is fitted on the auxiliary part, and both parts are mapped.

The paper's map learns the words' frequencies. The hybrid learns from the auxiliary labels where records have them, else
from the dictionary's own examples. Where it learned from the auxiliary records, these are mapped by classifiers that
did not: it knows their labels by heart, and the public-only plan would state those instead of what a map measures.

The controlled probe is one public atom that no real record is about, and synthetic records that express it. The atom is
in the dictionary before the release, and its records are in the target alone: what is measured is the private admission
of a known coordinate, not the discovery of a new one. At user level each probe record is written by a user of its own,
so that s is the number of protected units behind the probe, at either level.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.software import SOFTWARE
from dpspin.curator.assign.calibrated_fits import fit_hybrid, fit_names, hybrid_fitting
from dpspin.curator.assign.calibrated_map import as_if_new
from dpspin.curator.assign.contribution import ContributionMap, Contributions, Ints
from dpspin.curator.assign.labelled_texts import read_labels
from dpspin.curator.assign.paper_map import AuxiliaryIdf, NgramMap
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split
from dpspin_lab.runs.config import MapName
from dpspin_lab.runs.mapped_records import Mapped
from dpspin_lab.runs.prepared import Prepared

PROBE_LABEL: Final = "synthetic probe zeppelin ballast"
PROBE_RECORDS: Final = (
    "Synthetic probe: the zeppelin ballast.",
    "About zeppelin ballast, a synthetic probe.",
    "Zeppelin ballast again; synthetic probe zeppelin ballast.",
    "Synthetic probe zeppelin ballast, and ballast of that zeppelin.",
    "This synthetic probe is of zeppelin ballast.",
)
SUPPORTS: Final = (0, 5, 10, 20, 50, 100, 200)
AT_ONCE = 20_000  # records per batch of the map: long texts need room


def with_probe(universe: AtomUniverse) -> AtomUniverse:
    """Return the dictionary with the probe atom at its end, so that ties go to the others."""
    probe = Atom(id=AtomId(max(universe.ids) + 1), label=PROBE_LABEL, description="a controlled probe of the lab")
    return universe.model_copy(update={"name": f"{universe.name}-probe", "atoms": (*universe.atoms, probe)})


def probe_position(universe: AtomUniverse) -> int:
    """Return the coordinate of the probe atom."""
    return next(place for place, atom in enumerate(universe.atoms) if atom.label == PROBE_LABEL)


def has_probe(universe: AtomUniverse) -> bool:
    """Tell whether a dictionary has the probe atom."""
    return any(atom.label == PROBE_LABEL for atom in universe.atoms)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How records are prepared; ``labelled`` is whether their paths are atoms, so that the truth is known."""

    assignment_map: MapName = "ngram"
    labelled: bool = False
    probe: bool = False


PAPERS = Recipe()


def prepared_files(
    folder: Path, split: Split, universe: AtomUniverse, ks: Sequence[int], recipe: Recipe = PAPERS
) -> dict[int, Path]:
    """Return the file of the prepared records for each K; what is not there yet is prepared, with one fit for all."""
    records = digest_of_records(split.auxiliary, split.target)
    made = {k: digest_of([records, universe.digest, k, asdict(recipe), SOFTWARE]) for k in ks}
    paths = {k: folder / f"{_name(universe, recipe)}-K{k}-{made[k][-12:]}.npz" for k in ks}
    if missing := [k for k in ks if not paths[k].exists()]:
        atoms, fitted = _fitted(split.auxiliary, universe, recipe)
        for k in missing:
            prepare_by(fitted(k), split, atoms, labelled=recipe.labelled).write(paths[k])
    return paths


def fit(auxiliary: Corpus, universe: AtomUniverse, *, probe: bool = False) -> tuple[AtomUniverse, NgramMap]:
    """Fit the paper's map on auxiliary text and the atoms' own words; no probe record is seen by the fit."""
    atoms = with_probe(universe) if probe else universe
    return atoms, NgramMap.fit(atoms, AuxiliaryIdf(_batches(auxiliary.texts)))


def prepare_by(mapping: ContributionMap, split: Split, atoms: AtomUniverse, *, labelled: bool = False) -> Prepared:
    """Map both parts; the probe's records too, where its atom is in the dictionary."""
    probe = has_probe(atoms)
    coordinates = atoms.size + mapping.statement.besides
    compared = labelled and not probe
    return Prepared(
        dataset=split.target.name,
        universe=atoms,
        statement=mapping.statement,
        people=split.target,
        target=_mapped(mapping, split.target),
        auxiliary=_mapped(as_if_new(mapping), split.auxiliary),
        probes=Mapped(_contributions(mapping, PROBE_RECORDS)) if probe else None,
        truth=_true(split.target, atoms, coordinates) if compared else None,
        auxiliary_truth=_true(split.auxiliary, atoms, coordinates) if compared else None,
    )


def digest_of_records(*parts: Corpus) -> str:
    """Identify corpora by their ids, texts, users and paths."""
    content = hashlib.sha256()
    for corpus in parts:
        for column in (corpus.ids, corpus.texts, corpus.users or (), corpus.paths):
            content.update("\x00".join(column).encode("utf-8", "surrogatepass") + b"\x01")
    return content.hexdigest()


def _fitted(
    auxiliary: Corpus, universe: AtomUniverse, recipe: Recipe
) -> tuple[AtomUniverse, Callable[[int], ContributionMap]]:
    """Return the dictionary and the map by K."""
    if recipe.assignment_map == "ngram":
        atoms, fitted = fit(auxiliary, universe, probe=recipe.probe)
        return atoms, lambda k: replace(fitted, atoms_per_record=k)
    if recipe.assignment_map == "names":
        return universe, lambda k: fit_names(universe, k)
    if not recipe.labelled:
        return universe, lambda k: fit_hybrid(universe, None, k)
    taught = hybrid_fitting(universe, read_labels(universe, auxiliary.texts, auxiliary.paths))
    return universe, taught.cut


def _true(target: Corpus, atoms: AtomUniverse, coordinates: int) -> Mapped:
    place = {atom.label: position for position, atom in enumerate(atoms.atoms)}
    known = np.array([path in place for path in target.paths])
    labels = np.array([place[path] for path in target.paths if path in place], np.int64)
    offsets = np.r_[0, np.cumsum(known)].astype(np.int64)
    return Mapped(Contributions(offsets, labels, np.full(len(labels), TICKS_PER_MASS), coordinates, 1))


def _name(universe: AtomUniverse, recipe: Recipe) -> str:
    if recipe.probe:
        return f"m{universe.size + 1}-probe"
    return f"m{universe.size}" if recipe.assignment_map == "ngram" else f"m{universe.size}-{recipe.assignment_map}"


def _mapped(mapping: ContributionMap, corpus: Corpus) -> Mapped:
    return Mapped(_contributions(mapping, corpus.texts), None if corpus.users is None else _numbers(corpus.users))


def _contributions(mapping: ContributionMap, texts: Sequence[str]) -> Contributions:
    first, *more = [Mapped(mapping(batch)) for batch in _batches(texts)]
    for part in more:
        first = first.and_others(part)
    return first.given


def _numbers(users: Sequence[str]) -> Ints:
    numbers: Ints = np.unique(np.array(users, np.str_), return_inverse=True)[1].astype(np.int64)
    return numbers


def _batches(texts: Sequence[str]) -> list[pa.Array]:
    starts = range(0, max(1, len(texts)), AT_ONCE)
    return [pa.array(texts[start : start + AT_ONCE], pa.large_string()) for start in starts]
