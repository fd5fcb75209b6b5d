"""Texts labelled by reading: in the paper's fixed phrases (Amazon, Yelp), and in the ready packs (also CFPB).

Only digests of the reviews' ids and ids of atoms are kept here; the texts are joined from the public files, of which
nothing is ours to distribute. Half of the labels may teach; the other half is held back, and no map may learn from it.
The reader of the packs' texts was a language model that saw texts and descriptions and no map's answer (one pass).
"""

import csv
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.curator.assign.labelled_texts import LabelledTexts, read_labels
from dpspin.errors import SourceError
from dpspin.public.atoms import packs
from dpspin.public.atoms.dictionary_files import loads
from dpspin_lab.datasets.reviews import review_id

Part = Literal["taught", "held"]
_KEPT = files("dpspin_lab.datasets") / "phrases"


@dataclass(frozen=True, slots=True)
class PhraseCorpus:
    """A dictionary, and where the texts of its labelled records are."""

    name: str
    file: str
    read: Callable[[Path], Iterator[tuple[str, str]]]


def _yelp(file: Path) -> Iterator[tuple[str, str]]:
    for row in pq.read_table(file, columns=["review_id", "text"]).to_pylist():
        yield hashlib.sha256(row["review_id"].encode()).hexdigest()[:16], row["text"]


def _amazon(file: Path) -> Iterator[tuple[str, str]]:
    for row in pq.read_table(file, columns=["user_id", "timestamp", "text"]).to_pylist():
        yield review_id(row), row["text"]


def _complaints(file: Path) -> Iterator[tuple[str, str]]:
    for row in pq.read_table(file, columns=["Complaint ID", "Consumer complaint narrative"]).to_pylist():
        yield hashlib.sha256(str(row["Complaint ID"]).encode()).hexdigest()[:16], row["Consumer complaint narrative"]


AMAZON = PhraseCorpus("amazon-all-beauty-46", "amazon/All_Beauty_2023_sample.parquet", _amazon)
YELP = PhraseCorpus("yelp-restaurants-50", "yelp/review.parquet", _yelp)
OF_PACKS = (
    PhraseCorpus("restaurant-reviews", YELP.file, _yelp),
    PhraseCorpus("product-reviews", AMAZON.file, _amazon),
    PhraseCorpus("bank-complaints", "cfpb/complaints.parquet", _complaints),
)


def dictionary(corpus: PhraseCorpus) -> AtomUniverse:
    """Return the pack, or the paper's phrases with descriptions, cues and examples written for them."""
    if corpus in OF_PACKS:
        return packs.load(corpus.name)
    origin = Path(f"{corpus.name}.yaml")
    return loads((_KEPT / origin.name).read_text(encoding="utf-8"), origin)


@dataclass(frozen=True, slots=True)
class PublishedLabel:
    """One line of the paper's table of a dictionary: in how many auxiliary reviews of its own the phrase stands."""

    id: int
    label: str
    auxiliary_support: int


def published_labels(corpus: PhraseCorpus) -> tuple[PublishedLabel, ...]:
    """Return the paper's table of fixed phrases, in its order."""
    rows = csv.DictReader((_KEPT / f"{corpus.name}.published.csv").read_text(encoding="utf-8").splitlines())
    return tuple(PublishedLabel(int(row["id"]), row["label"], int(row["auxiliary_support"])) for row in rows)


def published(corpus: PhraseCorpus) -> AtomUniverse:
    """Return the paper's phrases as they were published: labels, and not a word besides."""
    return AtomUniverse(
        name=f"{corpus.name}-published",
        version="1",
        provenance=Provenance(source="handwritten", note="the labels that the DP-SPIN paper published, as they stand"),
        atoms=tuple(Atom(id=AtomId(each.id), label=each.label) for each in published_labels(corpus)),
    )


def labelled(corpus: PhraseCorpus, folder: Path, part: Part) -> LabelledTexts:
    """Join the labels of one half with the texts of the public file."""
    file = folder / corpus.file
    if not file.is_file():
        raise SourceError(f"{file} is missing; the labels of {corpus.name} need the public reviews there")
    texts = dict(corpus.read(file))
    rows = (_KEPT / f"{corpus.name}.labels.csv").read_text(encoding="utf-8").splitlines()
    chosen = [row for row in csv.DictReader(rows) if row["part"] == part]
    if lost := [row for row in chosen if row["record"] not in texts]:
        raise SourceError(f"{file} does not hold {len(lost)} of the labelled reviews; use the same public sample")
    return read_labels(
        dictionary(corpus),
        [texts[row["record"]] for row in chosen],
        [row["atoms"].replace(" ", ";") for row in chosen],
    )
