"""The n-gram map as a compiled kernel, and the one place that chooses between it and the reference."""

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from dpspin.curator.assign.contribution import Contributions

Mapped = Callable[[pa.StringArray], Contributions]


def fastest(
    terms: Sequence[str], weights: "csr_array[np.int64]", atoms_per_record: int | None, reference: Mapped
) -> Mapped:
    """Return the compiled map where numba is installed, else the reference: the output is the same."""
    if find_spec("numba") is None or sys.byteorder != "little":
        return reference
    from dpspin.curator.assign.scorers.fused.scorer import FusedScorer  # noqa: PLC0415  loads the compiler
    from dpspin.curator.assign.scorers.fused.tables import tables_of  # noqa: PLC0415

    return FusedScorer(tables_of(terms, weights), weights.shape[1], atoms_per_record, reference)


def warm_up() -> None:
    """Compile, or load compiled code from disk, before the first record arrives."""
    nothing = Contributions(np.zeros(2, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), 1, 1)
    mapped = fastest(("word",), csr_array(np.ones((1, 1), np.int64)), 1, lambda _: nothing)
    mapped(pa.array(["word"], pa.large_string()))
