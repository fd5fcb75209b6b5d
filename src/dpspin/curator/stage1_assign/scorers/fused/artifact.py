"""A fitted map as one file: scoring never fits again, and a reader can tell that the file is what was written."""

import hashlib
import zipfile
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError
from scipy.sparse import csr_array

from dpspin.boundary.privacy import MapStatement
from dpspin.boundary.sealed import Sealed, digest_of
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import SourceError

HEAVIEST: Final = 2**63 // LONGEST_TEXT  # a record has fewer n-grams than characters, so no score can overflow
PARTS: Final = ("header", "seal", "indptr", "indices", "data")


class Header(Sealed):
    """Everything but the weights."""

    format: Literal["dpspin-ngram-map/1"] = "dpspin-ngram-map/1"
    statement: MapStatement
    atoms: int = Field(ge=1)
    terms: tuple[str, ...]


def write_map(path: Path, terms: tuple[str, ...], weights: "csr_array[np.int64]", statement: MapStatement) -> None:
    """Write the map; the same map gives the same bytes."""
    header = Header(statement=statement, atoms=weights.shape[1], terms=terms).model_dump_json().encode()
    arrays = [array.astype(np.int64) for array in (weights.indptr, weights.indices, weights.data)]
    texts = [np.frombuffer(text, np.uint8) for text in (header, _seal(header, arrays))]
    parts: dict[str, Any] = dict(zip(PARTS, [*texts, *arrays], strict=True))
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **parts)


def read_map(path: Path) -> tuple[tuple[str, ...], "csr_array[np.int64]", MapStatement]:
    """Read the map; nothing is unpickled, and a file that was damaged or altered is refused."""
    try:
        return _checked(path)
    except (OSError, EOFError, KeyError, ValueError, ValidationError, zipfile.BadZipFile):
        raise SourceError(
            f"{path.name} is not a fitted map of this version, or is damaged; fit the map again and save it"
        ) from None


def _checked(path: Path) -> tuple[tuple[str, ...], "csr_array[np.int64]", MapStatement]:
    with np.load(path, allow_pickle=False) as file:
        header, seal, *arrays = (file[part] for part in PARTS)
    if seal.tobytes() != _seal(header.tobytes(), arrays):
        raise ValueError("the seal is broken")
    about = Header.model_validate_json(header.tobytes())
    indptr, indices, data = arrays
    weights = csr_array((data, indices, indptr), shape=(len(about.terms), about.atoms))
    weights.check_format(full_check=True)
    if data.dtype != np.int64 or ((data > HEAVIEST) | (data < -HEAVIEST)).any():
        raise ValueError("the weights are no small integers")
    return about.terms, weights, about.statement


def _seal(header: bytes, arrays: list[NDArray[np.int64]]) -> bytes:
    content = [hashlib.sha256(part).hexdigest() for part in (header, *(array.tobytes() for array in arrays))]
    return digest_of(content).encode()
