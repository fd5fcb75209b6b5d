"""The sources of a calibrated map as compiled stages, and the one place that chooses between them and the sources."""

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import pyarrow as pa

from dpspin.curator.assign.calibrated.evidence import Evidence, stacked
from dpspin.curator.assign.contribution import Floats

Scored = Callable[[pa.StringArray], Floats]


def fastest(sources: tuple[Evidence, ...]) -> Scored:
    """Return the compiled stages where numba is installed and knows all sources, else the sources: the same layers."""
    if find_spec("numba") is None or sys.byteorder != "little":
        return partial(by_reference, sources)
    from dpspin.curator.assign.calibrated.fused.layers import (  # noqa: PLC0415  loads the compiler
        FusedLayers,
        compiled_layers,
    )

    compiled = compiled_layers(sources)
    return partial(by_reference, sources) if compiled is None else FusedLayers(sources, compiled)


def by_reference(sources: tuple[Evidence, ...], texts: pa.StringArray) -> Floats:
    """Return the layers as the sources compute them; a null is scored like an empty text."""
    return stacked(sources, [text or "" for text in texts.to_pylist()])
