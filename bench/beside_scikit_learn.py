"""The default map beside what many would write in its place: scikit-learn's TF-IDF and a logistic regression.

Both learn from the examples of a pack and give each record a number per theme. Only that is measured: CPU time of one
thread, in turn in one process. What is asked of scikit-learn: bare words; words and pairs of words, as it takes to tell
“no wait” from “wait”; and pieces of words too, which our map reads as well. Below 1 it is the faster one.
"""

import argparse
import statistics
import warnings
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from corpus import from_parquet
from hybrid import SEED, cpu_seconds, pack_map, require_equality
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline, make_union

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.term_classifier import ONE_THREAD
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms import packs

ACCENTS = str.maketrans({"e": "é", "o": "ö", "'": "\N{RIGHT SINGLE QUOTATION MARK}"})
ACCENTED = 6, 10  # so many of so many records


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--yelp", type=Path, help="a Parquet file with a column `text`; nothing of it is kept")
    options.add_argument("--records", type=int, default=8_000)
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    columns = [
        "records",
        "count",
        "bytes each",
        "not ASCII",
        "the map, rec/s",
        "to bare words",
        "to words and pairs",
        "to characters too",
    ]
    print(*("| " + " | ".join(cells) + " |" for cells in (columns, ["---"] * len(columns))), sep="\n")
    for name, pack, texts in _corpora(chosen.yelp, chosen.records):
        print(_row(name, packs.load(pack), texts, chosen.rounds), flush=True)


def _corpora(yelp: Path | None, records: int) -> list[tuple[str, str, pa.LargeStringArray]]:
    tickets = generate_tickets(records, SEED).records["text"].combine_chunks().cast(pa.large_string())
    found = [("tickets", "support-tickets", tickets), ("accented tickets", "support-tickets", _accented(tickets))]
    if yelp:
        found.append(("reviews", "restaurant-reviews", from_parquet(yelp, "text", records).texts))
    return found


def _accented(texts: pa.LargeStringArray) -> pa.LargeStringArray:
    some, of = ACCENTED
    written = (text.translate(ACCENTS) if place % of < some else text for place, text in enumerate(texts.to_pylist()))
    return pa.array(written, pa.large_string())


def _row(name: str, universe: AtomUniverse, texts: pa.LargeStringArray, rounds: int) -> str:
    fitted, words = pack_map(universe), TfidfVectorizer(ngram_range=(1, 2))
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5))
    rivals = [_learned(universe, vectors) for vectors in (TfidfVectorizer(), words, make_union(words, characters))]
    require_equality(texts, fitted)
    with ONE_THREAD:
        runs: list[Callable[[pa.LargeStringArray], object]] = [fitted, *map(_scored_by, rivals)]
        times = [[cpu_seconds(texts, run) for run in runs] for _ in range(rounds)]
    count = len(texts)
    cells = [
        name, f"{count:,}", f"{texts.nbytes / count:.0f}",
        f"{sum(not text.isascii() for text in texts.to_pylist()) / count:.0%}",
        f"{count / statistics.median(ours for ours, *_ in times):,.0f}",
        *(_ratio([row[place] / row[0] for row in times]) for place in range(1, len(runs))),
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _learned(universe: AtomUniverse, vectors: object) -> Pipeline:
    """Fit one class per theme; a few rounds, because only the size of what is fitted counts here."""
    taught = [(example, atom.id) for atom in universe.atoms for example in atom.examples]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make_pipeline(vectors, LogisticRegression(max_iter=10)).fit(*zip(*taught, strict=True))


def _scored_by(rival: Pipeline) -> Callable[[pa.LargeStringArray], object]:
    return lambda texts: rival.predict_proba(texts.to_pylist())


def _ratio(ratios: list[float]) -> str:
    return f"**{statistics.median(ratios):.1f}x** ({min(ratios):.1f} to {max(ratios):.1f})"


if __name__ == "__main__":
    main()
