"""All phrases of a corpus, read once: which mention stands in which document, and how words are spelt."""

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpspin.public.atoms.suggest.extract import Mention, mentions
from dpspin.text.words import is_capitalised, lowered, tokens


@dataclass(frozen=True, slots=True)
class Harvest:
    """Mentions by number; ``numbers[i]`` was found in document ``documents[i]``."""

    mentions: tuple[Mention, ...]
    numbers: NDArray[np.int64]
    documents: NDArray[np.int64]
    size: int  # documents in all
    words: Counter[str]  # and marks
    capitals: Counter[str]  # of these, how many are written with a capital inside a sentence


def harvest(texts: Iterable[str]) -> Harvest:
    """Read all texts.

    >>> found = harvest(["Dry skin, very dry skin!", "My skin is dry."])
    >>> [mention.spoken for mention in found.mentions], found.documents.tolist(), found.words["skin"]
    (['dry skin'], [0, 1], 3)
    """
    known: dict[Mention, int] = {}
    numbers, documents = array("q"), array("q")
    words, capitals = Counter[str](), Counter[str]()
    size = 0
    for text in texts:
        spelt = tokens(text)
        low = lowered(spelt)
        words.update(low)
        capitals.update(lowered(_capitals(spelt)))
        here = {known.setdefault(mention, len(known)) for mention in mentions(low)}
        numbers.extend(sorted(here))
        documents.extend([size] * len(here))
        size += 1
    return Harvest(tuple(known), _whole(numbers), _whole(documents), size, words, capitals)


def _capitals(spelt: list[str]) -> list[str]:
    """Return the words with a capital that follow another word: after a mark they may owe it to their place."""
    return [word for word, before in zip(spelt[1:], spelt, strict=False) if is_capitalised(word) and before.isalpha()]


def _whole(numbers: "array[int]") -> NDArray[np.int64]:
    return np.frombuffer(numbers, np.int64) if numbers else np.zeros(0, np.int64)
