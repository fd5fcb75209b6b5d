"""A table of word-piece vectors (WordLlama, 256 numbers each): a text is the mean of its pieces. Very quick."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.calibrated.embedders.files import (
    file_digest,
    package_folder,
    require_file,
    tensors_of,
    tokenizer_of,
)
from dpspin.curator.assign.calibrated.embeddings import unit_rows
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours

if TYPE_CHECKING:
    from tokenizers import Tokenizer

INSTALL = "pip install 'dpspin[embeddings]'"
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
        folder = package_folder("wordllama", INSTALL)
        return cls(require_file(folder / WEIGHTS, INSTALL), require_file(folder / TOKENIZER, INSTALL))

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
