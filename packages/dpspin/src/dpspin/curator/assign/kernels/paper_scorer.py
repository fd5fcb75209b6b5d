"""The kernel behind the map's own signature: chunks, threads, and the reference for what only Python should read."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dpspin.curator.assign.contribution import Contributions, top_k
from dpspin.curator.assign.kernels.kernel_arrays import Batch, Block, Found, Scratch, Tables
from dpspin.curator.assign.kernels.paper_kernel import score
from dpspin.curator.assign.kernels.paper_tables import characters
from dpspin.curator.assign.kernels.paper_text import room_for, spell
from dpspin.curator.assign.usable_cores import usable_cores
from dpspin.curator.records.cells import LONGEST_TEXT

ROWS_PER_THREAD = 2_048  # fewer are not worth a thread
ENTRIES_AT_ONCE = 2**18  # results that are held before they are taken over


@dataclass(frozen=True, slots=True)
class FusedScorer:
    """Map a batch as the reference does, bit for bit: same atoms, same order, same ticks, for any number of threads."""

    tables: Tables = field(repr=False)
    universe_size: int
    atoms_per_record: int | None
    reference: Callable[[pa.StringArray], Contributions] = field(repr=False)
    threads: int = field(default_factory=usable_cores)

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts."""
        if len(texts) == 0:
            return self.reference(texts)
        column = texts.cast(pa.large_string())
        found, is_odd = self._found(Batch.of(column))
        odd = np.flatnonzero(is_odd)
        fast = self._contributions(found)
        return _spliced(fast, self.reference(column.take(pa.array(odd))), odd) if len(odd) else fast

    def _found(self, batch: Batch) -> tuple[Found, NDArray[np.bool_]]:
        rows = len(batch.present)
        chunks = min(self.threads, -(-rows // ROWS_PER_THREAD))
        ends = np.linspace(0, rows, chunks + 1).astype(int).tolist()
        with ThreadPoolExecutor(chunks) as pool:
            done = list(pool.map(self._found_in, [batch.rows(*span) for span in pairwise(ends)]))
        return Found.joined([found for found, _ in done]), np.concatenate([odd for _, odd in done])

    def _found_in(self, batch: Batch) -> tuple[Found, NDArray[np.bool_]]:
        """Score some of the rows, block by block; a block ends early where the room for its results is used up."""
        rows, k = len(batch.present), min(self.atoms_per_record or 0, self.universe_size)
        longest = int(room_for(np.uint64(batch.longest), LONGEST_TEXT))
        block, scratch = Block.room(rows, longest), Scratch.room(rows, longest, self.universe_size)
        found = Found.room(rows, min(rows * (k or self.universe_size), ENTRIES_AT_ONCE) + len(scratch.scores))
        parts, row = [], 0
        while row < rows:
            end = spell(batch, row, characters(), LONGEST_TEXT, block)
            done, entries = score(block, end - row, self.tables, k, scratch, found)
            parts.append(found.cut(done, entries))
            row += done
        return Found.joined(parts), block.odd

    def _contributions(self, found: Found) -> Contributions:
        """Turn the best scores into ticks, by the arithmetic of the reference."""
        offsets = np.concatenate([[0], np.cumsum(found.counts)])
        if self.atoms_per_record is None:
            shape = (len(found.counts), self.universe_size)
            return top_k(csr_array((found.values, found.atoms, offsets), shape=shape), None)
        rows = np.repeat(np.arange(len(found.counts)), found.counts)
        totals = np.bincount(rows, weights=found.values, minlength=len(found.counts))
        weights = found.values / totals[rows]
        return Contributions.from_weights(
            offsets, found.atoms, weights, universe_size=self.universe_size, atoms_per_record=self.atoms_per_record
        )


def _spliced(fast: Contributions, slow: Contributions, rows: NDArray[np.int64]) -> Contributions:
    """Put the rows of ``slow`` where ``fast`` has none."""
    counts = np.diff(fast.offsets)
    counts[rows] = np.diff(slow.offsets)
    is_slow = np.repeat(np.isin(np.arange(len(counts)), rows), counts)
    atoms, ticks = np.empty(len(is_slow), np.int64), np.empty(len(is_slow), np.int64)
    for source, place in ((slow, is_slow), (fast, ~is_slow)):
        atoms[place], ticks[place] = source.atoms, source.ticks
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return Contributions(offsets, atoms, ticks, fast.universe_size, fast.atoms_per_record)
