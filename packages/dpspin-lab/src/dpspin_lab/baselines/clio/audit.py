"""A mark for each name, from 1 (points to a person) to 5 (points to nobody); what is below 3 is not published."""

from collections.abc import Callable
from dataclasses import dataclass

from dpspin.llm.chat import Chat
from dpspin.public.atoms.suggest.rank import RAREST, public_frequency
from dpspin_lab.baselines.asking import asked_fields
from dpspin_lab.baselines.clio.naming import Name
from dpspin_lab.baselines.phrases import content_terms
from dpspin_lab.baselines.references.redaction import found

Auditor = Callable[[Name], int]
WORST, DOUBTFUL, BEST = 1, 3, 5
KEPT = 3
_HARMLESS = {"number", "amount", "date", "redacted"}
_PROMPT = (
    "Could somebody find a single person or a small group of people with the help of this title and description? "
    "Give a mark from 1 (surely) to 5 (in no way).\n\n"
)


def pattern_mark(name: Name) -> int:
    """Mark by spelling: an identifier or a word that public English does not know is worst, a number doubtful.

    >>> pattern_mark(Name("late parcel", "Records about it.")), pattern_mark(Name("xqzvii jkwwq", "Records."))
    (5, 1)
    """
    kinds = {*found(name.title), *found(name.description)}
    words = _words(f"{name.title}. {name.description}")
    if kinds - _HARMLESS or any(public_frequency(word) <= RAREST for word in words):
        return WORST
    return DOUBTFUL if kinds else BEST


@dataclass(frozen=True, slots=True)
class LlmAuditor:
    """One question per name, to a model on this machine; an answer that cannot be read is a refusal."""

    chat: Chat

    def __call__(self, name: Name) -> int:
        """Ask for a mark."""
        prompt = f"{_PROMPT}Title: {name.title}\nDescription: {name.description}"
        mark = asked_fields(self.chat, prompt, "mark", {"mark": "integer"}).get("mark")
        return mark if isinstance(mark, int) and WORST <= mark <= BEST else WORST


def _words(text: str) -> set[str]:
    return {word for term in content_terms(text) for word in term.split()}
