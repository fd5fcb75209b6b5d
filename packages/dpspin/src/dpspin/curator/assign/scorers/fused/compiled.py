"""The compiler's settings, in one place."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a function: without the interpreter lock, and kept on disk where a disk can be written."""
    made: Any
    try:
        made = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder for compiled code, as in a read-only container
        made = njit(nogil=True)(function)
    return cast("F", made)


def part(function: F) -> F:
    """Leave a function as it is, and let compiled functions call it: it is compiled into them."""
    made: Any = register_jitable(function)
    return cast("F", made)
