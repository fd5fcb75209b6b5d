"""The forward pass of a BERT encoder in numpy (Devlin et al. 2019): one text at a time, so there is nothing to mask.

One text at a time is slower than batches, and on purpose: the shape of every product follows from the text alone, and
with it, on one thread (``ONE_THREAD``), every bit of the result.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

Single = NDArray[np.float32]
Tensors = Mapping[str, Single]


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the arrays alone do not tell."""

    layers: int
    heads: int
    epsilon: float


@dataclass(frozen=True)
class Affine:
    """x · weight + bias."""

    weight: Single = field(repr=False)  # (in, out)
    bias: Single = field(repr=False)

    @classmethod
    def of(cls, tensors: Tensors, *names: str) -> "Affine":
        """Read one linear layer, or several beside each other."""
        weight = np.concatenate([tensors[f"{name}.weight"] for name in names])
        bias = np.concatenate([tensors[f"{name}.bias"] for name in names])
        return cls(np.ascontiguousarray(weight.T), bias)

    def __call__(self, x: Single) -> Single:
        """Apply to every row."""
        out: Single = x @ self.weight + self.bias
        return out


@dataclass(frozen=True)
class Norm:
    """Each row to mean zero and variance one, then scaled and shifted."""

    scale: Single = field(repr=False)
    shift: Single = field(repr=False)
    epsilon: float

    @classmethod
    def of(cls, tensors: Tensors, name: str, epsilon: float) -> "Norm":
        """Read a layer norm."""
        return cls(tensors[f"{name}.weight"], tensors[f"{name}.bias"], epsilon)

    def __call__(self, x: Single) -> Single:
        """Apply to every row."""
        centred = x - x.mean(axis=1, keepdims=True)
        variance = np.square(centred).mean(axis=1, keepdims=True)
        out: Single = centred / np.sqrt(variance + self.epsilon) * self.scale + self.shift
        return out


@dataclass(frozen=True)
class Layer:
    """Self-attention and a feed-forward step, each added to its input and normed."""

    heads: int
    question_key_value: Affine
    mixed: Affine
    mixed_norm: Norm
    wide: Affine
    narrow: Affine
    narrow_norm: Norm

    @classmethod
    def of(cls, tensors: Tensors, name: str, sizes: Sizes) -> "Layer":
        """Read one layer."""
        look = f"{name}.attention.self"
        return cls(
            sizes.heads,
            Affine.of(tensors, f"{look}.query", f"{look}.key", f"{look}.value"),
            Affine.of(tensors, f"{name}.attention.output.dense"),
            Norm.of(tensors, f"{name}.attention.output.LayerNorm", sizes.epsilon),
            Affine.of(tensors, f"{name}.intermediate.dense"),
            Affine.of(tensors, f"{name}.output.dense"),
            Norm.of(tensors, f"{name}.output.LayerNorm", sizes.epsilon),
        )

    def __call__(self, x: Single) -> Single:
        """Transform the pieces of one text."""
        x = self.mixed_norm(x + self.mixed(self._attended(x)))
        return self.narrow_norm(x + self.narrow(_gelu(self.wide(x))))

    def _attended(self, x: Single) -> Single:
        length, width = x.shape
        split = self.question_key_value(x).reshape(length, 3, self.heads, width // self.heads)
        question, key, value = split.transpose(1, 2, 0, 3)
        chance = _softmax(question @ key.transpose(0, 2, 1) / math.sqrt(width // self.heads))
        return (chance @ value).transpose(1, 0, 2).reshape(length, width)


@dataclass(frozen=True)
class Encoder:
    """Word pieces to the mean of their vectors in context."""

    words: Single = field(repr=False)
    places: Single = field(repr=False)  # of position, and of the first (here: only) segment
    norm: Norm = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)

    @classmethod
    def of(cls, tensors: Tensors, sizes: Sizes) -> "Encoder":
        """Read an encoder; some files put ``bert.`` before every name."""
        tensors = {name.removeprefix("bert."): tensor for name, tensor in tensors.items()}
        return cls(
            tensors["embeddings.word_embeddings.weight"],
            tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0],
            Norm.of(tensors, "embeddings.LayerNorm", sizes.epsilon),
            tuple(Layer.of(tensors, f"encoder.layer.{place}", sizes) for place in range(sizes.layers)),
        )

    def __call__(self, pieces: list[int]) -> Single:
        """Return the mean vector of one text."""
        x = self.norm(self.words[pieces] + self.places[: len(pieces)])
        for layer in self.layers:
            x = layer(x)
        pooled: Single = x.mean(axis=0)
        return pooled


def _gelu(x: Single) -> Single:
    """Return x · Φ(x)."""
    half_erf: Single = 0.5 * np.asarray(erf(x * math.sqrt(0.5)), dtype=np.float32)
    out: Single = x * (0.5 + half_erf)
    return out


def _softmax(x: Single) -> Single:
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    out: Single = raised / raised.sum(axis=-1, keepdims=True)
    return out
