"""What runs share that protect the same units: the chosen records and their exact sketch."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dpspin.boundary.privacy import RecordUnit
from dpspin.curator.aggregate.sketch import Sketch
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import RequestError
from dpspin.rehearsal.trials import masses_of
from dpspin_lab.datasets.selection import selected
from dpspin_lab.runs.config import RunConfig
from dpspin_lab.runs.mapped import Mapped
from dpspin_lab.runs.prepared import Prepared

BASE: Final = 0  # the seed that chooses the probe's fixed base corpus


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


Key = tuple[object, ...]


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
