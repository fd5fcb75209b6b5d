"""How records become prepared ones: split, dictionary from the auxiliary part, the paper's map, both parts mapped."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.sealed import digest_of
from dpspin.boundary.software import SOFTWARE
from dpspin.curator.stage1_assign.contribution import Contributions, Ints
from dpspin.curator.stage1_assign.scorers.idf import AuxiliaryIdf
from dpspin.curator.stage1_assign.scorers.ngram import NgramMap
from dpspin.lab.datasets.corpus import Corpus
from dpspin.lab.datasets.split import Split
from dpspin.lab.probe import PROBE_RECORDS, with_probe
from dpspin.lab.runs.mapped import Mapped
from dpspin.lab.runs.prepared import Prepared, prepared_at

AT_ONCE = 20_000  # records per batch of the map: long texts need room

Dictionary = Callable[[Corpus, int], AtomUniverse]  # auxiliary records and m


@dataclass(frozen=True, slots=True)
class Recipe:
    """The public choices of Stage I that a prepared file rests on."""

    m: int
    per_record: int
    probe: bool = False


def prepared_file(folder: Path, split: Split, dictionary: Dictionary, recipe: Recipe) -> Path:
    """Return the file of the prepared records; they are prepared where no file is there yet."""
    made_from = digest_of([_records(split), recipe.m, recipe.per_record, recipe.probe, SOFTWARE])
    name = f"m{recipe.m}-K{recipe.per_record}{'-probe' if recipe.probe else ''}-{made_from[-12:]}.npz"
    path = folder / name
    if not path.exists():
        prepare(split, dictionary(split.auxiliary, recipe.m), recipe, made_from).write(path)
    return path


def prepare(split: Split, universe: AtomUniverse, recipe: Recipe, made_from: str) -> Prepared:
    """Fit the paper's map on auxiliary text and map both splits; no probe record is seen by the fit."""
    atoms = with_probe(universe) if recipe.probe else universe
    fitted = NgramMap.fit(atoms, AuxiliaryIdf(_batches(split.auxiliary.texts)), recipe.per_record)
    return Prepared(
        dataset=split.target.name,
        universe=atoms,
        statement=fitted.statement,
        people=split.target,
        target=_mapped(fitted, split.target),
        auxiliary=_mapped(fitted, split.auxiliary),
        probes=Mapped(_contributions(fitted, PROBE_RECORDS)) if recipe.probe else None,
        made_from=made_from,
    )


def opened(folder: Path, split: Split, dictionary: Dictionary, recipe: Recipe) -> Prepared:
    """Prepare records, or read what was prepared before."""
    return prepared_at(prepared_file(folder, split, dictionary, recipe))


def _mapped(fitted: NgramMap, corpus: Corpus) -> Mapped:
    return Mapped(_contributions(fitted, corpus.texts), None if corpus.users is None else _numbers(corpus.users))


def _contributions(fitted: NgramMap, texts: Sequence[str]) -> Contributions:
    parts = [fitted(batch) for batch in _batches(texts)]
    joined = parts[0]
    for part in parts[1:]:
        joined = Mapped(joined).and_others(Mapped(part)).given
    return joined


def _numbers(users: Sequence[str]) -> Ints:
    numbers: Ints = np.unique(np.array(users, np.str_), return_inverse=True)[1].astype(np.int64)
    return numbers


def _batches(texts: Sequence[str]) -> list[pa.Array]:
    starts = range(0, max(1, len(texts)), AT_ONCE)
    return [pa.array(texts[start : start + AT_ONCE], pa.large_string()) for start in starts]


def _records(split: Split) -> str:
    content = hashlib.sha256()
    for corpus in (split.auxiliary, split.target):
        for column in (corpus.ids, corpus.texts, corpus.users or ()):
            content.update("\x00".join(column).encode("utf-8", "surrogatepass") + b"\x01")
    return content.hexdigest()
