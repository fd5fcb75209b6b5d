"""What each record is about, in a sentence or two, without what looks like an identifier."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpspin.curator.assign.calibrated.sentences import is_courtesy, sentences_of
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.asking import asked
from dpspin_lab.baselines.phrases import content_terms
from dpspin_lab.baselines.references.redaction import redacted

Facets = Callable[[Sequence[str]], list[str]]
SENTENCES, CHARACTERS = 2, 300
_PROMPT = (
    "Say in one sentence what the following record is about. Leave out names, places, organisations, numbers, dates "
    "and anything else by which its writer could be found. Answer with the sentence alone.\n\nRecord:\n"
)


def telling_facets(texts: Sequence[str]) -> list[str]:
    """Take of each record the sentences with the most telling words, redacted and without what is mere courtesy.

    >>> telling_facets(["Hello team, my parcel 12345 is late. Nobody in the shop answers letters. Why? Thanks!"])
    ['my parcel [NUMBER] is late. Nobody in the shop answers letters.']
    """
    return [_telling(text) for text in texts]


def _telling(text: str) -> str:
    sentences = [_without_courtesy(sentence) for sentence in sentences_of(text)]
    weight = [len(content_terms(sentence)) for sentence in sentences]
    best = sorted(range(len(sentences)), key=lambda place: (-weight[place], place))[:SENTENCES]
    return redacted(" ".join(sentences[place] for place in sorted(best)))[:CHARACTERS]


def _without_courtesy(sentence: str) -> str:
    """Drop the opening clauses of a sentence that only greet or thank."""
    clauses = sentence.split(", ")
    telling = (place for place, clause in enumerate(clauses) if not is_courtesy(clause))
    return ", ".join(clauses[next(telling, len(clauses)) :])


@dataclass(frozen=True, slots=True)
class LlmFacets:
    """One question per record, to a model on this machine."""

    chat: Chat

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Ask about each record."""
        return [asked(self.chat, _PROMPT + " ".join(text.split())) for text in texts]
