"""Embedding models that lie on this machine, one per file."""

from pathlib import Path

from dpspin.curator.assign.calibrated.embedders.minilm import BertEmbedder
from dpspin.curator.assign.calibrated.embedders.static import StaticEmbedder
from dpspin.curator.assign.calibrated.embeddings import Embedder


def installed(name: str) -> Embedder:
    """Return a model by name, or a BERT sentence model by its folder."""
    match name:
        case "static":
            return StaticEmbedder.installed()
        case "minilm":
            return BertEmbedder.installed()
        case _:
            return BertEmbedder(Path(name))
