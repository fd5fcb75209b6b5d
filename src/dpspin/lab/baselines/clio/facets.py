"""What each record is about, in a sentence or two, without what looks like an identifier."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpspin.curator.stage1_assign.calibrated.sentences import is_courtesy, sentences_of
from dpspin.lab.baselines.asking import asked
from dpspin.lab.baselines.references.redaction import redacted
from dpspin.llm.chat import Chat

Facets = Callable[[Sequence[str]], list[str]]
SENTENCES, CHARACTERS = 2, 300
_PROMPT = (
    "Say in one sentence what the following record is about. Leave out names, places, organisations, numbers, dates "
    "and anything else by which its writer could be found. Answer with the sentence alone.\n\nRecord:\n"
)


def lead_facets(texts: Sequence[str]) -> list[str]:
    """Take the first sentences that say something, redacted.

    >>> lead_facets(["Hello team! My parcel no. 12345 is late. Nobody answers. Thanks!"])
    ['My parcel no. [NUMBER] is late. Nobody answers.']
    """
    return [_lead(text) for text in texts]


def _lead(text: str) -> str:
    telling = [sentence for sentence in sentences_of(text) if not is_courtesy(sentence)]
    return redacted(" ".join(telling[:SENTENCES]))[:CHARACTERS]


@dataclass(frozen=True, slots=True)
class LlmFacets:
    """One question per record, to a model on this machine."""

    chat: Chat

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Ask about each record."""
        return [asked(self.chat, _PROMPT + " ".join(text.split())) for text in texts]
