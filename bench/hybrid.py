"""How fast is the default map? Equality on every row first, then the ratio of CPU times, in turn in one process."""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.deal_out_mass import Calibration, Competing
from dpspin.curator.assign.dictionary_learners import learn_from_words
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.domain_evidence import Elsewhere
from dpspin.curator.assign.evidence_sources import CueEvidence
from dpspin.curator.records.formats.file_format import BATCH_ROWS
from dpspin.demo.synthetic import generate_tickets, ticket_pack

# given, not fitted: every layer counts, so that a difference in any is seen
WEIGHTS, OFFSET = (0.6, 0.2, 2.0, 1.0, 0.5, 0.3), 2.0
SEED = 20_240_229


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=8_000)
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    fitted = pack_map(ticket_pack())
    texts = generate_tickets(chosen.records, SEED).records["text"].combine_chunks().cast(pa.large_string())
    ascii_only = texts.filter(pa.array([text.isascii() for text in texts.to_pylist()]))
    columns = [
        "tickets",
        "records",
        "bytes each",
        "m",
        "terms",
        "reference rec/s",
        "compiled rec/s",
        "ratio (min to max)",
    ]
    print(*("| " + " | ".join(cells) + " |" for cells in (columns, ["---"] * len(columns))), sep="\n")
    for name, column in (("ASCII", ascii_only), ("all", texts)):
        print(_row(name, column, fitted, chosen.rounds), flush=True)
    print(
        "\n| what other subjects cost | records | rec/s without | rec/s with | slower by (min to max) |\n"
        + "| --- " * 5
        + "|"
    )
    for name, languages in (("the map", ()), ("the map, and which texts it cannot read", ("en",))):
        print(_cost(name, texts, replace(fitted, languages=languages), chosen.rounds), flush=True)


def pack_map(universe: AtomUniverse) -> CalibratedMap:
    """Learn from a pack as the hybrid map does, with a calibration that is given, on one thread."""
    sentences, elsewhere = DictionarySentences.of(universe), Elsewhere.of(universe)
    everything = np.ones(len(sentences.texts), dtype=bool)
    sources = (
        CueEvidence.of(universe),
        learn_from_words(sentences, everything),
        *elsewhere.evidence(sentences, everything, elsewhere.walks),
    )
    layers = sum(len(source.layers) for source in sources)
    return CalibratedMap(
        name="hybrid",
        fitted_on="the dictionary",
        universe_digest=universe.digest,
        sources=sources,
        calibration=Calibration(np.array(WEIGHTS[:layers]), np.full(universe.size, OFFSET)),
        allocation=Competing(),
        atoms_per_record=None,
        size=universe.size,
        card=None,
        threads=1,
    )


def _row(name: str, texts: pa.LargeStringArray, fitted: CalibratedMap, rounds: int) -> str:
    require_equality(texts, fitted)
    times = [(cpu_seconds(texts, fitted.reference), cpu_seconds(texts, fitted)) for _ in range(rounds)]
    slow, fast = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = sorted(slow / fast for slow, fast in times)
    count = len(texts)
    cells = [
        name, f"{count:,}", f"{texts.nbytes / count:.0f}", f"{fitted.size}",
        f"{len(fitted.sources[1].vectors.terms):,}",
        f"{count / slow:,.0f}", f"{count / fast:,.0f}",
        f"**{statistics.median(ratios):.0f}x** ({ratios[0]:.0f} to {ratios[-1]:.0f})",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _cost(name: str, texts: pa.LargeStringArray, fitted: CalibratedMap, rounds: int) -> str:
    """Compare with the map that does not know other subjects."""
    weights, offsets = fitted.calibration.weights[:4], fitted.calibration.offsets
    without = replace(fitted, sources=fitted.sources[:2], calibration=Calibration(weights, offsets))
    for each in (fitted, without):
        each(texts[:10])  # compiles
    times = [(cpu_seconds(texts, without), cpu_seconds(texts, fitted)) for _ in range(rounds)]
    before, after = (len(texts) / statistics.median(column) for column in zip(*times, strict=True))
    more = sorted(slow / fast - 1 for fast, slow in times)
    cost = f"**{statistics.median(more):.0%}** ({more[0]:.0%} to {more[-1]:.0%})"
    return f"| {name} | {len(texts):,} | {before:,.0f} | {after:,.0f} | {cost} |"


def require_equality(texts: pa.LargeStringArray, fitted: CalibratedMap) -> None:
    expected, got = fitted.reference(texts), fitted(texts)
    for name in ("offsets", "atoms", "ticks"):
        if not np.array_equal(getattr(expected, name), getattr(got, name)):
            sys.exit(f"the compiled stages differ from the reference in {name}: no speed is printed")


def cpu_seconds(texts: pa.LargeStringArray, mapped: Callable[[pa.LargeStringArray], object]) -> float:
    start = time.process_time()
    for first in range(0, len(texts), BATCH_ROWS):
        mapped(texts.slice(first, BATCH_ROWS))
    return time.process_time() - start


if __name__ == "__main__":
    main()
