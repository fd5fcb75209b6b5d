"""DP-SPIN: measure predefined themes in private text, privately, and read a report that is checked.

The names that this package offers stand in ``__init__.pyi``, each with its module, and are loaded one by one when they
are first asked for: ``dpspin.PrivacyLoss`` costs no more than its own module, and the command line answers at once.
"""

import re
from pathlib import Path

from dpspin.boundary.software import VERSION

__version__ = VERSION
_STUB = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_PLACES = {offered: place for *place, offered in re.findall(r"^from (\S+) import (\w+) as (\w+)", _STUB, re.MULTILINE)}
__all__ = sorted(_PLACES)  # noqa: PLE0605  type checkers read the stub


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'dpspin' has no attribute {name!r}")
    module, inside = _PLACES[name]
    value = globals()[name] = getattr(__import__(module, fromlist=[inside]), inside)
    return value


def __dir__() -> list[str]:
    return ["__version__", *__all__]
