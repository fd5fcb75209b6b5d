"""How a text is to be narrated: public choices, fixed before a decoder sees the plan.

Bins and margins are not here: they live in ``plan.rules``, so that every reader of a plan applies the same ones.
"""

from dataclasses import dataclass
from enum import StrEnum

from dpspin.errors import RequestError


class Mode(StrEnum):
    """The paper's two presentations of one plan."""

    AUDIT = "audit"  # canonical markers and released masses: each claim points at its plan row
    DISPLAY = "display"  # for readers: support bins instead of exact masses, no markers


@dataclass(frozen=True, slots=True)
class NarrationPolicy:
    """The mode, and the paper's R_max: how many candidates a decoder may offer before the template speaks."""

    mode: Mode = Mode.DISPLAY
    max_attempts: int = 3

    def __post_init__(self) -> None:
        if self.max_attempts < 1:
            raise RequestError(f"a decoder needs at least one attempt, not {self.max_attempts}")
