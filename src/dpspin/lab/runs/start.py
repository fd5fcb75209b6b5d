"""What runs share that protect the same units: the chosen records and their exact sketch."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from dpspin.curator.stage2_release.sketch import Sketch
from dpspin.errors import RequestError
from dpspin.lab.datasets.selection import selected
from dpspin.lab.runs.config import RunConfig
from dpspin.lab.runs.mapped import Mapped
from dpspin.lab.runs.prepared import Prepared
from dpspin.lab.trials import masses_of

BASE: Final = 0  # the seed that chooses the probe's fixed base corpus


@dataclass(frozen=True, slots=True)
class Start:
    """The exact sketch of the selected units. It is what a release protects, so nothing of it may leave the lab."""

    prepared: Prepared
    sketch: Sketch
    masses: list[float] = field(repr=False)
    records: int
    users: int | None


Key = tuple[object, ...]


def key_of(config: RunConfig) -> Key:
    """Say which runs share a start: those that protect the same units, mapped and clipped alike."""
    chosen_by = config.seed if config.probe_support is None else BASE
    return (config.m, config.K, config.n, chosen_by, config.B or 0.0, config.probe_support or 0, config.adjacency.value)


def start_of(config: RunConfig, prepared: Prepared) -> Start:
    """Select the units by the run's seed, and sum what they give."""
    if prepared.universe.size != config.m or prepared.statement.atoms_per_record != config.K:
        raise RequestError("the prepared records have another dictionary size or another K than the run asks for")
    records = _with_probes(config, prepared) if config.probe_support is not None else _chosen(config, prepared)
    sketch = prepared.sketch(records, config.unit, config.adjacency)
    masses = masses_of(sketch)[: prepared.universe.size].tolist()
    users = None if records.users is None else len(np.unique(records.users))
    return Start(prepared, sketch, masses, records.records, users)


def _chosen(config: RunConfig, prepared: Prepared) -> Mapped:
    return _selected(prepared, config, config.n, config.seed)


def _with_probes(config: RunConfig, prepared: Prepared) -> Mapped:
    """Return D_s: a fixed base corpus of n - s units, and s probe records."""
    support = config.probe_support or 0
    if prepared.probes is None or support >= config.n:
        raise RequestError("a probe run needs records prepared with the probe atom, and a base corpus besides")
    probes = prepared.probes.part(np.arange(support) % prepared.probes.records)
    return _selected(prepared, config, config.n - support, BASE).and_others(probes)


def _selected(prepared: Prepared, config: RunConfig, n: int, seed: int) -> Mapped:
    by_user = config.protected_unit == "user"
    rows = selected(prepared.people, by_user=by_user, n=n, seed=seed, strict=config.strict_sample_size)
    return prepared.target.part(np.array(rows, np.int64))
