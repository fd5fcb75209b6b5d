"""Saved maps of either kind: the header says which."""

from pathlib import Path

from pydantic import BaseModel

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated import artifact
from dpspin.curator.assign.calibrated.mapping import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.scorers.ngram import NgramMap
from dpspin.curator.assign.sealed_arrays import header_of, refused_unless_a_map
from dpspin.errors import RequestError, SourceError


class _Kind(BaseModel):
    """The one field of a header that both kinds have; the rest is read by their own readers."""

    format: str


def save_map(fitted: ContributionMap, path: Path) -> None:
    """Write a fitted map to one file."""
    match fitted:
        case NgramMap():
            fitted.save(path)
        case CalibratedMap():
            artifact.save(fitted, path)
        case _:
            raise RequestError("only a map that was fitted here can be saved; a language model stays where it is")


def load_map(path: Path, universe: AtomUniverse | None = None) -> NgramMap | CalibratedMap:
    """Read a saved map; where a dictionary is given, the map must be one to it."""
    with refused_unless_a_map(path):
        kind = _Kind.model_validate_json(header_of(path))
    if kind.format == artifact.FORMAT:
        loaded: NgramMap | CalibratedMap = artifact.load(path)
    else:
        loaded = NgramMap.load(path)
    if universe is not None and universe.digest != loaded.universe_digest:
        raise SourceError(
            f"{path.name} was fitted for another dictionary, or another version of this one; fit it again"
        )
    return loaded
