"""The version that made a plan."""

from typing import Final

VERSION: Final = "0.1.0"
SOFTWARE: Final = f"dpspin {VERSION}"
