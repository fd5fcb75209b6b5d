"""What a language model is asked, what comes back and what it took, as values: they need no connection and no SDK."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

TOO_MANY_QUESTIONS = 429

Message = dict[Literal["role", "content"], str]


@dataclass(frozen=True, slots=True)
class FreeText:
    """Any words."""


@dataclass(frozen=True, slots=True)
class AnyJson:
    """Some JSON object."""


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """JSON of one shape, to which the server holds the model."""

    name: str
    schema: Mapping[str, object] = field(repr=False)


Form = FreeText | AnyJson | JsonSchema


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and in which form it is to be answered."""

    messages: tuple[Message, ...] = field(repr=False)
    form: Form
    max_tokens: int
    seed: int
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; no text where the server refused the question, failed, or answered with no completion."""

    text: str | None = field(repr=False)
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    refused: bool = False
    failed: bool = False  # the server failed over it, every time


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer, after several tries: why, in one sentence without its full stop."""

    status: int | None
    sentence: str

    @property
    def may_be_the_questions_fault(self) -> bool:
        """Tell a failure that one question can cause from a rate, which none can.

        A filter between here and the server can answer one question with any status: whoever must know asks a question
        that has no fault.
        """
        return self.status != TOO_MANY_QUESTIONS


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in any currency."""

    prompt: float
    answer: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Totals over questions, as the server counted them.

    >>> (Usage(1, 400, 20) + Usage(1, 600, 30)).cost(Price(prompt=0.5, answer=2.0))
    0.0006
    """

    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls - other.calls,
            self.prompt_tokens - other.prompt_tokens,
            self.answer_tokens - other.answer_tokens,
        )

    def cost(self, price: Price) -> float:
        """Return what the tokens cost."""
        return (self.prompt_tokens * price.prompt + self.answer_tokens * price.answer) / 1e6
