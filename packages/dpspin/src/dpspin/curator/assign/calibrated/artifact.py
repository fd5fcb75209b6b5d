"""A calibrated map as one file, like the paper's: scoring never fits again, and the digest is checked when it is read.

The file holds the fitted numbers and the vocabulary, and no text of a record. A vocabulary learned from auxiliary text
carries words and word pairs of it (those of at least two texts), so the file is as public as that text.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.software import SOFTWARE
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.calibrated.allocation import Allocation, Competing, Exclusive, Expressed
from dpspin.curator.assign.calibrated.calibration import Calibration
from dpspin.curator.assign.calibrated.evidence import Evidence
from dpspin.curator.assign.calibrated.mapping import CalibratedMap
from dpspin.curator.assign.calibrated.stored import KINDS, StoredSource, numbers
from dpspin.curator.assign.sealed_arrays import Arrays, SealedArrays, refused_unless_a_map
from dpspin.errors import RequestError, SourceError

FORMAT = "dpspin-calibrated-map/2"


class StoredExpressed(FrozenModel):
    """Several atoms per record, above a threshold."""

    rule: Literal["expressed"] = "expressed"
    threshold: float = Field(ge=0, le=1)


class StoredRule(FrozenModel):
    """A rule without numbers."""

    rule: Literal["competing", "exclusive"]


class Header(FrozenModel):
    """Everything but the numbers."""

    format: Literal["dpspin-calibrated-map/2"] = "dpspin-calibrated-map/2"
    software: str = SOFTWARE
    statement: MapStatement  # name, source, K, digest, report card
    universe_digest: str
    size: int = Field(ge=1)
    allocation: Annotated[StoredExpressed | StoredRule, Field(discriminator="rule")]
    sources: tuple[StoredSource, ...] = Field(min_length=1)


def save(fitted: CalibratedMap, path: Path) -> None:
    """Write the map; the same map gives the same bytes."""
    packed = [_packed(source) for source in fitted.sources]
    header = Header(
        statement=fitted.statement,
        universe_digest=fitted.universe_digest,
        size=fitted.size,
        allocation=_stored_rule(fitted.allocation),
        sources=tuple(stored for stored, _ in packed),
    )
    arrays = {f"{place}.{name}": array for place, (_, own) in enumerate(packed) for name, array in own.items()}
    arrays |= {"weights": fitted.calibration.weights, "offsets": fitted.calibration.offsets}
    SealedArrays(header.model_dump_json().encode(), arrays).write(path)


def load(path: Path) -> CalibratedMap:
    """Read a map that ``save`` wrote, and check its digest again."""
    with refused_unless_a_map(path):
        file = SealedArrays.read(path)
        about = Header.model_validate_json(file.header)
        loaded = _restored(about, file.arrays)
        _require_one_weight_per_class(loaded)
        same = loaded.statement == about.statement
    if not same:
        raise SourceError(f"{path.name} does not hold the map that its digest names; fit the map again and save it")
    return loaded


def _packed(source: Evidence) -> tuple[StoredSource, Arrays]:
    if type(source) not in KINDS:
        raise RequestError(f"a map with evidence of the kind {type(source).__name__} cannot be saved")
    stored: tuple[StoredSource, Arrays] = KINDS[type(source)].pack(source)
    return stored


def _restored(about: Header, arrays: Arrays) -> CalibratedMap:
    allocation = _rule(about.allocation)
    classes = about.size + isinstance(allocation, Exclusive)  # exclusive classes include "none of these"
    sources = tuple(stored.unpack(_own(arrays, place), about.size) for place, stored in enumerate(about.sources))
    layers = sum(len(source.layers) for source in sources)
    return CalibratedMap(
        name=about.statement.name,
        fitted_on=about.statement.fitted_on,
        universe_digest=about.universe_digest,
        sources=sources,
        calibration=Calibration(numbers(arrays, "weights", (layers,)), numbers(arrays, "offsets", (classes,))),
        allocation=allocation,
        atoms_per_record=about.statement.atoms_per_record,
        size=about.size,
        card=about.statement.card,
        trusts=about.statement.trusts,
        languages=about.statement.languages,
    )


def _require_one_weight_per_class(loaded: CalibratedMap) -> None:
    """Refuse parts that do not belong together: they show in the first text."""
    if loaded.weights([""]).shape != (1, loaded.size + 1):
        raise ValueError("the sources do not fit the allocation")


def _own(arrays: Arrays, place: int) -> Arrays:
    prefix = f"{place}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _stored_rule(allocation: Allocation) -> StoredExpressed | StoredRule:
    match allocation:
        case Expressed(threshold):
            return StoredExpressed(threshold=threshold)
        case Competing():
            return StoredRule(rule="competing")
        case Exclusive():
            return StoredRule(rule="exclusive")


def _rule(stored: StoredExpressed | StoredRule) -> Allocation:
    if isinstance(stored, StoredExpressed):
        return Expressed(stored.threshold)
    return Competing() if stored.rule == "competing" else Exclusive()
