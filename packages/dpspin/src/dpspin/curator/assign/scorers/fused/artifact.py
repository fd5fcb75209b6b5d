"""The paper's map as one file: scoring never fits again, and a reader can tell that the file is what was written."""

from pathlib import Path
from typing import Final, Literal

import numpy as np
from pydantic import Field
from scipy.sparse import csr_array

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.sealed_arrays import SealedArrays, refused_unless_a_map
from dpspin.curator.records.cells import LONGEST_TEXT

HEAVIEST: Final = 2**63 // LONGEST_TEXT  # a record has fewer n-grams than characters, so no score can overflow
PARTS: Final = ("indptr", "indices", "data")


class Header(FrozenModel):
    """Everything but the weights."""

    format: Literal["dpspin-ngram-map/1"] = "dpspin-ngram-map/1"
    statement: MapStatement
    universe_digest: str
    atoms: int = Field(ge=1)
    terms: tuple[str, ...]


def write_map(path: Path, header: Header, weights: "csr_array[np.int64]") -> None:
    """Write the map; the same map gives the same bytes."""
    arrays = {part: getattr(weights, part).astype(np.int64) for part in PARTS}
    SealedArrays(header.model_dump_json().encode(), arrays).write(path)


def read_map(path: Path) -> tuple[Header, "csr_array[np.int64]"]:
    """Read the map; nothing is unpickled, and a file that was damaged or altered is refused."""
    with refused_unless_a_map(path):
        return _checked(SealedArrays.read(path))


def _checked(file: SealedArrays) -> tuple[Header, "csr_array[np.int64]"]:
    about = Header.model_validate_json(file.header)
    indptr, indices, data = (file.arrays[part] for part in PARTS)
    weights = csr_array((data, indices, indptr), shape=(len(about.terms), about.atoms))
    weights.check_format(full_check=True)
    if data.dtype != np.int64 or ((data > HEAVIEST) | (data < -HEAVIEST)).any():
        raise ValueError("the weights are no small integers")
    return about, weights
