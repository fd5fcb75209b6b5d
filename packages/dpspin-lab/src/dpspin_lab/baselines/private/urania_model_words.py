"""A keyword set chosen by a language model that reads public or auxiliary text, and no protected record.

What it names is fixed before a protected record is read, so it costs nothing, whatever the model does.
"""

from collections.abc import Sequence
from typing import Final

from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin_lab.baselines.private.histograms import Vocabulary, keywords_of
from dpspin_lab.baselines.references import asked, bounded_sample

QUESTIONS: Final = 10
SHOWN, CHARACTERS = 12, 300  # records of one question, and of each: this fits a window of 4,096 tokens
_PROMPT: Final = (
    "Below are some records of a collection. Name up to twenty single words that tell what records of this kind are "
    "about, the most useful first. Answer with these words alone and commas between them. Choose words that many such "
    "records share: no names, places, numbers or dates.\n\nRecords:\n"
)


def keywords_by_model(
    chat: Chat, auxiliary: Sequence[str], *, seed: int = 0, records_are_public: bool = False
) -> Vocabulary:
    """Let a model choose the keyword set from a sample of auxiliary text; what it names most often comes first."""
    shown = bounded_sample(auxiliary, records=QUESTIONS * SHOWN, characters=CHARACTERS, seed=seed)
    named = keywords_of(
        _named(chat, shown[first : first + SHOWN], records_are_public=records_are_public)
        for first in range(0, len(shown), SHOWN)
    )
    if not named:
        raise RequestError(
            "no answer of the language model has a word that can be a keyword (four letters, no stop word): take a "
            "larger model"
        )
    return named


def _named(chat: Chat, records: Sequence[str], *, records_are_public: bool) -> str:
    """Return the answer as it is: one that is cut off still names words."""
    prompt = _PROMPT + "\n".join(f"- {' '.join(record.split())}" for record in records)
    return asked(chat, prompt, records_are_public=records_are_public)
