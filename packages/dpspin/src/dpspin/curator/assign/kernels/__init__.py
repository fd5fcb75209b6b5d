"""Two compiled kernels, for the paper's map and for calibrated ones: each equal to its reference bit for bit."""

import sys
from importlib.util import find_spec


def can_compile() -> bool:
    """Tell whether numba is installed, and numbers lie in memory as the kernels read them."""
    return find_spec("numba") is not None and sys.byteorder == "little"
