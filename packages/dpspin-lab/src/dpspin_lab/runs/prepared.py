"""Stage I once per dataset, dictionary and K: kept in one file, from which every run of a grid starts."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, baseline_of
from dpspin.boundary.folders import NOTICE_FILE
from dpspin.boundary.privacy import Adjacency, RecordUnit, UserUnit
from dpspin.boundary.safe_files import write_whole
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import Contributions, Ints
from dpspin.errors import RequestError, SourceError
from dpspin.rehearse import declared_public, masses_of
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import selected
from dpspin_lab.not_private import RANDOMNESS, evaluation_folder
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.mapped_records import Mapped

SHARES_OF: Final = "the auxiliary records, mapped and clipped like the target's"
BASE: Final = 0  # the seed that chooses the probe's fixed base corpus
Key = tuple[object, ...]


@dataclass(frozen=True)
class Prepared:
    """A dictionary, the map's statement, and the records of both splits after the map. ``people`` has no texts.

    ``people`` holds the target's ids and users, by whose hashes units are selected. ``probes`` are the synthetic
    records of the controlled probe, where the dictionary has the probe atom. ``truth`` gives each record of the target
    to the atom that its publisher's label names, where labels are atoms; a record of another label gives nothing.
    ``auxiliary_truth`` does so for the auxiliary records.
    """

    dataset: str
    universe: AtomUniverse
    statement: MapStatement
    people: Corpus = field(repr=False)
    target: Mapped
    auxiliary: Mapped
    probes: Mapped | None = None
    truth: Mapped | None = None
    auxiliary_truth: Mapped | None = None

    def origin(self, unit: RecordUnit | UserUnit, adjacency: Adjacency) -> SketchOrigin:
        """Say what a sketch of these records measures."""
        separation = declared_public(self.universe, self.statement)
        return SketchOrigin.of(self.universe, self.statement, unit, adjacency, separation=separation)

    def sketch(self, records: Mapped, unit: RecordUnit | UserUnit, adjacency: Adjacency) -> Sketch:
        """Return the exact sketch of some records, as the product's own engine would."""
        return Sketch(records.ticks(unit), self.origin(unit, adjacency), records.units(unit))

    def baseline(self, unit: RecordUnit | UserUnit) -> Baseline:
        """Return the auxiliary shares, which are public."""
        ticks = self.auxiliary.ticks(unit).astype(np.float64).tolist()
        none = ticks.pop() if self.statement.answers_none else None
        return baseline_of(self.universe, dict(zip(self.universe.ids, ticks, strict=True)), none, source=SHARES_OF)

    def write(self, path: Path) -> None:
        """Keep everything in one file, whole or not at all."""
        buffer = BytesIO()
        about = np.array(json.dumps(self._header()))
        np.savez_compressed(buffer, **_mark(), about=about, **_people(self.people), **self._arrays())
        evaluation_folder(path.parent)
        write_whole(path, buffer.getvalue())

    def _header(self) -> dict[str, Any]:
        return {
            "private": False,
            "randomness": RANDOMNESS,
            "dataset": self.dataset,
            "universe": self.universe.published.model_dump(mode="json"),
            "statement": self.statement.model_dump(mode="json"),
        }

    def _arrays(self) -> dict[str, Any]:
        parts = {
            "target": self.target,
            "auxiliary": self.auxiliary,
            "probes": self.probes,
            "truth": self.truth,
            "auxiliary_truth": self.auxiliary_truth,
        }
        known = {name: part for name, part in parts.items() if part is not None}
        return {f"{name}_{key}": array for name, part in known.items() for key, array in _columns(part).items()}


