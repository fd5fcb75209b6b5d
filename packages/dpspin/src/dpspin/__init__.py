"""DP-SPIN: measure predefined concepts in private text, privately, and read a report that is checked.

The public names are listed in ``dpspin.api`` and loaded on first use, so that the command line answers at once.
"""

from typing import TYPE_CHECKING

from dpspin.boundary.software import VERSION

if TYPE_CHECKING:
    from dpspin.api import *  # noqa: F403  for type checkers

__version__ = VERSION


def __getattr__(name: str) -> object:
    import dpspin.api as api  # noqa: PLC0415, PLR0402  the other form would ask this function for "api"

    if name in api.__all__:
        return getattr(api, name)
    raise AttributeError(f"module 'dpspin' has no attribute {name!r}")


def __dir__() -> list[str]:
    import dpspin.api as api  # noqa: PLC0415, PLR0402

    return ["__version__", *api.__all__]
