"""Reading the files of a model that is on this machine. Nothing is ever downloaded."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpspin.errors import MissingExtra, MissingModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

EXTRA = "embeddings"


def package_folder(package: str, install: str) -> Path:
    """Find an installed package without importing it: only its files are wanted, not what its code does."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise MissingModel(f"the package {package} is not installed", install)
    return Path(found.submodule_search_locations[0])


def require_file(path: Path, install: str) -> Path:
    """Refuse a folder that lacks a part of the model."""
    if not path.is_file():
        raise MissingModel(f"there is no file {path.name} in {path.parent}", install)
    return path


def tokenizer_of(path: Path) -> "Tokenizer":
    """Read a tokenizer that neither pads nor cuts."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("an embedding model", EXTRA) from missing
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tensors_of(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read all weights as float32."""
    try:
        from safetensors.numpy import load_file  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("an embedding model", EXTRA) from missing
    tensors: dict[str, Any] = load_file(path)
    return {name: np.asarray(tensor, dtype=np.float32) for name, tensor in tensors.items()}


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
