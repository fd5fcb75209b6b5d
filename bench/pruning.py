"""What would fewer terms gain and cost? The default map with the terms of smallest weight left out of its classifier.

    python bench/pruning.py [--packs support-tickets] [--keep 1 0.5 0.25 0.1] [--records 4000] [--rounds 5]

The truth is that of the packs' own truth sets; the speed is CPU time of one thread on generated tickets, in turn.
No map is changed by this: another choice of terms would be another map, with another digest.
"""

import argparse
import statistics
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import yaml
from hybrid import SEED, cpu_seconds

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe, weights_of
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from dpspin.curator.assign.term_classifier import Linear, TermVectors
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms import packs

TRUTH = Path(__file__).parents[1] / "packages" / "dpspin" / "tests" / "truth"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--packs", nargs="+", default=["support-tickets", "restaurant-reviews"])
    options.add_argument("--keep", nargs="+", type=float, default=[1.0, 0.5, 0.25, 0.1])
    options.add_argument("--records", type=int, default=4_000)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    texts = generate_tickets(chosen.records, SEED).records["text"].combine_chunks().cast(pa.large_string())
    print("| pack | terms | right atom first | mass where it belongs | covered, error | speed |\n" + "| --- " * 6 + "|")
    for name in chosen.packs:
        universe = packs.load(name)
        fitted = replace(fit_by_recipe(Recipe(languages=()), universe, None), threads=1)
        maps = [pruned(fitted, part) for part in chosen.keep]
        for each in maps:
            each(texts[:10])  # compiles
        times = [[cpu_seconds(texts, each) for each in maps] for _ in range(chosen.rounds)]
        for place, each in enumerate(maps):
            speed = statistics.median(row[0] / row[place] for row in times)
            cells = [name, f"{len(each.sources[1].vectors.terms):,}", *truth_of(each, universe, name), f"{speed:.2f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


def pruned(fitted: CalibratedMap, part: float) -> CalibratedMap:
    """Keep a part of the terms of the sentence classifier: those that weigh most for any theme."""
    cues, examples, *others = fitted.sources
    vectors, model = examples.vectors, examples.model
    heaviest = np.abs(vectors.idf[:, None] * model.coefficients).max(axis=1)
    kept = np.sort(np.argsort(-heaviest, kind="stable")[: round(part * len(heaviest))])
    fewer = TermVectors(vectors.analyzer, tuple(vectors.terms[place] for place in kept), vectors.idf[kept])
    smaller: ExampleEvidence = replace(examples, vectors=fewer, model=Linear(model.coefficients[kept], model.offsets))
    return replace(fitted, sources=(cues, smaller, *others))


def truth_of(fitted: CalibratedMap, universe: AtomUniverse, name: str) -> list[str]:
    records = yaml.safe_load((TRUTH / f"{name}.yaml").read_text(encoding="utf-8"))
    truth = np.zeros((len(records), universe.size), dtype=bool)
    for row, record in enumerate(records):
        truth[row, [universe.ids.index(atom) for atom in record["atoms"]]] = True
    masses = weights_of(fitted, [record["text"] for record in records], universe.size)[:, :-1]
    expressing = truth.any(axis=1)
    first = truth[np.arange(len(truth)), masses.argmax(axis=1)] & masses.any(axis=1)
    covered = abs(masses.sum(axis=1).mean() - expressing.mean())
    return [f"{first[expressing].mean():.3f}", f"{(masses * truth).sum() / masses.sum():.3f}", f"{covered:.3f}"]


if __name__ == "__main__":
    main()
