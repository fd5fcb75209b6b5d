"""How a text presents a plan. Bins and margins are not here: they live in ``plan.rules``, the same for every reader."""

from enum import StrEnum

from dpspin.errors import RequestError


class Mode(StrEnum):
    """The paper's two presentations of one plan."""

    AUDIT = "audit"  # canonical markers and released masses: each claim points at its plan row
    DISPLAY = "display"  # for readers: support bins instead of exact masses, no markers

    @property
    def shows_exact_values(self) -> bool:
        """Whether masses and ranks may stand in a text: for those who check, and not for readers."""
        return self is Mode.AUDIT


class Length(StrEnum):
    """How much of a plan a text tells."""

    SHORT = "short"  # what must be said, the finding and all shares, in about five sentences
    FULL = "full"  # all that the plan supports and a reader wants to know


def mode_of(name: Mode | str) -> Mode:
    """Return the mode of that name.

    >>> mode_of("audit") is Mode.AUDIT
    True
    """
    try:
        return Mode(name)
    except ValueError:
        raise RequestError(f"the mode is audit or display, not {name!r}") from None
