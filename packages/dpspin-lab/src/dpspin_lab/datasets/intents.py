"""Short requests with intents, of domains that no pack was written for: Banking77, and hotels of NLU++.

The dictionaries are ours: labels from the names of the classes, and six sentences for each, written from the name
alone. The requests themselves are read from the public files, of which nothing is kept here.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import yaml
from numpy.typing import NDArray

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.errors import SourceError

_KEPT = files("dpspin_lab.datasets") / "intents"
_HELD_FOLDS = 10  # of the twenty folds of the hotels


@dataclass(frozen=True, slots=True)
class Requests:
    """Texts, the classes of each, and which of them are held back."""

    texts: tuple[str, ...] = field(repr=False)
    classes: tuple[frozenset[str], ...] = field(repr=False)
    held: NDArray[np.bool_] = field(repr=False)

    def labelled(self, rows: Sequence[int], named: Sequence[str]) -> LabelledTexts:
        """Return some of the texts with those of their classes that a dictionary names."""
        place = {name: position for position, name in enumerate(named)}
        atoms = tuple(frozenset(place[name] for name in self.classes[row] if name in place) for row in rows)
        return LabelledTexts(tuple(self.texts[row] for row in rows), atoms, len(named))


@dataclass(frozen=True, slots=True)
class IntentCorpus:
    """Where the requests are, and how they are read."""

    name: str
    file: str
    read: Callable[[Path], Requests]

    def requests(self, folder: Path) -> Requests:
        """Read the public file."""
        file = folder / self.file
        if not file.is_file():
            raise SourceError(f"{file} is missing; {self.name} needs the public requests there")
        return self.read(file)


def _banking(file: Path) -> Requests:
    rows = pq.read_table(file).to_pylist()
    classes = tuple(frozenset((row["category"],)) for row in rows)
    return Requests(tuple(row["text"] for row in rows), classes, np.array([row["part"] == "test" for row in rows]))


def _hotels(file: Path) -> Requests:
    rows = pq.read_table(file).to_pylist()
    held = np.array([row["fold"] >= _HELD_FOLDS for row in rows])
    return Requests(tuple(row["text"] for row in rows), tuple(frozenset(row["intents"]) for row in rows), held)


BANKING = IntentCorpus("banking77", "banking77/queries.parquet", _banking)
HOTELS = IntentCorpus("nlupp-hotels", "nlupp/hotels.parquet", _hotels)


@cache
def sentences_of(name: str) -> dict[str, list[str]]:
    """Return the six sentences that we wrote for each class."""
    read: dict[str, list[str]] = yaml.safe_load((_KEPT / f"{name}.yaml").read_text(encoding="utf-8"))
    return read


def dictionary(corpus: IntentCorpus, named: Collection[str], *, examples: bool) -> AtomUniverse:
    """Return a dictionary of some classes: their names alone, or with our sentences."""
    written = sentences_of(corpus.name)
    return AtomUniverse(
        name=corpus.name,
        version="1",
        provenance=Provenance(source="handwritten", note="labels from the names of the classes, sentences of our own"),
        atoms=tuple(
            Atom(
                id=AtomId(position),
                label=name.replace("_", " ").strip("? ").lower(),
                examples=tuple(written[name]) if examples else (),
            )
            for position, name in enumerate(named)
        ),
    )
