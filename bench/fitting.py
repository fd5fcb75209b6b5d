"""How long a pack's map takes to fit, all classes at once and one after the other, and whether both are as right.

    python bench/fitting.py [--packs support-tickets app-reviews]

CPU seconds of whole fits, in turn in one process; nothing is taken from the cache. Both maps are then asked about the
pack's invented records: how often the first theme is right, and how far the shares of all themes are off.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import yaml

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.dictionary_learners import Learner, learn_from_words, learn_one_by_one
from dpspin.public.atoms import packs

TRUTH = Path(__file__).parents[1] / "packages/dpspin/tests/truth"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--packs", nargs="+", choices=packs.names(), default=packs.names())
    print("| pack | CPU-s at once, one by one | first theme is right | total variation |\n" + "|---" * 4 + "|")
    for pack in options.parse_args().packs:
        universe = packs.load(pack)
        found = [_measured(pack, universe, learner) for learner in (learn_from_words, learn_one_by_one)]
        cells = ("{:.1f}, {:.1f}", "{:.4f}, {:.4f}", "{:.4f}, {:.4f}")
        told = [cell.format(*pair) for cell, pair in zip(cells, zip(*found, strict=True), strict=True)]
        print(f"| {' | '.join([pack, *told])} |", flush=True)


def _measured(pack: str, universe: AtomUniverse, learner: Learner) -> tuple[float, float, float]:
    started = time.process_time()
    fitted = fit_hybrid(universe, None, learners=(learner,))
    return time.process_time() - started, *_truth(pack, universe, fitted)


def _truth(pack: str, universe: AtomUniverse, fitted: CalibratedMap) -> tuple[float, float]:
    records = yaml.safe_load((TRUTH / f"{pack}.yaml").read_text(encoding="utf-8"))
    masses, expressed = fitted.weights([one["text"] for one in records]), np.zeros((len(records), universe.size + 1))
    for row, record in enumerate(records):
        expressed[row, [universe.ids.index(atom) for atom in record["atoms"]] or [universe.size]] = 1
    atoms, of_atoms = masses[:, :-1], expressed[:, :-1].any(axis=1)
    hits = expressed[np.arange(len(records)), atoms.argmax(axis=1)][of_atoms]
    off = np.abs(masses.mean(axis=0) - (expressed / expressed.sum(axis=1, keepdims=True)).mean(axis=0)).sum() / 2
    return float(hits.mean()), float(off)


if __name__ == "__main__":
    main()
