"""The seam every decoder fits: a template, a model behind an endpoint, or a script in a test."""

from typing import Protocol

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.history import History


class Decoder(Protocol):
    """Write a candidate from the plan and the history of this narration; it never sees a record or the dictionary."""

    def __call__(self, plan: SemanticPlan, history: History, /) -> str:
        """Return the next candidate text."""
