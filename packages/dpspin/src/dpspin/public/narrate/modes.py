"""How a text presents a plan, and who writes it. Bins and margins live in ``plan.rules``, the same for every reader."""

from enum import StrEnum

from dpspin.errors import RequestError


class Mode(StrEnum):
    """The paper's two presentations of one plan."""

    DISPLAY = "display"  # for readers: support bins instead of exact masses, no markers
    AUDIT = "audit"  # canonical markers and released masses: each claim points at its plan row

    @property
    def shows_exact_values(self) -> bool:
        """Whether masses and ranks may stand in a text: for those who check, and not for readers."""
        return self is Mode.AUDIT


class Length(StrEnum):
    """How much of a plan a text tells."""

    SHORT = "short"  # what must be said, the finding and all shares, in about five sentences
    FULL = "full"  # all that the plan supports and a reader wants to know


class DecoderName(StrEnum):
    """Who writes a text; what each of them is stands in ``writer.decoder_named``."""

    TEMPLATE = "template"  # no model
    CLAIMS = "claims"  # a model chooses claims, code writes
    LLM = "llm"  # a model writes; what is published is settled

    @property
    def asks_a_model(self) -> bool:
        """Whether anything leaves this machine's process at all."""
        return self is not DecoderName.TEMPLATE


def mode_of(name: Mode | str) -> Mode:
    """Return the mode of that name.

    >>> mode_of("audit") is Mode.AUDIT
    True
    """
    try:
        return Mode(name)
    except ValueError:
        raise RequestError(f"the mode is audit or display, not {name!r}") from None
