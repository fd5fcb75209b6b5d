"""Saved maps: one file each, whose header says what kind it is. Scoring never fits again, and the digest is checked."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.array_file import ArrayFile, Arrays, refused_unless_a_map
from dpspin.curator.assign.calibrated_file import StoredCalibratedMap
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.paper_map import NgramMap, StoredNgramMap
from dpspin.errors import RequestError, SourceError

Stored = StoredNgramMap | StoredCalibratedMap
_STORED: Final[TypeAdapter[Stored]] = TypeAdapter(Annotated[Stored, Field(discriminator="format")])


def save_map(fitted: ContributionMap, path: Path) -> None:
    """Write a fitted map to one file; the same map gives the same bytes."""
    match fitted:
        case NgramMap():
            packed: tuple[Stored, Arrays] = StoredNgramMap.pack(fitted)
        case CalibratedMap():
            packed = StoredCalibratedMap.pack(fitted)
        case _:
            raise RequestError("only a map that was fitted here can be saved; a language model stays where it is")
    stored, arrays = packed
    ArrayFile(stored.model_dump_json().encode(), arrays).write(path)


def load_map(path: Path, universe: AtomUniverse | None = None) -> NgramMap | CalibratedMap:
    """Read a saved map; where a dictionary is given, the map must be one to it."""
    with refused_unless_a_map(path):
        file = ArrayFile.read(path)
        stored = _STORED.validate_json(file.header)
        loaded = stored.unpack(file.arrays)
        is_what_it_says = loaded.statement == stored.statement
    if not is_what_it_says:
        raise SourceError(f"{path.name} does not hold the map that its digest names; fit the map again and save it")
    if universe is not None and universe.digest != loaded.universe_digest:
        raise SourceError(
            f"{path.name} was fitted for another dictionary, or another version of this one; fit it again"
        )
    return loaded
