"""How records become prepared ones: the paper's map is fitted on the auxiliary part, and both parts are mapped."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
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
from dpspin.lab.probe import PROBE_RECORDS, has_probe, with_probe
from dpspin.lab.runs.mapped import Mapped
from dpspin.lab.runs.prepared import Prepared

AT_ONCE = 20_000  # records per batch of the map: long texts need room


def prepared_files(
    folder: Path, split: Split, universe: AtomUniverse, ks: Sequence[int], *, probe: bool = False
) -> dict[int, Path]:
    """Return the file of the prepared records for each K; what is not there yet is prepared, with one fit for all."""
    records = digest_of_records(split.auxiliary, split.target)
    made = {k: digest_of([records, universe.digest, k, probe, SOFTWARE]) for k in ks}
    paths = {k: folder / f"{_name(universe, probe=probe)}-K{k}-{made[k][-12:]}.npz" for k in ks}
    if missing := [k for k in ks if not paths[k].exists()]:
        atoms, fitted = fit(split.auxiliary, universe, probe=probe)
        for k in missing:
            prepare(split, atoms, fitted, k).write(paths[k])
    return paths


def fit(auxiliary: Corpus, universe: AtomUniverse, *, probe: bool = False) -> tuple[AtomUniverse, NgramMap]:
    """Fit the paper's map on auxiliary text and the atoms' own words; no probe record is seen by the fit."""
    atoms = with_probe(universe) if probe else universe
    return atoms, NgramMap.fit(atoms, AuxiliaryIdf(_batches(auxiliary.texts)))


def prepare(split: Split, atoms: AtomUniverse, fitted: NgramMap, per_record: int) -> Prepared:
    """Map both parts to at most K atoms per record; the probe's records too, where its atom is in the dictionary."""
    mapping = replace(fitted, atoms_per_record=per_record)
    return Prepared(
        dataset=split.target.name,
        universe=atoms,
        statement=mapping.statement,
        people=split.target,
        target=_mapped(mapping, split.target),
        auxiliary=_mapped(mapping, split.auxiliary),
        probes=Mapped(_contributions(mapping, PROBE_RECORDS)) if has_probe(atoms) else None,
    )


def digest_of_records(*parts: Corpus) -> str:
    """Identify corpora by their ids, texts and users."""
    content = hashlib.sha256()
    for corpus in parts:
        for column in (corpus.ids, corpus.texts, corpus.users or ()):
            content.update("\x00".join(column).encode("utf-8", "surrogatepass") + b"\x01")
    return content.hexdigest()


def _name(universe: AtomUniverse, *, probe: bool) -> str:
    return f"m{universe.size + 1}-probe" if probe else f"m{universe.size}"


def _mapped(mapping: NgramMap, corpus: Corpus) -> Mapped:
    return Mapped(_contributions(mapping, corpus.texts), None if corpus.users is None else _numbers(corpus.users))


def _contributions(mapping: NgramMap, texts: Sequence[str]) -> Contributions:
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
