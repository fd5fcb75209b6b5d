"""How often calibrated maps find the theme of held-back records: by words, by embeddings, and by both.

Run with OPENBLAS_NUM_THREADS=1: CPU-seconds of spinning threads mean nothing.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_fits import fit_embedding, fit_hybrid
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.dictionary_learners import embedding_learner, learn_from_words
from dpspin.curator.assign.embedders import BertEmbedder, StaticEmbedder
from dpspin.curator.assign.grade_map import card_of
from dpspin.curator.assign.sentence_evidence import Embedder
from dpspin.public.atoms.packs import load, names

TRUTH = Path(__file__).parents[1] / "packages" / "dpspin" / "tests" / "truth"


class Score(NamedTuple):
    """One map on one pack."""

    records: int
    hits: int  # the heaviest of the atoms and "none of these" is one that the reader listed
    total_variation: float
    cpu_seconds: float


def truth_of(universe: AtomUniverse) -> tuple[list[str], np.ndarray]:
    """Return the texts, and the true shares over the atoms and "none of these"."""
    content = yaml.safe_load((TRUTH / f"{universe.name}.yaml").read_text(encoding="utf-8"))
    shares = np.zeros((len(content), universe.size + 1))
    for row, record in enumerate(content):
        places = [universe.ids.index(atom) for atom in record["atoms"]] or [universe.size]
        shares[row, places] = 1 / len(places)
    return [record["text"] for record in content], shares


def score(fitted: CalibratedMap, universe: AtomUniverse) -> Score:
    texts, shares = truth_of(universe)
    started = time.process_time()
    weights = fitted.weights(texts)
    spent = time.process_time() - started
    hits = shares[np.arange(len(texts)), weights.argmax(axis=1)] > 0
    return Score(len(texts), int(hits.sum()), card_of(universe, weights, shares, "truth").total_variation, spent)


def maps_of(universe: AtomUniverse, embedders: Sequence[Embedder]) -> dict[str, CalibratedMap]:
    both = {one.name: (learn_from_words, embedding_learner(one)) for one in embedders}
    return (
        {"words": fit_hybrid(universe, None)}
        | {one.name: fit_embedding(universe, one) for one in embedders}
        | {f"words + {name}": fit_hybrid(universe, None, learners=learners) for name, learners in both.items()}
    )


def main(embedders: Sequence[Embedder]) -> None:
    scores: dict[str, list[Score]] = {}
    for name in names():
        universe = load(name)
        for kind, fitted in maps_of(universe, embedders).items():
            found = score(fitted, universe)
            scores.setdefault(kind, []).append(found)
            print(f"{name:22}{kind:16}{found.hits / found.records:6.3f}{found.total_variation:7.3f}", flush=True)
    for kind, found in scores.items():
        records, spent = (sum(one[place] for one in found) for place in (0, 3))
        hit = sum(one.hits for one in found) / records
        distance = np.mean([one.total_variation for one in found])
        print(f"| {kind} | {hit:.3f} | {distance:.3f} | {records / spent:,.0f} |")


if __name__ == "__main__":
    main((StaticEmbedder.installed(), BertEmbedder.installed()))