def read_prepared(path: Path) -> Prepared:
    """Read what ``write`` kept; the bounds of every contribution are checked again."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        header = json.loads(str(arrays["about"]))
    except (OSError, ValueError, KeyError, BadZipFile):
        raise SourceError(f"{path.name} does not hold prepared records; remove it and prepare them again") from None
    universe = AtomUniverse.model_validate(header["universe"])
    statement = MapStatement.model_validate(header["statement"])

    def part(name: str) -> Mapped:
        return _mapped(arrays, name, universe.size, statement)

    return Prepared(
        dataset=header["dataset"],
        universe=universe,
        statement=statement,
        people=_corpus(arrays, header["dataset"]),
        target=part("target"),
        auxiliary=part("auxiliary"),
        **{name: part(name) for name in ("probes", "truth", "auxiliary_truth") if f"{name}_offsets" in arrays},
    )


prepared_at = lru_cache(maxsize=4)(read_prepared)  # a worker's runs come sorted by what they start from


def _mark() -> dict[str, Any]:
    """Come first, under a name that whoever lists the file sees."""
    return {NOTICE_FILE.removesuffix(".txt"): np.array(RANDOMNESS)}


def _columns(part: Mapped) -> dict[str, Any]:
    given = part.given
    columns = {"offsets": given.offsets, "atoms": given.atoms.astype(np.int32), "ticks": given.ticks}
    return columns if part.users is None else {**columns, "users": part.users}


def _mapped(arrays: dict[str, Any], name: str, size: int, statement: MapStatement) -> Mapped:
    offsets, atoms, ticks = (arrays[f"{name}_{key}"].astype(np.int64) for key in ("offsets", "atoms", "ticks"))
    most, none = statement.atoms_per_record, statement.answers_none  # "none of these" comes beside the K atoms
    given = Contributions(offsets, atoms, ticks, size + none, None if most is None else most + none)
    return Mapped(given, arrays.get(f"{name}_users"))


def _people(people: Corpus) -> dict[str, Any]:
    named = {"ids": np.array(people.ids, np.str_)}
    return named if people.users is None else {**named, "names": np.array(people.users, np.str_)}


def _corpus(arrays: dict[str, Any], name: str) -> Corpus:
    ids = tuple(arrays["ids"].tolist())
    nothing = ("",) * len(ids)
    users = tuple(arrays["names"].tolist()) if "names" in arrays else None
    return Corpus(name, ids, nothing, users, nothing, nothing, nothing)


@dataclass(frozen=True, slots=True)
class Start:
    """The exact sketch of the selected units. It is what a release protects, so nothing of it may leave the lab."""

    prepared: Prepared
    sketch: Sketch
    masses: list[float] = field(repr=False)
    records: int
    users: int | None
    mapped: list[float] = field(repr=False)  # before users are clipped
    true: list[float] | None = field(repr=False)  # by the publisher's labels, where these are atoms


def key_of(config: RunConfig) -> Key:
    """Say which runs share a start: those that protect the same units, mapped and clipped alike."""
    chosen_by = config.seed if config.probe_support is None else BASE
    return (config.m, config.K, config.n, chosen_by, config.B or 0.0, config.probe_support or 0, config.adjacency.value)


def start_of(config: RunConfig, prepared: Prepared) -> Start:
    """Select the units by the run's seed, and sum what they give."""
    stated = prepared.statement
    if prepared.universe.size != config.m or stated.atoms_per_record != config.K:
        raise RequestError("the prepared records have another dictionary size or another K than the run asks for")
    if stated.name != config.assignment_map:
        raise RequestError(f"the records were prepared by the map {stated.name}, not by {config.assignment_map}")
    probe = config.probe_support is not None
    rows = _rows(config, prepared, BASE if probe else config.seed)
    chosen = prepared.target.part(rows)
    records = chosen.and_others(_probes(config, prepared)) if probe else chosen
    sketch = prepared.sketch(records, config.unit, config.adjacency)
    return Start(
        prepared,
        sketch,
        masses=masses_of(sketch)[: prepared.universe.size].tolist(),
        records=records.records,
        users=None if records.users is None else len(np.unique(records.users)),
        mapped=_masses(records, prepared),
        true=None if prepared.truth is None else _masses(prepared.truth.part(rows), prepared),
    )


def _rows(config: RunConfig, prepared: Prepared, seed: int) -> Ints:
    """Select the units; of D_s, the paper's probe corpus, the fixed base of n - s."""
    n, by_user = config.n - (config.probe_support or 0), config.protected_unit == "user"
    if n < 1:
        raise RequestError("a probe run needs a base corpus besides its probe records: n must be above the support")
    rows = selected(prepared.people, by_user=by_user, n=n, seed=seed, strict=config.strict_sample_size)
    return np.array(rows, np.int64)


def _probes(config: RunConfig, prepared: Prepared) -> Mapped:
    if prepared.probes is None:
        raise RequestError("a probe run needs records prepared with the probe atom")
    return prepared.probes.part(np.arange(config.probe_support or 0) % prepared.probes.records)


def _masses(records: Mapped, prepared: Prepared) -> list[float]:
    """Sum records as they are, without "none of these"."""
    masses: list[float] = np.ldexp(records.ticks(RecordUnit()), -30, dtype=np.float64)[
        : prepared.universe.size
    ].tolist()
    return masses
