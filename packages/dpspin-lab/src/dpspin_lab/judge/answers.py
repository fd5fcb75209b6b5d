"""What a judge may answer: strict JSON with exactly these keys, or nothing that counts."""

from typing import Annotated, Literal, TypeVar

from pydantic import Field, ValidationError

from dpspin.boundary.model_base import Sealed
from dpspin.errors import RequestError
from dpspin.llm.chat import Chat
from dpspin.llm.question import Message

Score = Annotated[int, Field(strict=True, ge=1, le=5)]
Answer = TypeVar("Answer", bound=Sealed)

_AGAIN = "That was not the JSON object that was asked for. Answer again with it alone."


class Scores(Sealed):
    """The paper's six scores, from 1 to 5. ``privacy_safety`` rates words, and is no guarantee."""

    coverage: Score
    specificity: Score
    insightfulness: Score
    faithfulness: Score
    privacy_safety: Score
    clarity: Score
    rationale: str


NAMES = tuple(name for name in Scores.model_fields if name != "rationale")


class BlindChoice(Sealed):
    """Which of two summaries is better, by the letters under which they were shown."""

    choice: Literal["A", "B", "tie"]
    rationale: str


def read_answer(kind: type[Answer], words: str) -> Answer | None:
    """Read a JSON object, or nothing.

    >>> read_answer(BlindChoice, '{"choice": "A", "rationale": "shorter"}')
    BlindChoice(choice='A', rationale='shorter')
    >>> read_answer(BlindChoice, 'Sure: {"choice": "A", "rationale": "shorter"}') is None
    True
    """
    try:
        return kind.model_validate_json(words)
    except ValidationError:
        return None


def asked(chat: Chat, question: str, kind: type[Answer]) -> Answer | None:
    """Ask, and once more if the answer cannot be read; then there is none."""
    if chat.temperature != 0:
        raise RequestError("a judge answers at temperature 0")
    messages: tuple[Message, ...] = ({"role": "user", "content": question},)
    words = chat.json(messages, kind.__name__, kind.model_json_schema())
    if (answer := read_answer(kind, words)) is not None:
        return answer
    again: tuple[Message, ...] = ({"role": "assistant", "content": words}, {"role": "user", "content": _AGAIN})
    return read_answer(kind, chat.json((*messages, *again), kind.__name__, kind.model_json_schema()))
