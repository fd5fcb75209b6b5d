"""How fast is Stage I? Equality on every row first, then the ratio of CPU times, measured in turn in one process."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pyarrow as pa
from corpus import Corpus, from_parquet, generated
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.kernels.paper_scorer import FusedScorer
from dpspin.curator.assign.kernels.paper_tables import tables_of
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.assign.sentence_terms import counter
from dpspin.curator.records.formats.file_format import BATCH_ROWS

SIZES = (46, 200, 2_000)
ROUNDS = 7
Scorer = Callable[[pa.LargeStringArray], Contributions]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--yelp", type=Path, help="a Parquet file with a column `text`; nothing of it is kept")
    options.add_argument("--records", type=int, default=8_000)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.child:
        print(json.dumps(_measured_alone(*chosen.child)))
        return
    corpora = [generated(chosen.records)]
    if chosen.yelp:
        corpora.append(from_parquet(chosen.yelp, "text", chosen.records))
    print(_machine(), _start(corpora[0]), _header(), sep="\n")
    for corpus in corpora:
        for size in SIZES:
            print(_row(corpus, size, chosen.rounds), flush=True)


def _machine() -> str:
    names = ("numba", "numpy", "scikit-learn", "scipy", "pyarrow")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"{_processor()}, {os.cpu_count()} CPUs, Python {platform.python_version()}, {versions}\n"


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _header() -> str:
    columns = [
        "corpus", "records", "bytes each", "non-ASCII", "m", "terms", "atoms hit each", "reference rec/s",
        "fused rec/s", "ratio (min to max)", "ratio to transform alone", "extra MB, reference / fused",
    ]  # fmt: skip
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (columns, ["---"] * len(columns)))


def _row(corpus: Corpus, size: int, rounds: int) -> str:
    fitted = NgramMap.fit(corpus.universe(size), PublicWordIdf(), 3)
    fused = _one_thread(fitted)
    _require_equality(corpus.texts, fitted.reference, fused)
    times = [_timed_round(corpus.texts, fitted, fused) for _ in range(rounds)]
    slow, _, fast = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = sorted(slow / fast for slow, _, fast in times)
    alone = _alone(fitted, corpus.texts, ("reference", "fused"))
    count, hits = len(corpus.texts), _scores(counter(fitted.terms), fitted.weights, corpus.texts).nnz
    cells = [
        corpus.name, f"{count:,}", f"{corpus.texts.nbytes / count:.0f}", f"{corpus.non_ascii:.0%}", f"{size:,}",
        f"{len(fitted.terms):,}", f"{hits / count:.0f}", f"{count / slow:,.0f}", f"{count / fast:,.0f}",
        f"**{statistics.median(ratios):.0f}x** ({ratios[0]:.0f} to {ratios[-1]:.0f})",
        f"{statistics.median(transform / fast for _, transform, fast in times):.0f}x",
        " / ".join(f"{run['megabytes']:.0f}" for run in alone),
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _start(corpus: Corpus) -> str:
    """The CPU seconds of a first call: with nothing compiled yet, and with compiled code on disk."""
    fitted = NgramMap.fit(corpus.universe(SIZES[0]), PublicWordIdf(), 3)
    cold, cached = _alone(fitted, corpus.texts.slice(0, 1), ("fused", "fused"))
    return f"First call: {cold['first']:.1f} s with nothing compiled, {cached['first']:.2f} s with code on disk.\n"


def _one_thread(fitted: NgramMap) -> FusedScorer:
    tables = tables_of(fitted.terms, fitted.weights)
    return FusedScorer(tables, fitted.weights.shape[1], fitted.atoms_per_record, fitted.reference, threads=1)


def _require_equality(texts: pa.LargeStringArray, *scorers: Scorer) -> None:
    expected, got = (scorer(texts) for scorer in scorers)
    for name in ("offsets", "atoms", "ticks"):
        if not np.array_equal(getattr(expected, name), getattr(got, name)):
            sys.exit(f"the kernel differs from the reference in {name}: no speed is printed")


def _timed_round(texts: pa.LargeStringArray, fitted: NgramMap, fused: FusedScorer) -> tuple[float, float, float]:
    """CPU seconds of the reference, of its part before top-K, and of the kernel."""
    before_top_k = partial(_scores, counter(fitted.terms), fitted.weights)
    return _cpu(texts, fitted.reference), _cpu(texts, before_top_k), _cpu(texts, fused)


def _scores(vectorizer: CountVectorizer, weights: csr_array, texts: pa.LargeStringArray) -> csr_array:
    return csr_array(vectorizer.transform(texts.to_pylist())) @ weights


def _cpu(texts: pa.LargeStringArray, scorer: Callable[[pa.LargeStringArray], object]) -> float:
    start = time.process_time()
    for first in range(0, len(texts), BATCH_ROWS):
        scorer(texts.slice(first, BATCH_ROWS))
    return time.process_time() - start


def _alone(fitted: NgramMap, texts: pa.LargeStringArray, names: tuple[str, ...]) -> list[dict[str, float]]:
    """Measure in processes of their own, one after the other, which share a folder for compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        artifact, column = Path(folder, "map.npz"), Path(folder, "texts.arrow")
        save_map(fitted, artifact)
        table = pa.table({"text": texts})
        with pa.OSFile(str(column), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        return [_child(name, artifact, column) for name in names]


def _child(name: str, artifact: Path, column: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", name, str(artifact), str(column)]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(artifact.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _measured_alone(name: str, artifact: str, column: str) -> dict[str, float]:
    fitted = load_map(Path(artifact))
    with pa.OSFile(column, "rb") as source:
        texts = pa.ipc.open_file(source).read_all()["text"].combine_chunks()
    scorer: Scorer = fitted.reference if name == "reference" else _one_thread(fitted)
    first = _cpu(texts.slice(0, 1), scorer)
    before = _memory("VmRSS", forget_peak=True)
    _cpu(texts, scorer)
    return {"first": first, "megabytes": _memory("VmHWM") - before}


def _memory(which: str, *, forget_peak: bool = False) -> float:
    """Megabytes of this process, now or at its peak; Linux only. (`ru_maxrss` would count the parent's peak.)"""
    if forget_peak:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(which))


if __name__ == "__main__":
    main()
