"""A name for a group of facets, beside the facets nearest to it from outside, so that it says what is special."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpspin.llm.chat import Chat
from dpspin.text.lists import listing
from dpspin_lab.baselines.asking import asked_fields
from dpspin_lab.baselines.phrases import telling_terms

TITLE, DESCRIPTION = 3, 6  # terms
SHOWN = 20  # facets of either side that a model sees
UNNAMED = "unnamed"
_PROMPT = (
    "Below are short descriptions of records of one group, and of records close to it that are not in it. Give the "
    "group a title of at most eight words and a description of one sentence. Say what most of its records share and "
    "the others do not. No names, places, organisations, numbers or dates."
)


@dataclass(frozen=True, slots=True)
class Name:
    """What is published of a group beside its size."""

    title: str
    description: str


Namer = Callable[[Sequence[str], Sequence[str]], Name]


def term_name(inside: Sequence[str], outside: Sequence[str]) -> Name:
    """Name a group by its telling terms.

    >>> term_name(["late parcel", "the parcel was late"], ["rude agent", "my agent was rude"])
    Name(title='late parcel', description='Records about late parcel.')
    """
    sides = np.array([0] * len(inside) + [1] * len(outside), np.int64)
    terms = telling_terms([*inside, *outside], sides, DESCRIPTION)[0]
    if not terms:
        return Name(UNNAMED, "Records without terms of their own.")
    return Name(", ".join(terms[:TITLE]), f"Records about {listing(terms)}.")


@dataclass(frozen=True, slots=True)
class LlmNamer:
    """One question per group, to a model on this machine."""

    chat: Chat

    def __call__(self, inside: Sequence[str], outside: Sequence[str]) -> Name:
        """Ask for a title and a description."""
        prompt = f"{_PROMPT}\n\nIn the group:\n{_bullets(inside)}\n\nNot in the group:\n{_bullets(outside)}"
        found = asked_fields(self.chat, prompt, "group", {"title": "string", "description": "string"})
        return Name(str(found.get("title") or UNNAMED), str(found.get("description") or ""))


def _bullets(facets: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(facet.split())}" for facet in facets[:SHOWN])
