"""How much of text on other subjects does each pack leave alone? The mass on "none of these" or not read."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.public.atoms import packs

TRUTH = Path(__file__).parents[1] / "packages" / "dpspin" / "tests" / "truth"
REAL = {
    "Yelp": ("yelp/review.parquet", "text"),
    "Amazon": ("amazon/All_Beauty_2023_sample.parquet", "text"),
    "CFPB": ("cfpb/complaints.parquet", "Consumer complaint narrative"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--data", type=Path, help="the folder with yelp/, amazon/ and cfpb/; without it, invented text"
    )
    options.add_argument("--records", type=int, default=300, help="real records of each kind, evenly spaced")
    chosen = options.parse_args()
    texts = {path.stem: _invented(path) for path in sorted(TRUTH.glob("*.yaml"))}
    if chosen.data is not None:
        texts |= {name: _real(chosen.data / file, column, chosen.records) for name, (file, column) in REAL.items()}
    print(*("| " + " | ".join(cells) + " |" for cells in (["map", *texts], ["---"] * (len(texts) + 1))), sep="\n")
    for pack in sorted(path.stem for path in TRUTH.glob("*.yaml")):
        universe = packs.load(pack)
        fitted = fit_by_recipe(Recipe(), universe, None)
        shares = [f"{left_alone(fitted, column, universe.size):.2f}" for column in texts.values()]
        print("| " + " | ".join([pack, *shares]) + " |", flush=True)


def left_alone(fitted: ContributionMap, texts: Sequence[str], atoms: int) -> float:
    """Return the part of the mass that is on no atom."""
    given = fitted(pa.array(texts, pa.large_string()))
    return 1 - float(given.ticks[given.atoms < atoms].sum()) / TICKS_PER_MASS / len(texts)


def _invented(path: Path) -> list[str]:
    return [record["text"] for record in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _real(file: Path, column: str, records: int) -> list[str]:
    found = pq.read_table(file, columns=[column]).column(column).drop_null()
    return found.take(pa.array(np.linspace(0, len(found) - 1, records).astype(int))).to_pylist()


if __name__ == "__main__":
    main()
