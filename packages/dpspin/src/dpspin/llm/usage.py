"""What asking took: calls, tokens, and money where a price is known."""

from dataclasses import dataclass


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
