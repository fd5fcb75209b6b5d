"""Labels for auxiliary text: a language model reads what is not protected, and a small local map learns from it."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomId
from dpspin.curator.assign.llm.labeller import Labeller


@dataclass(frozen=True)
class Teacher:
    """Takes auxiliary text only: no protected record reaches the endpoint, and the learned map needs to trust nobody.

    An answer that stays unreadable teaches nothing, unlike "none of these": such a text gets None, to be left out.
    """

    labeller: Labeller

    @property
    def name(self) -> str:
        """Who labelled, as it stands in the file of labels and in the plan of a map that learned from it."""
        return f"the language model {self.labeller.endpoint.model} {self.labeller.client.place}"

    def __call__(self, auxiliary: Iterable[str]) -> list[tuple[AtomId, ...] | None]:
        """Label each text on its own: at most K atom ids, the clearest first; empty for none of these."""
        readings = (self.labeller(text) for text in auxiliary)
        return [reading.atoms if reading.readable else None for reading in readings]
